// Small maps for the normaliser "Precompiled", built by hand.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace wordsway::test {

using Replacements = std::map<std::string, std::string>;

inline std::string u32_bytes(std::uint32_t value) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes.push_back(static_cast<char>(value >> shift & 0xFF));
  return bytes;
}

inline std::string map_bytes(const std::vector<std::uint32_t>& units, const std::string& replacements) {
  std::string bytes = u32_bytes(static_cast<std::uint32_t>(4 * units.size()));
  for (const std::uint32_t unit : units) bytes += u32_bytes(unit);
  return bytes + replacements;
}

/// A double array that is easy to build rather than small: node i has the 256 units from 256 (i + 1) on for its
/// children.
inline std::string small_map(const Replacements& replacements) {
  struct Node {
    std::map<unsigned char, std::size_t> children;
    int value = -1;
  };
  std::vector<Node> nodes(1);
  std::string texts;
  for (const auto& [key, text] : replacements) {
    std::size_t node = 0;
    for (const char c : key) {
      const auto [child, fresh] = nodes[node].children.try_emplace(static_cast<unsigned char>(c), nodes.size());
      const std::size_t next = child->second;
      if (fresh) nodes.emplace_back();
      node = next;
    }
    nodes[node].value = static_cast<int>(texts.size());
    texts += text + '\0';
  }
  std::vector<std::uint32_t> units(256 * (nodes.size() + 1));
  std::vector<std::size_t> places(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::size_t base = 256 * (i + 1);
    const bool has_value = nodes[i].value >= 0;
    units[places[i]] |= static_cast<std::uint32_t>((places[i] ^ base) << 10) | (has_value ? 0x100u : 0u);
    if (has_value) units[base] = 0x80000000u | static_cast<std::uint32_t>(nodes[i].value);
    for (const auto& [byte, child] : nodes[i].children) {
      places[child] = base ^ byte;
      units[places[child]] = byte;
    }
  }
  return map_bytes(units, texts);
}

}  // namespace wordsway::test

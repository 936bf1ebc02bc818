#include "wordsway/io/safetensors_index.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wordsway/core/error.h"
#include "wordsway/io/json_check.h"

namespace wordsway {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 16;  // metadata may hold anything

bool is_plain_file_name(const std::string& file) {
  return !file.empty() && file != "." && file != ".." && file.find_first_of(std::string_view("/\\\0", 3)) == file.npos;
}

}  // namespace

std::map<std::string, std::string> parse_safetensors_index(std::span<const std::byte> bytes, std::string_view name) {
  const auto fail = [&](const std::string& what) { throw DataError(fmt::format("{}: {}", name, what)); };
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (const auto fault = json_fault(text, kMaxDepth)) fail("the index is malformed: " + *fault);
  const json index = json::parse(text);
  const auto map = index.is_object() ? index.find("weight_map") : index.end();
  if (map == index.end() || !map->is_object() || map->empty()) fail("the index has no weight_map that lists tensors");
  std::map<std::string, std::string> files;
  for (const auto& [tensor, file] : map->items()) {
    if (!file.is_string() || !is_plain_file_name(file.get<std::string>())) {
      fail(fmt::format("the file of the tensor {} is not a plain file name", json_quoted(tensor)));
    }
    files.emplace(tensor, file.get<std::string>());
  }
  return files;
}

}  // namespace wordsway

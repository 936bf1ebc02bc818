#include "wordsway/core/digest.h"

#include <bit>
#include <new>

#include <fmt/format.h>

#define XXH_INLINE_ALL  // compiled for this CPU, and nothing to link
#include <xxhash.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

constexpr std::string_view kPrefix = "xxh3:";
constexpr size_t kDigits = 32;

struct AddValue {
  Digest& digest;

  void operator()(Missing) const {}
  void operator()(bool flag) const { digest.add(std::uint64_t{flag}); }
  void operator()(std::int64_t number) const { digest.add(static_cast<std::uint64_t>(number)); }
  void operator()(double number) const { digest.add(number); }
  void operator()(const std::string& text) const { digest.add(text); }
  template <typename T>
  void operator()(const std::vector<T>&) const {
    throw UsageError("a record that holds a list has no digest");
  }
};

}  // namespace

struct Digest::State {
  XXH3_state_t xxh;
};

Digest::Digest() : state_(std::make_unique<State>()) {
  XXH3_128bits_reset(&state_->xxh);
}

Digest::~Digest() = default;

void Digest::add_bytes(std::span<const std::byte> bytes) {
  XXH3_128bits_update(&state_->xxh, bytes.data(), bytes.size());
}

void Digest::add(std::string_view text) {
  add(std::uint64_t{text.size()});
  add_bytes(std::as_bytes(std::span(text)));
}

void Digest::add(std::uint64_t number) {
  add_bytes(std::as_bytes(std::span(&number, 1)));
}

void Digest::add(double value) {
  add(std::bit_cast<std::uint64_t>(value));
}

void Digest::add(std::span<const double> values) {
  add(std::uint64_t{values.size()});
  add_bytes(std::as_bytes(values));
}

void Digest::add(std::span<const int> values) {
  add(std::uint64_t{values.size()});
  add_bytes(std::as_bytes(values));
}

std::string Digest::text() const {
  const XXH128_hash_t hash = XXH3_128bits_digest(&state_->xxh);
  return fmt::format("{}{:016x}{:016x}", kPrefix, hash.high64, hash.low64);
}

std::string digest_of(const Matrix& matrix) {
  Digest digest;
  digest.add(static_cast<std::uint64_t>(matrix.rows()));
  digest.add(std::span<const double>(matrix.data(), static_cast<size_t>(matrix.size())));
  return digest.text();
}

std::string digest_of(const Record& record) {
  Digest digest;
  for (const auto& [name, value] : record.fields()) {
    digest.add(name);
    std::visit(AddValue{digest}, value);
  }
  return digest.text();
}

bool is_digest(std::string_view text) {
  return text.starts_with(kPrefix) && text.size() == kPrefix.size() + kDigits &&
         text.find_first_not_of("0123456789abcdef", kPrefix.size()) == std::string_view::npos;
}

std::string checksum(std::string_view text, std::string_view salt) {
  const XXH64_hash_t seed = XXH3_64bits(salt.data(), salt.size());
  return fmt::format("{:016x}", XXH3_64bits_withSeed(text.data(), text.size(), seed));
}

}  // namespace wordsway

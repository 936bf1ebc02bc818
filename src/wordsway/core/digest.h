// A short name for content, so that a journal notices when its data are not the ones it was made with.
//
// XXH3 of 128 bits (libxxhash): fast beside the reading of a file, and no edit goes unnoticed. It is not meant to
// withstand somebody who looks for two contents with the same digest; that person could edit the journal as well.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "wordsway/core/matrix.h"
#include "wordsway/core/record.h"

namespace wordsway {

/// Everything that is added counts, in its order. One object belongs to one thread.
class Digest {
 public:
  Digest();
  ~Digest();

  /// The bytes alone: adding "a" and then "b" is adding "ab".
  void add_bytes(std::span<const std::byte> bytes);
  /// With its length, so that neighbouring texts cannot be told apart wrongly.
  void add(std::string_view text);
  void add(std::uint64_t number);
  void add(double value);
  void add(std::span<const double> values);
  void add(std::span<const int> values);

  /// "xxh3:" and 32 hexadecimal digits.
  std::string text() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// The digest of a matrix: its shape and its numbers.
std::string digest_of(const Matrix& matrix);

/// The digest of a record's names, texts and numbers, in their order. Throws UsageError on lists.
std::string digest_of(const Record& record);

/// Whether a text has the form that Digest::text gives.
bool is_digest(std::string_view text);

/// 16 hexadecimal digits for a short text such as a row; another `salt` gives other digits.
std::string checksum(std::string_view text, std::string_view salt);

}  // namespace wordsway

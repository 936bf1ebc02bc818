#include "wordsway/io/source_files.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <optional>

#include <fmt/format.h>

#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"
#include "wordsway/io/atomic_file.h"
#include "wordsway/io/line_reader.h"

namespace wordsway {
namespace {

namespace fs = std::filesystem;

constexpr size_t kChunk = size_t{1} << 20;
constexpr size_t kLongestEntry = 1000;

std::string digest_of_bytes(const InputFile& file) {
  Digest digest;
  std::vector<std::byte> buffer(std::min(kChunk, file.size()));
  for (size_t offset = 0; offset < file.size(); offset += buffer.size()) {
    const std::span<std::byte> part = std::span(buffer).first(std::min(buffer.size(), file.size() - offset));
    file.read(offset, part);
    digest.add_bytes(part);
  }
  file.check_unchanged();
  return digest.text();
}

std::string key_of(const FileStamp& stamp) {
  return fmt::format("{} {} {} {} {}", stamp.device, stamp.inode, stamp.size, stamp.mtime_ns, stamp.ctime_ns);
}

bool may_be_cached(const FileStamp& stamp, const DigestCache& cache) {
  const std::int64_t now =
      std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch()).count();
  return !cache.folder.empty() && stamp.size > cache.least_bytes &&
         now - std::max(stamp.mtime_ns, stamp.ctime_ns) > cache.least_age_ns;
}

fs::path entry_path(const std::string& key, const DigestCache& cache) {
  return cache.folder / "digests" / checksum(key, "file");
}

// An entry is the key, a space and the digest, so that another key of the same name is noticed.
std::optional<std::string> find_cached(const std::string& key, const DigestCache& cache) {
  try {
    LineReader reader(entry_path(key, cache), kLongestEntry);
    Line line;
    if (!reader.next(line) || !line.ended || !line.text.starts_with(key + " ")) return std::nullopt;
    std::string digest = line.text.substr(key.size() + 1);
    return is_digest(digest) ? std::optional(std::move(digest)) : std::nullopt;
  } catch (const Error&) {
    return std::nullopt;
  }
}

void keep(const std::string& key, const std::string& digest, const DigestCache& cache) {
  std::error_code ignored;
  fs::create_directories(cache.folder / "digests", ignored);
  try {
    write_file_atomically(entry_path(key, cache), fmt::format("{} {}\n", key, digest));
  } catch (const FileError&) {
    return;  // a full or read-only disk: the file is read again next time
  }
}

}  // namespace

SourceFile note_file(std::string what, const fs::path& path) {
  return {std::move(what), path, stamp_of(path)};
}

DigestCache DigestCache::of_user() {
  DigestCache cache;
  const char *chosen = std::getenv("XDG_CACHE_HOME"), *home = std::getenv("HOME");
  if (chosen != nullptr && fs::path(chosen).is_absolute()) {
    cache.folder = fs::path(chosen) / "wordsway";
  } else if (home != nullptr && fs::path(home).is_absolute()) {
    cache.folder = fs::path(home) / ".cache" / "wordsway";
  }
  return cache;
}

std::string digest_of_file(const SourceFile& file, const DigestCache& cache) {
  const InputFile input(file.path);
  if (input.stamp() != file.stamp)
    throw FileError(fmt::format("{} was changed after it had been read; run the command again", file.path.string()));
  const bool cached = may_be_cached(file.stamp, cache);
  const std::string key = key_of(file.stamp);
  if (cached)
    if (auto known = find_cached(key, cache)) return *std::move(known);
  std::string digest = digest_of_bytes(input);
  if (cached) keep(key, digest, cache);
  return digest;
}

Record FileContent::fields() const {
  const std::lock_guard lock(mutex_);
  if (fields_.fields().size() == files_.size()) return fields_;
  Record fields;
  for (const SourceFile& file : files_)
    fields.set(fmt::format("{} in {}", file.what, file.path.filename().string()), digest_of_file(file));
  fields_ = std::move(fields);
  return fields_;
}

}  // namespace wordsway

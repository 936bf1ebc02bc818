#include "wordsway/io/gguf_set.h"

#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/json.h"

namespace wordsway {
namespace {

namespace fs = std::filesystem;

constexpr const char *kEnding = ".gguf", *kNumber = "split.no", *kCount = "split.count",
                     *kTensors = "split.tensors.count";
constexpr std::string_view kPattern = "-00000-of-00000.gguf";

// NAME-00002-of-00003.gguf taken apart.
struct PartName {
  std::string stem;
  Index number, count;  // from 1 on
};

std::optional<Index> five_digits(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.front() == '-') return std::nullopt;
  return value;
}

std::optional<PartName> parse_part_name(const std::string& name) {
  if (name.size() < kPattern.size() || !name.ends_with(kEnding)) return std::nullopt;
  const std::string_view tail = std::string_view(name).substr(name.size() - kPattern.size());
  if (tail[0] != '-' || tail.substr(6, 4) != "-of-") return std::nullopt;
  const auto number = five_digits(tail.substr(1, 5)), count = five_digits(tail.substr(10, 5));
  if (!number || !count || *number < 1 || *number > *count) return std::nullopt;
  return PartName{name.substr(0, name.size() - kPattern.size()), *number, *count};
}

Index parts_of(const GgufFile& file) {
  return file.metadata().contains(kCount) ? file.metadata().integer(kCount) : 1;
}

void check_part(const GgufFile& file, Index number, Index count) {
  if (parts_of(file) != count)
    file.metadata().fail(kCount, fmt::format("is {}, but the file's name says {}", parts_of(file), count));
  if (file.metadata().integer(kNumber) != number - 1)
    file.metadata().fail(kNumber, fmt::format("is {}; expected {}, as the file's name says",
                                              file.metadata().integer(kNumber), number - 1));
}

std::vector<GgufFile> open_parts(const fs::path& folder, const PartName& given) {
  std::vector<GgufFile> files;
  for (Index number = 1; number <= given.count; ++number) {
    const fs::path path = folder / fmt::format("{}-{:05}-of-{:05}.gguf", given.stem, number, given.count);
    if (!path_exists(path))
      throw FileError(fmt::format("{}: there is no such file; it is part {} of {} of the model {}", path.string(),
                                  number, given.count, given.stem));
    files.push_back(GgufFile::open(path));
    check_part(files.back(), number, given.count);
  }
  return files;
}

}  // namespace

bool is_gguf_path(const fs::path& path) {
  return path.extension() == kEnding && !path_is_folder(path);
}

GgufSet::GgufSet(std::vector<GgufFile> files) : files_(std::move(files)) {
  for (size_t i = 0; i < files_.size(); ++i) {
    for (const std::string& tensor : files_[i].names()) {
      const auto [place, fresh] = places_.emplace(tensor, i);
      if (!fresh)
        throw DataError(fmt::format("{}: the tensor {} is in {} too", files_[i].path().string(), json_quoted(tensor),
                                    files_[place->second].path().filename().string()));
    }
  }
}

GgufSet GgufSet::open(const fs::path& path) {
  const std::optional<PartName> part = parse_part_name(path.filename().string());
  if (part && part->count > 1) {
    GgufSet set(open_parts(path.parent_path(), *part));
    const auto tensors = static_cast<Index>(set.places_.size());
    if (set.metadata().contains(kTensors) && set.metadata().integer(kTensors) != tensors)
      set.metadata().fail(kTensors,
                          fmt::format("is {}, but the files hold {}", set.metadata().integer(kTensors), tensors));
    return set;
  }
  std::vector<GgufFile> files;
  files.push_back(GgufFile::open(path));
  if (const Index count = parts_of(files.front()); count > 1) {
    files.front().metadata().fail(kCount, fmt::format("is {0}, so the file's name must end with -00001-of-{0:05}.gguf "
                                                      "or the number of another part",
                                                      count));
  }
  return GgufSet(std::move(files));
}

std::string GgufSet::name() const {
  const std::optional<PartName> part = parse_part_name(path().filename().string());
  return part ? part->stem : path().stem().string();
}

std::vector<std::string> GgufSet::names() const {
  std::vector<std::string> result;
  for (const auto& [tensor, file] : places_) result.push_back(tensor);
  return result;
}

const GgufFile& GgufSet::file_of(const std::string& tensor) const {
  const auto found = places_.find(tensor);
  if (found == places_.end())
    throw DataError(fmt::format("{}: there is no tensor {}", path().string(), json_quoted(tensor)));
  return files_[found->second];
}

std::vector<SourceFile> GgufSet::source_files(const std::string& what) const {
  std::vector<SourceFile> result;
  for (const GgufFile& file : files_) result.push_back({what, file.path(), file.stamp()});
  return result;
}

void GgufSet::check_unchanged() const {
  for (const GgufFile& file : files_) file.check_unchanged();
}

}  // namespace wordsway

// The Large Movie Review Dataset of Maas et al. (ACL 2011), as its archive unpacks.
#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "wordsway/core/error.h"
#include "wordsway/io/input_file.h"
#include "wordsway/text/corpus_formats.h"
#include "wordsway/text/small_file.h"

namespace wordsway {
namespace {

namespace fs = std::filesystem;

constexpr std::pair<const char*, int> kClasses[] = {{"pos", 1}, {"neg", -1}};

/// The .txt files by the number their names begin with, then by name.
std::vector<fs::path> reviews_in(const fs::path& folder) {
  std::vector<std::pair<long long, fs::path>> numbered;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    if (entry->path().extension() != ".txt") continue;
    const std::string stem = entry->path().stem().string();
    long long number = 0;
    std::from_chars(stem.data(), stem.data() + stem.size(), number);
    numbered.emplace_back(number, entry->path());
  }
  if (error) throw FileError(fmt::format("cannot read {}: {}", folder.string(), error.message()));
  std::sort(numbered.begin(), numbered.end());
  std::vector<fs::path> files;
  files.reserve(numbered.size());
  for (auto& [number, file] : numbered) files.push_back(std::move(file));
  return files;
}

bool is_split(const fs::path& folder) {
  return path_is_folder(folder / "pos") && path_is_folder(folder / "neg");
}

/// False when the visitor wants no more.
bool read_split(const fs::path& folder, const std::string& prefix, const VisitText& visit) {
  for (const auto& [name, label] : kClasses) {
    for (const fs::path& file : reviews_in(folder / name)) {
      const std::string id = fmt::format("{}{}/{}", prefix, name, file.stem().string());
      std::string text = read_small_file(file);
      check_is_text(text, 0, file.string());
      if (!visit({std::move(text), label, id})) return false;
    }
  }
  return true;
}

}  // namespace

void read_aclimdb(const fs::path& folder, const VisitText& visit) {
  if (is_split(folder)) {
    read_split(folder, "", visit);
    return;
  }
  if (!is_split(folder / "train") && !is_split(folder / "test")) {
    throw DataError(
        fmt::format("{}: not an aclImdb folder; expected train and test with pos and neg in them", folder.string()));
  }
  for (const char* split : {"train", "test"}) {
    if (is_split(folder / split) && !read_split(folder / split, std::string(split) + "/", visit)) return;
  }
}

}  // namespace wordsway

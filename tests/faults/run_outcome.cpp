#include "faults/run_outcome.h"

#include <algorithm>
#include <regex>
#include <sstream>

#include "support/bytes.h"
#include "support/journals.h"

namespace wordsway::test {
namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string journal_rows(const fs::path& path) {
  const std::string bytes = read_bytes(path);
  if (bytes.empty()) return "";
  if (bytes.back() != '\n') return "a torn line in " + bytes;
  try {
    return joined(timeless_rows_of(path));
  } catch (const std::exception& error) {
    return std::string("no journal: ") + error.what();
  }
}

std::string without(const std::string& text, const char* pattern, const char* replacement = "") {
  return std::regex_replace(text, std::regex(pattern), replacement);
}

// The column `seconds` of tables whose cells hold no commas.
std::string csv_without_seconds(const std::string& text) {
  std::string result;
  size_t place = std::string::npos;
  for (const std::string& line : lines_of(text)) {
    std::istringstream stream(line);
    size_t column = 0;
    for (std::string cell; std::getline(stream, cell, ','); ++column) {
      if (cell == "seconds") place = column;
      if (column != place) result += cell + ",";
    }
    result += "\n";
  }
  return result;
}

std::string comparable(const fs::path& path) {
  const std::string ending = path.extension().string();
  if (ending == ".jsonl") return journal_rows(path);
  const std::string bytes = read_bytes(path);
  if (ending == ".csv") return csv_without_seconds(bytes);
  // A page also says on what machine it was made, as far as /proc can be read.
  if (ending == ".html")
    return without(bytes, "(?:[0-9.]+ s|[0-9]+(?::[0-9]{2})+)<|<dt>(threads|machine)</dt><dd>[^<]*<", "<");
  if (ending == ".pdf") return without(bytes, "/CreationDate \\([^)]*\\)");
  return bytes;
}

bool is_part_of(const std::string& rows, const std::string& all) {
  const auto some = lines_of(rows), every = lines_of(all);
  return std::includes(every.begin(), every.end(), some.begin(), some.end());
}

std::string beginning(const std::string& text) {
  return text.substr(0, 300);
}

}  // namespace

RunOutcome outcome_of(const ProgramResult& result, const fs::path& folder) {
  RunOutcome outcome{
      result.exit_code, without(result.out, "\"(seconds|tokens_per_second)\": [-+.e0-9]+"), result.err, {}};
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (!entry.is_directory())
      outcome.files[entry.path().lexically_relative(folder).string()] = comparable(entry.path());
  return outcome;
}

std::string wrong_leftover(const RunOutcome& run, const RunOutcome& reference) {
  for (const auto& [name, content] : run.files) {
    const auto whole = reference.files.find(name);
    if (whole == reference.files.end()) return "left " + name;
    if (name.ends_with(".jsonl") ? !is_part_of(content, whole->second) : content != whole->second)
      return "left a wrong " + name + ": " + beginning(content);
  }
  return "";
}

std::string difference(const RunOutcome& run, const RunOutcome& reference) {
  if (run.out != reference.out) return "printed " + beginning(run.out) + " instead of " + beginning(reference.out);
  for (const auto& [name, content] : reference.files) {
    const auto found = run.files.find(name);
    if (found == run.files.end()) return "left no " + name;
    if (found->second != content) return "left another " + name + ": " + beginning(found->second);
  }
  return run.files.size() > reference.files.size() ? wrong_leftover(run, reference) : "";
}

}  // namespace wordsway::test

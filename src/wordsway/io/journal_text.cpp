// Reading and comparing journals; journal.cpp writes them.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wordsway/core/error.h"
#include "wordsway/io/journal.h"
#include "wordsway/io/json.h"
#include "wordsway/io/line_reader.h"

namespace wordsway {
namespace {

using Json = nlohmann::ordered_json;

Record part(const Json& header, const char* name) {
  const auto found = header.find(name);
  return found == header.end() ? Record() : record_from_json(found->dump());
}

[[noreturn]] void throw_not_a_journal(const std::filesystem::path& path) {
  throw DataError(fmt::format(
      "{} is not a wordsway journal: its first line is not a {{\"wordsway\": ...}} header; nothing was written to it",
      path.string()));
}

JournalHeader parse_header(const std::string& line, const std::filesystem::path& path) {
  const Json json = Json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("wordsway") || !json["wordsway"].is_object()) throw_not_a_journal(path);
  const Json& inner = json["wordsway"];
  if (!inner.contains("schema") || !inner["schema"].is_number_integer() || !inner.contains("command") ||
      !inner["command"].is_string() || !inner.contains("config"))
    throw_not_a_journal(path);
  JournalHeader header;
  header.schema = inner["schema"].get<std::int64_t>();
  header.command = inner["command"].get<std::string>();
  if (inner.contains("version") && inner["version"].is_string()) header.version = inner["version"].get<std::string>();
  header.config = part(inner, "config");
  header.build = part(inner, "build");
  header.machine = part(inner, "machine");
  return header;
}

std::string value_text(const Record& record, std::string_view name) {
  const Value* value = record.find(name);
  if (value == nullptr) return "nothing";
  const std::string object = to_json(Record{{"", *value}});  // {"": VALUE}
  return object.substr(5, object.size() - 6);
}

void read_rows(LineReader& reader, const std::filesystem::path& path, JournalContent& content) {
  Line line;
  std::string broken;  // the reason, when the line just read is broken
  while (reader.next(line)) {
    if (!broken.empty()) throw DataError(fmt::format("{}: line {}: {}", path.string(), line.number - 1, broken));
    try {
      if (!line.ended) throw DataError("the line has no end");
      content.rows.push_back({record_from_json(line.text), line.offset, line.number});
      content.whole_bytes = line.offset + static_cast<std::int64_t>(line.text.size()) + 1;
    } catch (const DataError& error) {
      broken = error.what();
    }
  }
  content.torn = !broken.empty();
}

}  // namespace

std::string to_json(const JournalHeader& header) {
  const std::string names =
      to_json(Record{{"schema", header.schema}, {"version", header.version}, {"command", header.command}});
  return fmt::format("{{\"wordsway\": {}, \"config\": {}, \"build\": {}, \"machine\": {}}}}}",
                     names.substr(0, names.size() - 1), to_json(header.config), to_json(header.build),
                     to_json(header.machine));
}

JournalContent read_journal(const std::filesystem::path& path) {
  LineReader reader(path);
  Line line;
  JournalContent content;
  if (!reader.next(line)) throw_not_a_journal(path);
  if (!line.ended) {
    // A header cut short by a crash is nothing lost; any other text is somebody's file.
    constexpr std::string_view kOpening = "{\"wordsway\": {\"schema\": ";
    if (std::string_view(line.text).substr(0, kOpening.size()) != kOpening) throw_not_a_journal(path);
    content.torn = true;
    return content;
  }
  content.header = parse_header(line.text, path);
  content.whole_bytes = static_cast<std::int64_t>(line.text.size()) + 1;
  if (content.header.schema != kJournalSchema)
    throw UsageError(fmt::format("{} is a journal of schema {}; this wordsway reads schema {}", path.string(),
                                 content.header.schema, kJournalSchema));
  read_rows(reader, path, content);
  return content;
}

HeaderDifference first_difference(const JournalHeader& in_file, const JournalHeader& wanted) {
  if (in_file.command != wanted.command) return {"command", in_file.command, wanted.command};
  for (const auto& [name, value] : wanted.config.fields()) {
    const std::string theirs = value_text(in_file.config, name), ours = value_text(wanted.config, name);
    if (theirs != ours) return {name, theirs, ours};
  }
  for (const auto& [name, value] : in_file.config.fields())
    if (wanted.config.find(name) == nullptr) return {name, value_text(in_file.config, name), "nothing"};
  return {};
}

}  // namespace wordsway

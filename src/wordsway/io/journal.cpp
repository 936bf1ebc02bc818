#include "wordsway/io/journal.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "wordsway/core/digest.h"
#include "wordsway/core/error.h"
#include "wordsway/io/json.h"
#include "wordsway/io/line_reader.h"

namespace wordsway {
namespace {

using OrderedJson = nlohmann::ordered_json;

constexpr std::int64_t kFirstSchemaWithChecksums = 2;
constexpr int kDeepestHeader = 4;  // {"wordsway": {"config": {"n": [...]}}}
constexpr std::string_view kHeaderSalt = "wordsway journal";

// A line ends with its checksum: PREFIX, "checksum": "0123456789abcdef"}
constexpr std::string_view kBeforeDigits = ", \"checksum\": \"", kAfterDigits = "\"}";
constexpr size_t kDigits = 16, kTail = kBeforeDigits.size() + kDigits + kAfterDigits.size();

// `object` is a JSON object as text; its closing brace moves behind the checksum.
std::string with_checksum(std::string object, std::string_view salt) {
  object.pop_back();
  const std::string digits = checksum(object, salt);
  return object.append(kBeforeDigits).append(digits).append(kAfterDigits);
}

// The object that with_checksum was given. Throws DataError when the line is not such a line.
std::string without_checksum(const std::string& line, std::string_view salt) {
  const size_t prefix = line.size() < kTail ? 0 : line.size() - kTail;
  if (prefix == 0 || line.compare(prefix, kBeforeDigits.size(), kBeforeDigits) != 0 || !line.ends_with(kAfterDigits))
    throw DataError("the line does not end with its checksum; it was not written by wordsway as it is");
  const std::string object = line.substr(0, prefix);
  if (line.compare(prefix + kBeforeDigits.size(), kDigits, checksum(object, salt)) != 0)
    throw DataError("the checksum does not fit; the line was changed after it was written, or is of another journal");
  return object + "}";
}

Record part(const OrderedJson& header, const char* name) {
  const auto found = header.find(name);
  return found == header.end() ? Record() : record_from_json(found->dump());
}

[[noreturn]] void throw_not_a_journal(const std::filesystem::path& path) {
  throw DataError(fmt::format(
      "{} is not a wordsway journal: its first line is not a {{\"wordsway\": ...}} header; nothing was written to it",
      path.string()));
}

// The settings without the fingerprint that stands among them.
Record take_fingerprint(const Record& config, std::string& fingerprint) {
  Record rest;
  for (const auto& [name, value] : config.fields())
    if (name == "fingerprint" && std::holds_alternative<std::string>(value)) {
      fingerprint = std::get<std::string>(value);
    } else {
      rest.set(name, value);
    }
  return rest;
}

std::string value_text(const Record& record, std::string_view name) {
  const Value* value = record.find(name);
  return value == nullptr ? "nothing" : value_to_json(*value);
}

// Before there was a key of its own, the reason of a failed trial was a text named `error`.
Record with_present_names(const Record& row) {
  Record result;
  for (const auto& [name, value] : row.fields())
    result.set(name == "error" && std::holds_alternative<std::string>(value) ? "failure" : name, value);
  return result;
}

// A line that is no JSON at all is what a crash leaves, and may be the last one; anything else is somebody's work.
void read_rows(LineReader& reader, const std::filesystem::path& path, JournalContent& content) {
  Line line;
  std::string broken;  // the reason, when the line just read is broken
  const auto refuse = [&](std::int64_t number, const std::string& reason) {
    throw DataError(fmt::format("{}: line {}: {}", path.string(), number, reason));
  };
  while (reader.next(line)) {
    if (!broken.empty()) refuse(line.number - 1, broken);
    Record row;
    try {
      if (!line.ended) throw DataError("the line has no end");
      row = record_from_json(line.text);
    } catch (const DataError& error) {
      broken = error.what();
      continue;
    }
    if (content.verified) {
      try {
        row = record_from_json(without_checksum(line.text, content.header.fingerprint));
      } catch (const DataError& error) {
        refuse(line.number, error.what());
      }
    }
    content.rows.push_back({with_present_names(row), line.offset, line.number});
    content.whole_bytes = line.offset + static_cast<std::int64_t>(line.text.size()) + 1;
  }
  content.torn = !broken.empty();
}

// The header of the file, or nothing when the file ends within its first line: a crash when the journal began.
bool read_header(LineReader& reader, const std::filesystem::path& path, JournalContent& content) {
  Line line;
  if (!reader.next(line)) throw_not_a_journal(path);
  if (!line.ended) {
    // A header cut short is nothing lost; any other text is somebody's file.
    constexpr std::string_view kOpening = "{\"wordsway\": {\"schema\": ";
    if (std::string_view(line.text).substr(0, kOpening.size()) != kOpening) throw_not_a_journal(path);
    content.torn = true;
    return false;
  }
  content.header = parse_header_line(line.text, path);
  content.verified = content.header.schema >= kFirstSchemaWithChecksums;
  content.whole_bytes = static_cast<std::int64_t>(line.text.size()) + 1;
  if (content.header.schema > kJournalSchema)
    throw UsageError(fmt::format("{} is a journal of schema {}; this wordsway reads schema {}", path.string(),
                                 content.header.schema, kJournalSchema));
  return true;
}

std::string content_difference(const std::string& name, const Record& in_file, const Record& wanted,
                               std::string_view there) {
  const Value *theirs = in_file.find(name), *ours = wanted.find(name);
  if (theirs == nullptr) return fmt::format("it was made without {}", name);
  if (ours == nullptr) return fmt::format("it was made with {}, which this run does not have", name);
  const auto* digest = std::get_if<std::string>(ours);
  if (digest != nullptr && is_digest(*digest)) return fmt::format("the {} are others than those of {}", name, there);
  return fmt::format("its {} is {}, this run's is {}", name, value_text(in_file, name), value_text(wanted, name));
}

}  // namespace

std::string JournalIdentity::fingerprint() const {
  Digest digest;
  digest.add(command);
  for (const auto& [name, value] : config.fields()) {
    if (std::find(labels.begin(), labels.end(), name) != labels.end()) continue;
    digest.add(name);
    digest.add(value_text(config, name));
  }
  digest.add(to_json(content));
  return digest.text();
}

std::string header_line(const JournalHeader& header) {
  const JournalIdentity& identity = header.identity;
  const std::string names = to_json(Record{{"schema", header.schema},
                                           {"version", header.version},
                                           {"command", identity.command},
                                           {"labels", identity.labels}});
  Record config = identity.config;
  config.set("fingerprint", identity.fingerprint());
  return with_checksum(
      fmt::format("{{\"wordsway\": {}, \"config\": {}, \"content\": {}, \"build\": {}, \"machine\": {}}}}}",
                  names.substr(0, names.size() - 1), to_json(config), to_json(identity.content), to_json(header.build),
                  to_json(header.machine)),
      kHeaderSalt);
}

JournalHeader parse_header_line(const std::string& line, const std::filesystem::path& path) {
  if (json_fault(line, kDeepestHeader)) throw_not_a_journal(path);
  const OrderedJson json = OrderedJson::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object() || !json.contains("wordsway") || !json["wordsway"].is_object()) throw_not_a_journal(path);
  const OrderedJson& inner = json["wordsway"];
  if (!inner.contains("schema") || !inner["schema"].is_number_integer() || !inner.contains("command") ||
      !inner["command"].is_string() || !inner.contains("config"))
    throw_not_a_journal(path);
  JournalHeader header;
  header.schema = inner["schema"].get<std::int64_t>();
  if (header.schema >= kFirstSchemaWithChecksums) {
    try {
      without_checksum(line, kHeaderSalt);
    } catch (const DataError& error) {
      throw DataError(fmt::format("{}: line 1: {}", path.string(), error.what()));
    }
  }
  header.identity.command = inner["command"].get<std::string>();
  if (inner.contains("version") && inner["version"].is_string()) header.version = inner["version"].get<std::string>();
  header.identity.config = take_fingerprint(part(inner, "config"), header.fingerprint);
  header.identity.content = part(inner, "content");
  if (inner.contains("labels") && inner["labels"].is_array())
    for (const OrderedJson& label : inner["labels"])
      if (label.is_string()) header.identity.labels.push_back(label.get<std::string>());
  header.build = part(inner, "build");
  header.machine = part(inner, "machine");
  return header;
}

std::string row_line(const Record& row, const std::string& fingerprint) {
  return with_checksum(to_json(row), fingerprint);
}

JournalContent read_journal(const std::filesystem::path& path) {
  LineReader reader(path);
  JournalContent content;
  if (read_header(reader, path, content)) read_rows(reader, path, content);
  return content;
}

std::string first_difference(const JournalIdentity& in_file, const JournalIdentity& wanted, std::string_view there) {
  const auto is_label = [&](const std::string& name) {
    return std::find(wanted.labels.begin(), wanted.labels.end(), name) != wanted.labels.end();
  };
  const auto of_setting = [&](const std::string& name) {
    const std::string theirs = value_text(in_file.config, name), ours = value_text(wanted.config, name);
    return is_label(name) || theirs == ours ? "" : fmt::format("its {} is {}, this run's is {}", name, theirs, ours);
  };
  if (in_file.command != wanted.command)
    return fmt::format("its command is {}, this run's is {}", in_file.command, wanted.command);
  for (const Record* config : {&wanted.config, &in_file.config})
    for (const auto& [name, value] : config->fields())
      if (std::string difference = of_setting(name); !difference.empty()) return difference;
  for (const Record* content : {&wanted.content, &in_file.content})
    for (const auto& [name, value] : content->fields())
      if (value_text(in_file.content, name) != value_text(wanted.content, name))
        return content_difference(name, in_file.content, wanted.content, there);
  return {};
}

void check_identity(const JournalHeader& in_file, const JournalIdentity& wanted, const std::filesystem::path& path) {
  if (in_file.schema < kFirstSchemaWithChecksums)
    throw UsageError(
        fmt::format("{} is a journal of schema {}, whose rows cannot be checked against the data of this "
                    "run; choose another --out ('wordsway report' still reads it)",
                    path.string(), in_file.schema));
  const std::string difference = first_difference(in_file.identity, wanted);
  if (!difference.empty())
    throw UsageError(
        fmt::format("{} is the journal of another run: {}; choose another --out", path.string(), difference));
}

void check_journal(const std::filesystem::path& path, const JournalIdentity& wanted) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error || size == 0) return;  // what cannot be opened is refused when it is opened for writing
  LineReader reader(path);
  JournalContent content;
  if (read_header(reader, path, content)) check_identity(content.header, wanted, path);
}

}  // namespace wordsway

// The journal of a study: an append-only file of JSON Lines, the first a header that says what the rows are rows of.
// The format is described in docs/formats.md.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "wordsway/core/record.h"

namespace wordsway {

constexpr std::int64_t kJournalSchema = 1;

struct JournalHeader {
  std::int64_t schema = kJournalSchema;
  std::string version;  // of wordsway
  std::string command;
  Record config;   // everything that decides the rows
  Record build;    // what was compiled, and how
  Record machine;  // where it began
};

struct JournalRow {
  Record record;
  std::int64_t offset = 0;  // of its first byte in the file
  std::int64_t line = 0;    // from 1
};

struct JournalContent {
  JournalHeader header;
  std::vector<JournalRow> rows;
  std::int64_t whole_bytes = 0;  // up to here the file consists of whole lines
  bool torn = false;             // what follows is the beginning of a line that was never finished
};

std::string to_json(const JournalHeader& header);

/// Reads a journal. A torn last line is left out and told. Throws FileError when the file cannot be read, DataError
/// (naming file and line) when it is not a journal or has a broken line that is not the last, UsageError when it has
/// another schema.
JournalContent read_journal(const std::filesystem::path& path);

/// The first thing in which two headers differ: "command" or a key of the configuration, with both values as JSON.
struct HeaderDifference {
  std::string key, in_file, wanted;
};
/// An empty key when the rows of one may stand beside those of the other; version, build and machine may differ.
HeaderDifference first_difference(const JournalHeader& in_file, const JournalHeader& wanted);

/// A journal open for appending. Whoever has it open holds a lock: a second writer is refused.
///
/// What append() returned from survives the death of the process; at the latest a few seconds later it survives that
/// of the machine. Every member throws FileError naming the file and the reason. One object belongs to one thread.
class Journal {
 public:
  /// Opens or makes the file, and reads what is there. A new or empty file gets `header`. Throws UsageError naming the
  /// first difference when the file belongs to another command, configuration or schema, DataError when it is not a
  /// journal; it is then left as it was. A torn last line is cut off.
  Journal(const std::filesystem::path& path, const JournalHeader& header);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// What was in the file when it was opened.
  const JournalContent& found() const { return found_; }
  bool is_new() const { return is_new_; }
  const std::filesystem::path& path() const { return path_; }

  /// Cuts the file off at `offset`, the beginning of a line.
  void cut(std::int64_t offset);
  /// Appends the rows by one write. When that fails, the file is left as it was before.
  void append(const std::vector<Record>& rows);
  /// Waits until everything is on the disk.
  void sync();

 private:
  void open_locked();
  void write_whole(const std::string& text);
  [[noreturn]] void throw_cannot(const char* verb, int error) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  bool is_new_ = false;
  std::int64_t size_ = 0;
  double last_sync_ = 0;
  JournalContent found_;
};

}  // namespace wordsway

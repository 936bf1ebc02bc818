// Writing the journal of a study (io/journal.h): one row after the other, so that a kill at any moment loses at most
// the row that was being written.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "wordsway/io/journal.h"

namespace wordsway {

/// A journal open for appending. Whoever has it open holds a lock: a second writer is refused.
///
/// What append() returned from survives the death of the process; at the latest a few seconds later it survives that
/// of the machine. Every member throws FileError naming the file and the reason, also when the file was removed or
/// replaced by others meanwhile. One object belongs to one thread.
class JournalWriter {
 public:
  /// Opens or makes the file, and reads what is there. A new or empty file gets `header`. Throws UsageError naming the
  /// first difference when the file belongs to another identity or schema, DataError when it is not a journal or was
  /// changed by hand; it is then left as it was. A torn last line is cut off.
  JournalWriter(const std::filesystem::path& path, const JournalHeader& header);
  ~JournalWriter();
  JournalWriter(const JournalWriter&) = delete;
  JournalWriter& operator=(const JournalWriter&) = delete;

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
  void check_in_place() const;
  void write_whole(const std::string& text);
  [[noreturn]] void throw_cannot(const char* verb, int error) const;

  std::filesystem::path path_;
  std::string fingerprint_;
  int descriptor_ = -1;
  bool is_new_ = false;
  std::int64_t size_ = 0;
  double last_sync_ = 0;
  JournalContent found_;
};

}  // namespace wordsway

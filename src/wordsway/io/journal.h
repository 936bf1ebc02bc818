// The journal of a study: an append-only file of JSON Lines, the first a header that says what the rows are rows of.
// The format is described in docs/formats.md; io/journal_writer.h writes it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "wordsway/core/record.h"

namespace wordsway {

constexpr std::int64_t kJournalSchema = 2;

/// What the rows of a journal depend on. Two runs with the same fingerprint give the same rows.
struct JournalIdentity {
  std::string command;
  Record config;                    // the settings, as a user names them
  Record content;                   // digests of everything that is read, and methods: name and value
  std::vector<std::string> labels;  // fields of config that only name what `content` identifies, such as paths

  /// The digest of command, settings (labels aside) and content.
  std::string fingerprint() const;
};

struct JournalHeader {
  std::int64_t schema = kJournalSchema;
  std::string version;  // of wordsway
  JournalIdentity identity;
  std::string fingerprint;  // of the identity; empty in journals of an older schema
  Record build;             // what was compiled, and how
  Record machine;           // where it began
};

struct JournalRow {
  Record record;
  std::int64_t offset = 0;  // of its first byte in the file
  std::int64_t line = 0;    // from 1
};

struct JournalContent {
  JournalHeader header;
  std::vector<JournalRow> rows;
  bool verified = true;          // false: of a schema without checksums, so rows may be anything
  std::int64_t whole_bytes = 0;  // up to here the file consists of whole lines
  bool torn = false;             // what follows is the beginning of a line that was never finished
};

/// The header's line, without its newline, and back. Throws DataError naming `path` when it is not such a line or was
/// changed.
std::string header_line(const JournalHeader& header);
JournalHeader parse_header_line(const std::string& line, const std::filesystem::path& path);
/// A row's line likewise. Its checksum is salted with the fingerprint of its journal, so that a row of another journal
/// does not pass.
std::string row_line(const Record& row, const std::string& fingerprint);

/// Reads a journal and checks every line. A torn last line is left out and told. A journal of an older schema is read
/// as not verified, the reason of a failed trial under its present name. Throws FileError when the file cannot be read,
/// DataError (naming file and line) when it is not a journal, a line was changed after it was written, or a broken line
/// is not the last, UsageError when the schema is newer than this program.
JournalContent read_journal(const std::filesystem::path& path);

/// The first difference that keeps rows of one from standing beside those of the other, as a sentence about what is in
/// the file and what is wanted: "its trials is 5, this run's is 6", "the weights in model.safetensors are others than
/// those of this journal". Empty when there is none. `there` is what the sentence calls the file.
std::string first_difference(const JournalIdentity& in_file, const JournalIdentity& wanted,
                             std::string_view there = "this journal");

/// Throws UsageError when rows of a run with the identity `wanted` may not stand behind this header: an older schema,
/// or a difference, which is named.
void check_identity(const JournalHeader& in_file, const JournalIdentity& wanted, const std::filesystem::path& path);

/// Throws UsageError with the first difference when there is a journal at `path` that a run with this identity may not
/// go on from, DataError when the file is not a journal. Only the header is read. No file, or an empty one, is fine.
void check_journal(const std::filesystem::path& path, const JournalIdentity& wanted);

}  // namespace wordsway

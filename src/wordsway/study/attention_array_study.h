// The study behind `wordsway attention --out FOLDER`: the attention of every text of a corpus, one array for each.
//
// A task is one text. It writes FOLDER/000042.npy, float32, [layers, heads, n, n], and then gives a row with the digest
// of that file, so that a text whose row is in the journal had its file on the disk before.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <set>

#include "wordsway/audit/attention.h"
#include "wordsway/core/progress.h"
#include "wordsway/run/study.h"
#include "wordsway/text/corpus/encoded_texts.h"

namespace wordsway {

struct AttentionArrayConfig {
  std::shared_ptr<const Transformer> transformer;
  EncodedTexts texts;
  std::string layer, head;       // as parse_attention takes them
  std::filesystem::path folder;  // must be there
};

/// The row of a text: text (its number), n, file, shape, digest.
class AttentionArrayStudy final : public Study {
 public:
  /// Throws what parse_attention throws, and UsageError if there is no text.
  explicit AttentionArrayStudy(AttentionArrayConfig config);

  std::string command() const override { return "attention"; }
  Record config() const override;
  StudyContent content() const override;
  Index size() const override { return config_.texts.size(); }
  Record key(Index task) const override { return {{"text", static_cast<std::int64_t>(task)}}; }
  double memory_bytes(Index task) const override;
  double work(Index task) const override;
  std::vector<Record> run(Index task) const override;

  /// Writes again what is missing or changed of the files that these rows, one for each text, tell of, and returns how
  /// many those were. Files that this object has written itself are not read. Rows that failed have no file. Throws
  /// DataError when a file that was written again is not the one of its row: the row then came from another build or
  /// machine, whose rounding differs.
  Index restore(const std::vector<Record>& rows, const Progress& progress = {}) const;

 private:
  std::filesystem::path file_of(Index text) const;
  Record write(Index text) const;

  AttentionArrayConfig config_;
  AttentionPart part_;
  mutable std::mutex mutex_;
  mutable std::set<Index> written_;
};

}  // namespace wordsway

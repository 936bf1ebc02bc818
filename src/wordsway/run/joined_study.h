// Several studies as one, for what a grid cannot express: the same measurement on different data or layers of a model.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "wordsway/run/study.h"

namespace wordsway {

struct StudyPart {
  Value label;
  std::shared_ptr<const Study> study;
};

/// The tasks of all parts, one part after the other. Every key and row begins with `field`, the label of its part.
class JoinedStudy final : public Study {
 public:
  /// Labels are different texts or integers. Throws UsageError if there is no part or one without a study.
  JoinedStudy(std::string field, std::vector<StudyPart> parts);

  std::string command() const override { return parts_.front().study->command(); }
  /// First the settings that all parts share, then those that differ, numbered by part.
  Record config() const override;
  StudyContent content() const override;
  Index size() const override { return begins_.back(); }
  Record key(Index task) const override;
  double memory_bytes(Index task) const override;
  Index row_count(Index task) const override;
  double work(Index task) const override;
  std::string kind(Index task) const override;
  std::vector<Record> run(Index task) const override;

 private:
  struct Place {
    const StudyPart& part;
    Index task;
  };
  Place place(Index task) const;
  Record labelled(const StudyPart& part, const Record& row) const;

  std::string field_;
  std::vector<StudyPart> parts_;
  std::vector<Index> begins_;  // of each part, and the end
};

}  // namespace wordsway

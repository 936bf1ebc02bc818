// Where the tokens of texts look, printed text by text as one document.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wordsway/audit/attention.h"

namespace wordsway::app {

/// Prints to standard output what is added, at once: squares for people, a CSV with a row for every pair of tokens,
/// JSON Lines with an object for every text. In JSON that is an array of these objects, or the object where there is
/// one.
class AttentionRows {
 public:
  /// `asked` are the fields that objects have besides: layer, head; token and direction where one moves.
  AttentionRows(std::string format, Record asked);

  /// The next text.
  void add(const TextAttention& result);
  /// The end of the document.
  void finish();

 private:
  void print_squares(const TextAttention& result) const;
  void print_object(const std::string& object);

  std::string format_;
  Record asked_;
  Index texts_ = 0;
  std::optional<std::string> first_;  // of a JSON document, which is an array only where a second one comes
};

}  // namespace wordsway::app

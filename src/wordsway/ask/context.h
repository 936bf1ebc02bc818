// Everything a question uses besides its request, and the place its answer goes to. Each front end has its own context;
// a question neither prints nor reads a stream, and does not know who asks.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wordsway/ask/fields.h"
#include "wordsway/core/device.h"
#include "wordsway/core/progress.h"
#include "wordsway/core/record.h"
#include "wordsway/draw/chart.h"
#include "wordsway/run/run_study.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {

/// How to run a study: its journal, its memory limit, and whether only to estimate the cost. Every request that
/// computes for long includes it; Context::run does the rest.
struct RunChoice {
  std::string out;               // the journal; empty for none
  bool dry_run = false;          // estimate the cost instead
  std::optional<double> memory;  // bytes; by default most of what there is

  /// `out` is the name of the journal's field; a question whose `out` is another file chooses its own.
  static void describe(Fields<RunChoice>& fields, const std::string& out = "out");
};

/// A text with coloured spans; a larger share gives a deeper colour.
struct ColouredText {
  struct Span {
    Index begin, end;  // code points
    double share;      // 0 to 1
  };
  std::string text;
  std::vector<Span> spans;
};

/// The answer for one of several texts or prompts. Each form is made when a front end asks for it; `rows` is required.
struct Part {
  std::function<std::vector<Record>()> rows;
  std::function<std::string()> object = {};                    // JSON, if it is more than a list of rows
  std::function<std::string()> csv = {};                       // with a header; by default made from the rows
  std::function<std::vector<Record>()> people = {};            // if people get other rows
  std::function<std::string()> table = {};                     // for people; by default made from the rows
  std::function<std::optional<ColouredText>()> coloured = {};  // shown above the table
  std::map<std::string, NpyArray> arrays = {};                 // numbers that a caller may want as arrays
  std::function<Chart()> chart = {};                           // of this text alone, if there is one
};

/// What an answer of parts says about all of them.
struct PartsEnd {
  std::map<std::string, Record> summaries = {};  // keys beside the rows: JSON is then an object, not a list of rows
  std::string lines = {};                        // for people, below the table
};

/// How to put the parts of an answer together in one document.
struct PartsStyle {
  std::optional<size_t> count = {};  // of parts, if known
  bool as_objects = false;           // JSON has an object for each part instead of one list of all rows
  bool one_table = false;            // one table of all rows instead of a table for each part
};

/// Receives each task and its rows as they come, those of the journal first. One call at a time.
using SeeRows = std::function<void(Index task, const std::vector<Record>& rows)>;

struct RunHooks {
  SeeRows see = {};
  bool tells_progress = false;    // the only task reports its own progress
  bool shows_rows = true;         // whether the study's rows are the rows of the answer
  std::string on_interrupt = {};  // says what Ctrl-C does to a task that can end early; if empty, it ends a single task
};

class Context {
 public:
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  virtual ~Context() = default;

  /// Opens the model unless it is open already. An empty choice means `usual`.
  std::shared_ptr<const Model> model(const ModelChoice& choice, const Device& device = {},
                                     const std::string& usual = "builtin");

  /// Opens only the tokenizer: a folder may hold nothing else.
  std::shared_ptr<const Tokenizer> tokenizer(const ModelChoice& choice);

  /// Tells people something they should know. Names of fields stand in braces.
  virtual void warn(const std::string& sentence) = 0;
  /// Reports the progress of work that is not a study, or of a study's only task.
  virtual Progress progress() = 0;
  /// Whether the work should end now (Ctrl-C). Asked between steps; finished work is kept.
  virtual bool stopped() const { return false; }
  /// Whether this process answers. If several share a study, only the first one does.
  virtual bool leads() const { return true; }
  /// Whether several processes share the tasks of a study.
  virtual bool is_shared() const { return false; }
  /// Whether a picture is wanted. A question can then refuse what it cannot draw before it computes.
  virtual bool wants_chart() const { return false; }
  /// Whether arrays that no row holds are wanted.
  virtual bool wants_arrays() const { return false; }
  /// Throws UsageError if a text is longer than the front end can wait for.
  virtual void check_length(Index /*tokens*/) const {}
  /// Whether the page of `serve` asks. A question may refuse what would take too long there.
  virtual bool is_page() const { return false; }
  /// Throws UsageError if there are more results than the front end takes.
  virtual void check_results(Index /*results*/) const {}

  /// Runs the study with journal, resume, estimate, progress, Ctrl-C and the processes of a group. Returns nothing
  /// after a dry run and in processes that do not lead. Throws DataError if every task failed.
  virtual std::optional<StudyResult> run(const Study& study, const RunChoice& choice, const RunHooks& hooks = {}) = 0;
  /// Runs a study of a single result that leaves more than its row. `wanted` says whether that is there. If the row
  /// came from a journal, nothing was computed, and the study runs again.
  virtual std::optional<StudyResult> run_for(const Study& study, const RunChoice& choice,
                                             const std::function<bool()>& wanted) = 0;

  // An answer in parts, which are handed on as they are made.

  virtual void begin_parts(const PartsStyle& style) = 0;
  /// Hands on part `number`, counted from 0. Parts may come in any order.
  virtual void add_part(size_t number, Part part) = 0;
  virtual void finish_parts(const PartsEnd& end = {}) = 0;
  /// Shows a row as far as it is known. The row will come again.
  virtual void preview(const Record& /*row*/) {}
  /// Shows text that a model has just written, for side "a" or "b".
  virtual void text(std::string_view /*side*/, std::string_view /*more*/) {}
  /// Whether people watch the text grow, so that it must not be printed again.
  virtual bool shows_text() const { return false; }

 protected:
  virtual std::shared_ptr<const Model> open(const std::string& name, const Device& device) = 0;
  virtual std::shared_ptr<const Tokenizer> open_tokenizer(const std::string& name);
};

}  // namespace wordsway

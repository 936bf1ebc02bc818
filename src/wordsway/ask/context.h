// What a question may use besides its request, and where its answer goes. Each front end has one: a question neither
// prints nor reads a stream, and does not know who asks.
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
#include "wordsway/run/run_study.h"
#include "wordsway/text/tokenizer/tokenizer.h"

namespace wordsway {

/// How a study is run: its journal, its memory, and asking what it would cost. Part of every request that computes for
/// long; Context::run does the rest.
struct RunChoice {
  std::string out;       // the journal; empty: none
  bool dry_run = false;  // say what it would cost instead
  double memory = 0;     // bytes; 0: most of what there is

  static void describe(Fields<RunChoice>& fields);
};

/// A text whose parts are coloured, the larger their share the deeper.
struct ColouredText {
  struct Span {
    Index begin, end;  // code points
    double share;      // 0 to 1
  };
  std::string text;
  std::vector<Span> spans;
};

/// What belongs to one text or prompt of several. Each form is made where it is wanted; `rows` must be there.
struct Part {
  std::function<std::vector<Record>()> rows;
  std::function<std::string()> object = {};              // as JSON, where that is more than a list of rows
  std::function<std::string()> csv = {};                 // with a header; by default that of the rows
  std::function<std::vector<Record>()> people = {};      // rows for people, where these are other rows
  std::function<std::string()> table = {};               // for people; by default that of the rows
  std::function<std::optional<ColouredText>()> coloured = {};  // shown above the table
  std::map<std::string, NpyArray> arrays = {};           // numbers that a caller may want as such
};

/// How the parts of an answer make one document.
struct PartsStyle {
  std::optional<size_t> count = {};  // of the parts, where that is known
  bool as_objects = false;    // JSON: an object for each part, and the object itself where there is one part; else one list of all rows
  bool one_table = false;     // all rows in one table; else a table for each part
};

/// Rows of a study as they come: the task and its rows, those of the journal first; one call at a time.
using SeeRows = std::function<void(Index task, const std::vector<Record>& rows)>;

struct RunHooks {
  SeeRows see = {};
  bool tells_progress = false;    // the only task tells its progress itself
  bool shows_rows = true;         // whether the study's rows are those of the answer
  std::string on_interrupt = {};  // what Ctrl-C does to a task that can end early; empty: it ends a single task at once
};

class Context {
 public:
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  virtual ~Context() = default;

  /// The model, opened where it is not open yet; an empty choice means `usual`.
  std::shared_ptr<const Model> model(const ModelChoice& choice, const Device& device = {},
                                     const std::string& usual = "builtin");

  /// Its tokenizer alone: a folder may hold nothing else.
  std::shared_ptr<const Tokenizer> tokenizer(const ModelChoice& choice);

  /// Tells people something they should know.
  virtual void warn(const std::string& sentence) = 0;
  /// Progress of work that is not a study, or of the only task of one.
  virtual Progress progress() = 0;
  /// Whether the work should end now (Ctrl-C); what was done by then is kept. Asked between steps.
  virtual bool stopped() const { return false; }
  /// Whether this process answers: of several that share a study, the first one.
  virtual bool leads() const { return true; }
  /// Whether a picture is asked for, so that a question can refuse what cannot be drawn before it computes.
  virtual bool wants_chart() const { return false; }
  /// Whether arrays that no row holds are asked for.
  virtual bool wants_arrays() const { return false; }
  /// Throws UsageError where a text is longer than the front end can wait for.
  virtual void check_length(Index /*tokens*/) const {}
  /// Whether somebody waits before a page for the answer, so that a question refuses what would take too long.
  virtual bool is_page() const { return false; }
  /// Throws UsageError where there are more results than the front end takes.
  virtual void check_results(Index /*results*/) const {}

  /// Runs the study with journal, resume, estimate, progress, Ctrl-C and the processes of a group. Nothing where there
  /// is nothing to answer: after a dry run, and in processes that do not lead. Throws DataError when every task failed.
  virtual std::optional<StudyResult> run(const Study& study, const RunChoice& choice, const RunHooks& hooks = {}) = 0;
  /// The study of a single result of which more is wanted than its row: `wanted` says whether it is there. Where the row
  /// came from a journal, nothing was computed, and the study is run again for it.
  virtual std::optional<StudyResult> run_for(const Study& study, const RunChoice& choice,
                                             const std::function<bool()>& wanted) = 0;

  // An answer of many parts, which are handed on as they are made.

  virtual void begin_parts(const PartsStyle& style) = 0;
  /// Part `number`, from 0, in any order.
  virtual void add_part(size_t number, Part part) = 0;
  virtual void finish_parts() = 0;
  /// A row as far as it is known; it will come again.
  virtual void preview(const Record& /*row*/) {}
  /// Text that a model has just written, for one of the sides "a" and "b".
  virtual void text(std::string_view /*side*/, std::string_view /*more*/) {}
  /// Whether people watch the text grow, and it is not to be printed again.
  virtual bool shows_text() const { return false; }

 protected:
  virtual std::shared_ptr<const Model> open(const std::string& name, const Device& device) = 0;
  virtual std::shared_ptr<const Tokenizer> open_tokenizer(const std::string& name);
};

}  // namespace wordsway

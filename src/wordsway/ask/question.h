// A question is anything wordsway answers with rows. Each is one file in ask/questions/, which the build finds; every
// front end walks over the registry (docs/adding_a_question.md).
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "wordsway/ask/context.h"
#include "wordsway/ask/fields.h"
#include "wordsway/core/registry.h"
#include "wordsway/draw/chart.h"
#include "wordsway/figures/bands.h"

namespace wordsway {

/// Describes a question to people.
struct Guide {
  int order = 1000;          // position in lists
  std::string summary;       // one line
  std::string examples;      // lines of a shell, indented by two
  std::string columns = {};  // what the columns mean, for the end of the help
  std::string chart = {};    // what the picture shows; empty: there is none
  bool chart_has_bands = false;
  bool quick = false;                          // takes moments, so it need not wait for other jobs
  bool shared = false;                         // processes share the work although it is not always a study
  std::vector<std::string> row_keys = {};      // keys of every row
  std::vector<std::string> data_columns = {};  // keys that tables leave out
};

/// The answer to a question. Each form is made when a front end asks for it.
struct Answer {
  enum class Shape {
    kNothing,   // a dry run, or another process answers
    kRows,      // a list of rows
    kRow,       // one row by itself
    kParts,     // the context already has them
    kDocument,  // `json`, `table` and `rows` say what it is
  };
  Shape shape = Shape::kNothing;
  Record config = {};                                // of a study
  std::vector<Record> rows = {};                     // all rows, except those of parts
  std::function<std::string()> json = {};            // a document, if it holds more than the rows
  std::function<std::string(int width)> table = {};  // for people, if it holds more than the rows
  std::function<std::vector<Record>()> csv = {};     // if CSV differs from the rows
  std::function<Chart(Bands)> chart = {};            // throws UsageError or DataError if there is nothing to draw
  std::map<std::string, NpyArray> arrays = {};       // numbers that a caller may want as arrays
  std::vector<Record> fits = {};
  Record details = {};                                                 // what a front end may show besides the rows
  std::map<std::string, std::function<std::string()>> documents = {};  // further forms by name, such as html
  std::string annotations = {};                                        // lines for a program that reads stderr
  std::string failure = {};                                            // why a check failed; the exit code is then 1
  std::string interrupted = {};  // why the answer ends early; the exit code is then 130
};

/// A request of any type, while its fields are being set.
class AnyRequest {
 public:
  AnyRequest(const FieldTable& table, std::shared_ptr<void> request) : table_(&table), request_(std::move(request)) {}

  /// Throws UsageError if the field refuses the value.
  void set(const AnyField& field, const Given& given);
  /// Runs the checks across fields.
  void check() const;

  const void* get() const { return request_.get(); }
  const GivenNames& given() const { return given_; }

 private:
  const FieldTable* table_;
  std::shared_ptr<void> request_;
  GivenNames given_;
};

class Question {
 public:
  virtual ~Question() = default;

  const Guide& guide() const { return guide_; }
  const FieldTable& fields() const { return fields_; }
  /// Whether all processes of a group take part; otherwise the first one answers alone.
  bool is_shared() const { return guide_.shared || fields_.find("dry_run") != nullptr; }

  virtual AnyRequest request() const = 0;
  /// Checks the request and answers it.
  virtual Answer answer(const AnyRequest& request, Context& context) const = 0;

 protected:
  explicit Question(Guide guide) : guide_(std::move(guide)) {}

  Guide guide_;
  FieldTable fields_;
};

/// A question about a `Request`, which has a static describe(Fields<Request>&).
template <typename Request>
class QuestionAbout final : public Question {
 public:
  using Function = Answer (*)(const Request&, Context&);

  QuestionAbout(Guide guide, Function function) : Question(std::move(guide)), function_(function) {
    Fields<Request> fields(fields_);
    Request::describe(fields);
  }

  AnyRequest request() const override { return {fields_, std::make_shared<Request>()}; }
  Answer answer(const AnyRequest& request, Context& context) const override {
    request.check();
    return function_(*static_cast<const Request*>(request.get()), context);
  }

 private:
  Function function_;
};

using QuestionRegistry = Registry<std::shared_ptr<const Question>>;
extern template class Registry<std::shared_ptr<const Question>>;
/// All questions. Built on first use; thread-safe.
const QuestionRegistry& question_registry();

/// The names of all questions, in the order of lists.
std::vector<std::string> question_names();

/// Registers a question from its guide and its function.
template <typename Request>
void add_question(QuestionRegistry& registry, const std::string& name, Guide guide,
                  Answer (*function)(const Request&, Context&)) {
  registry.add(name, std::make_shared<const QuestionAbout<Request>>(std::move(guide), function));
}

// The shapes of most answers.

/// A list of rows.
Answer rows_answer(std::vector<Record> rows);
/// A single row.
Answer row_answer(Record row);
/// Parts that were handed to the context.
Answer parts_answer();

/// Formats an answer as json, jsonl, csv or, for people, as a table of lines up to `width` characters. Parts have a
/// format of their own.
std::string format_answer(const Question& question, const Answer& answer, const std::string& format, int width);

/// The rows without the columns that people are not shown.
std::vector<Record> for_people(const Question& question, std::vector<Record> rows);

}  // namespace wordsway

// Answers every question by its name: values in, an answer out. The build writes wordsway/_questions.py, which gives
// each question a function with its keywords.
#include <condition_variable>
#include <deque>
#include <mutex>
#include <stop_token>
#include <thread>

#include <nanobind/stl/function.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <unistd.h>

#include "calls.h"
#include "model_handle.h"
#include "python_context.h"
#include "wordsway/ask/question.h"
#include "wordsway/core/error.h"
#include "wordsway/core/stop.h"
#include "wordsway/core/suggestion.h"
#include "wordsway/draw/svg.h"
#include "wordsway/io/row_text.h"

namespace wordsway::python {
namespace {

std::string keyword_of(const FieldInfo& field) {
  return field.name_in(FrontEnd::kPython);
}

std::string in_python(std::string_view sentence, const Question& question) {
  return spelled(sentence, question.fields().infos(), [](const FieldInfo& field) {
    return keyword_of(field) + (field.is_negated_in_python() ? "=False" : "");
  });
}

// Runs `work` and spells fields in its errors as Python does.
template <typename Work>
auto with_keywords(const Question& question, const Work& work) {
  try {
    return work();
  } catch (const UsageError& error) {
    throw UsageError(in_python(error.what(), question));
  } catch (const DataError& error) {
    throw DataError(in_python(error.what(), question));
  }
}

// Values. wordsway/_arguments.py has made them Python's own types.

Given number_of(nb::handle value) {
  int overflow = 0;
  const long long whole = PyLong_AsLongLongAndOverflow(value.ptr(), &overflow);
  if (overflow == 0) return std::int64_t{whole};
  return overflow > 0 ? HUGE_VAL : -HUGE_VAL;
}

template <typename T>
Given list_of(nb::handle list) {
  std::vector<T> values;
  for (const nb::handle entry : list) values.push_back(nb::cast<T>(entry));
  return values;
}

Given list_given(const FieldInfo& field, nb::handle list) {
  bool texts = true, wholes = true, numbers = true;
  for (const nb::handle entry : list) {
    const bool is_whole = nb::isinstance<nb::int_>(entry) && !nb::isinstance<nb::bool_>(entry) &&
                          std::holds_alternative<std::int64_t>(number_of(entry));
    texts = texts && nb::isinstance<nb::str>(entry);
    wholes = wholes && is_whole;
    numbers = numbers && (is_whole || nb::isinstance<nb::float_>(entry));
  }
  if (nb::len(list) == 0) return std::vector<double>();
  if (texts) return list_of<std::string>(list);
  if (wholes) return list_of<std::int64_t>(list);
  if (numbers) return list_of<double>(list);
  throw UsageError("{" + field.name + "} must be a list of texts or of numbers");
}

Given given_of(const FieldInfo& field, nb::handle value) {
  if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value) != field.is_negated_in_python();
  if (nb::isinstance<nb::int_>(value)) return number_of(value);
  if (nb::isinstance<nb::float_>(value)) return nb::cast<double>(value);
  if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
  if (nb::isinstance<nb::bytes>(value)) return path_of(nb::borrow<nb::bytes>(value));
  if (nb::isinstance<nb::list>(value)) return list_given(field, value);
  if (nb::isinstance<ModelHandle>(value)) return nb::cast<const ModelHandle&>(value).model;
  const auto array = nb::cast<DoubleArray>(value);
  return NpyArray{shape_of(array), {array.data(), array.data() + array.size()}};
}

AnyRequest request_of(const Question& question, nb::dict values) {
  AnyRequest request = question.request();
  std::vector<std::string> known;
  for (const AnyField& field : question.fields().fields) {
    if (!field.info.is_for(FrontEnd::kPython)) continue;
    known.push_back(keyword_of(field.info));
    if (values.contains(known.back().c_str())) request.set(field, given_of(field.info, values[known.back().c_str()]));
  }
  for (const nb::handle name : values.keys()) {
    const auto text = nb::cast<std::string>(name);
    if (std::ranges::find(known, text) == known.end()) throw UsageError(unknown_name("keyword", text, known));
  }
  return request;
}

// Answers.

struct PythonAnswer {
  std::string name;  // of the question
  std::shared_ptr<const Question> question;
  Answer answer;
  CollectedParts parts;
  std::vector<std::string> remarks;

  bool in_parts() const { return parts.any_expected(); }
  std::vector<Record> rows() const { return in_parts() ? parts.rows() : answer.rows; }
  std::string json() const { return in_parts() ? parts.json() : format_answer(*question, answer, "json", 100); }
  std::string csv() const {
    return in_parts() ? format_rows(parts.rows(), "csv") : format_answer(*question, answer, "csv", 100);
  }
  // The picture of a part, or of the whole answer; nothing if there is none.
  std::optional<Chart> chart(std::optional<size_t> part) const {
    try {
      if (part) {
        const auto found = parts.parts().find(*part);
        return found == parts.parts().end() || !found->second.chart ? std::optional<Chart>() : found->second.chart();
      }
      return answer.chart ? std::optional(answer.chart(Bands::kDeviation)) : std::nullopt;
    } catch (const Error&) {  // there is nothing to compare, or nothing was measured
      return std::nullopt;
    }
  }
  std::optional<std::string> svg(std::optional<size_t> part) const {
    const auto found = chart(part);
    return found ? std::optional(draw_svg(*found, SvgUse::kFile).markup) : std::nullopt;
  }
  // The bytes of a file with this ending.
  nb::object picture(const std::string& ending, std::optional<size_t> part) const {
    const auto found = chart(part);
    if (!found) return nb::none();
    const std::string bytes = picture_bytes(*found, {.path = "picture" + ending});
    return nb::bytes(bytes.data(), bytes.size());
  }
  std::string table(int width) const {
    if (!in_parts()) return format_answer(*question, answer, "table", width);
    return parts.table([this](std::vector<Record> rows) { return for_people(*question, std::move(rows)); });
  }
};

nb::dict to_python(const std::map<std::string, NpyArray>& arrays) {
  nb::dict result;
  for (const auto& [name, array] : arrays) result[name.c_str()] = array_of(array);
  return result;
}

template <typename Of>
nb::list for_each_part(const PythonAnswer& answer, const Of& of) {
  nb::list result;
  for (const auto& [number, part] : answer.parts.parts()) result.append(of(part));
  return result;
}

using Open = nb::callable;

PythonContext::Settings settings_of(const Question& question, const Open& open) {
  PythonContext::Settings settings;
  settings.spell = [&question](std::string_view sentence) { return in_python(sentence, question); };
  settings.open = [&open](const std::string& name, const Device& device) {
    const nb::gil_scoped_acquire with_gil;
    const nb::object handle =
        open(wordsway::python::to_python(std::string_view(name)), to_string(device.kind), to_string(device.precision));
    return nb::cast<const ModelHandle&>(handle).model;
  };
  return settings;
}

PythonAnswer answered(const std::string& name, const std::shared_ptr<const Question>& question,
                      const AnyRequest& request, PythonContext::Settings settings) {
  return with_keywords(*question, [&] {
    PythonContext context(std::move(settings));
    PythonAnswer result{name, question, question->answer(request, context), {}, {}};
    if (!result.answer.interrupted.empty()) throw Stopped(result.answer.interrupted);
    result.parts = context.parts();
    result.remarks = context.remarks();
    return result;
  });
}

PythonAnswer ask(const std::string& name, nb::dict values, const Open& open, nb::handle progress) {
  const auto question = question_registry().get(name);
  const AnyRequest request = with_keywords(*question, [&] { return request_of(*question, values); });
  return released(progress, [&](const Progress& tell) {
    PythonContext::Settings settings = settings_of(*question, open);
    settings.progress = tell;
    return answered(name, question, request, std::move(settings));
  });
}

void check(const std::string& name, nb::dict values) {
  const auto question = question_registry().get(name);
  with_keywords(*question, [&] { request_of(*question, values).check(); });
}

// An answer whose text grows on a thread of its own, and is taken away piece by piece.
class GrowingAnswer {
 public:
  GrowingAnswer(const std::string& name, nb::dict values, Open open)
      : name_(name), question_(question_registry().get(name)), open_(std::move(open)) {
    const AnyRequest request = with_keywords(*question_, [&] { return request_of(*question_, values); });
    with_keywords(*question_, [&] { request.check(); });
    worker_ = std::jthread([this, request](std::stop_token token) { grow(request, std::move(token)); });
  }
  ~GrowingAnswer() { close(); }
  GrowingAnswer(const GrowingAnswer&) = delete;
  GrowingAnswer& operator=(const GrowingAnswer&) = delete;

  // Returns nothing when the text has ended, or was closed, perhaps by another thread.
  std::optional<std::string> next() {
    if (getpid() != process_) throw UsageError("the stream belongs to the process that started it, not to its child");
    std::optional<std::string> piece;
    wait_released([&](int milliseconds) {
      std::unique_lock lock(mutex_);
      const auto come = [&] { return ended_ || !pieces_.empty(); };
      if (!changed_.wait_for(lock, std::chrono::milliseconds(milliseconds), come)) return false;
      if (pieces_.empty()) return true;
      piece = std::move(pieces_.front());
      pieces_.pop_front();
      return true;
    });
    if (piece) return piece;
    const std::exception_ptr failure = [this] {
      const std::lock_guard lock(mutex_);
      return closed_ ? nullptr : std::exchange(failure_, nullptr);
    }();
    if (failure) std::rethrow_exception(failure);
    return std::nullopt;
  }

  void close() {
    const nb::gil_scoped_release without_gil;
    if (getpid() != process_) {  // a forked child, which does not have the worker
      if (worker_.joinable()) worker_.detach();
      return;
    }
    {
      const std::lock_guard lock(mutex_);
      closed_ = true;
    }
    worker_.request_stop();
    const std::lock_guard lock(joining_);
    if (worker_.joinable()) worker_.join();
  }

  // None until the text has ended by itself.
  nb::object rows() {
    const std::lock_guard lock(mutex_);
    return ended_ && answer_ ? nb::object(wordsway::python::to_python(answer_->rows())) : nb::none();
  }

 private:
  void grow(const AnyRequest& request, std::stop_token token) {
    const StopScope scope(std::move(token));
    PythonContext::Settings settings = settings_of(*question_, open_);
    settings.text = [this](std::string_view piece) {
      const std::lock_guard lock(mutex_);
      if (!piece.empty()) pieces_.emplace_back(piece);
      changed_.notify_one();
    };
    std::optional<PythonAnswer> answer;
    std::exception_ptr failure;
    try {
      answer = answered(name_, question_, request, std::move(settings));
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    answer_ = std::move(answer);
    failure_ = failure;
    ended_ = true;
    changed_.notify_one();
  }

  std::string name_;
  std::shared_ptr<const Question> question_;
  Open open_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::string> pieces_;
  bool ended_ = false, closed_ = false;
  const pid_t process_ = getpid();
  std::mutex joining_;
  std::optional<PythonAnswer> answer_;
  std::exception_ptr failure_;
  std::jthread worker_;  // last: it uses the others
};

// The table of questions.

const char* kind_name(const FieldInfo& field) {
  switch (field.kind) {
    case FieldKind::kFlag:
      return "flag";
    case FieldKind::kWhole:
      return "whole";
    case FieldKind::kNumber:
      return "number";
    case FieldKind::kText:
      return "text";
    case FieldKind::kChoice:
      return "choice";
    case FieldKind::kLabel:
      return "label";
    case FieldKind::kBytes:
      return "bytes";
    case FieldKind::kWholes:
      return "wholes";
    case FieldKind::kNumbers:
      return "numbers";
    case FieldKind::kNames:
      return "names";
    case FieldKind::kTexts:
      return "texts";
    case FieldKind::kModel:
      return "model";
    case FieldKind::kArray:
      return "array";
    default:
      return "path";
  }
}

nb::dict describe(const AnyField& field, const void* defaults) {
  const FieldInfo& info = field.info;
  nb::dict result;
  result["name"] = keyword_of(info);
  result["kind"] = kind_name(info);
  result["help"] = info.help;
  result["default"] = info.is_negated_in_python() ? "true" : field.show(defaults);
  result["default_text"] = info.default_text;
  result["choices"] =
      nb::cast(info.kind == FieldKind::kChoice && info.strict ? info.choices : std::vector<std::string>());
  result["is_argument"] = !info.argument.empty();
  result["is_first"] = info.first_in_python;
  return result;
}

nb::dict describe(const std::string& name) {
  const Question& question = *question_registry().get(name);
  const AnyRequest defaults = question.request();
  nb::list fields;
  for (const AnyField& field : question.fields().fields)
    if (field.info.is_for(FrontEnd::kPython) && !field.info.hidden) fields.append(describe(field, defaults.get()));
  nb::dict result;
  result["name"] = name;
  result["summary"] = question.guide().summary;
  result["row_keys"] = nb::cast(question.guide().row_keys);
  result["fields"] = fields;
  return result;
}

}  // namespace

void bind_ask(nb::module_& module) {
  using namespace nb::literals;
  nb::class_<PythonAnswer>(module, "Answer")
      .def_ro("question", &PythonAnswer::name)
      .def_prop_ro("rows", [](const PythonAnswer& answer) { return to_python(answer.rows()); })
      .def_prop_ro("parts",
                   [](const PythonAnswer& answer) {
                     return for_each_part(answer, [](const Part& part) { return to_python(part.rows()); });
                   })
      .def_prop_ro("part_texts",
                   [](const PythonAnswer& answer) {
                     return for_each_part(answer, [](const Part& part) {
                       const auto text = part.coloured ? part.coloured() : std::nullopt;
                       return text ? nb::object(nb::str(text->text.c_str(), text->text.size())) : nb::none();
                     });
                   })
      .def_prop_ro("config", [](const PythonAnswer& answer) { return to_python(answer.answer.config); })
      .def_prop_ro("fits", [](const PythonAnswer& answer) { return to_python(answer.answer.fits); })
      .def_prop_ro("details", [](const PythonAnswer& answer) { return to_python(answer.answer.details); })
      .def_prop_ro("arrays", [](const PythonAnswer& answer) { return to_python(answer.answer.arrays); })
      .def_prop_ro("part_arrays",
                   [](const PythonAnswer& answer) {
                     return for_each_part(answer, [](const Part& part) { return to_python(part.arrays); });
                   })
      .def_prop_ro("remarks",
                   [](const PythonAnswer& answer) {
                     nb::list result;
                     for (const std::string& remark : answer.remarks)
                       result.append(to_python(std::string_view(remark)));
                     return result;
                   })
      .def_prop_ro("failure", [](const PythonAnswer& answer) { return answer.answer.failure; })
      .def("svg", &PythonAnswer::svg, "part"_a.none() = nb::none())
      .def("picture", &PythonAnswer::picture, "ending"_a, "part"_a.none() = nb::none())
      .def("json", &PythonAnswer::json)
      .def("table", &PythonAnswer::table, "width"_a)
      .def("csv", &PythonAnswer::csv)
      .def_prop_ro("document_names",
                   [](const PythonAnswer& answer) {
                     nb::list result;
                     for (const auto& [name, form] : answer.answer.documents) result.append(name.c_str());
                     return result;
                   })
      .def("document", [](const PythonAnswer& answer, const std::string& name) {
        const auto found = answer.answer.documents.find(name);
        return found == answer.answer.documents.end() ? std::optional<std::string>() : found->second();
      });
  nb::class_<GrowingAnswer>(module, "GrowingAnswer")
      .def(nb::init<const std::string&, nb::dict, Open>(), "question"_a, "values"_a, "open"_a)
      .def("next", &GrowingAnswer::next)
      .def("close", &GrowingAnswer::close)
      .def("rows", &GrowingAnswer::rows);
  module.def("ask", &ask, "question"_a, "values"_a, "open"_a, "progress"_a.none());
  module.def("check", &check, "question"_a, "values"_a);
  module.def("questions", [] {
    nb::list result;
    for (const std::string& name : question_names()) result.append(describe(name));
    return result;
  });
}

}  // namespace wordsway::python

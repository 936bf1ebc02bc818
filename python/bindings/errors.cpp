// The library's errors as Python's (wordsway/errors.py), and rows as text.
#include <cctype>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "calls.h"
#include "wordsway/core/error.h"
#include "wordsway/core/kernels.h"
#include "wordsway/core/parallel.h"
#include "wordsway/io/row_text.h"
#include "wordsway/run/machine.h"

namespace wordsway::python {
namespace {

// The library's sentences name options as the program does; in Python --radius-unit is the argument radius_unit.
std::string in_python(std::string_view sentence) {
  std::string result;
  for (size_t k = 0; k < sentence.size();) {
    const bool begins = sentence.substr(k).starts_with("--") && k + 2 < sentence.size() &&
                        std::islower(static_cast<unsigned char>(sentence[k + 2])) != 0 &&
                        (k == 0 || sentence[k - 1] == ' ' || sentence[k - 1] == '(');
    if (!begins) {
      result += sentence[k++];
      continue;
    }
    for (k += 2; k < sentence.size() && (std::islower(static_cast<unsigned char>(sentence[k])) != 0 ||
                                         (sentence[k] == '-' && k + 1 < sentence.size() &&
                                          std::islower(static_cast<unsigned char>(sentence[k + 1])) != 0));
         ++k)
      result += sentence[k] == '-' ? '_' : sentence[k];
  }
  return result;
}

// The class in wordsway/errors.py; nullptr if Python itself has one.
const char* class_of(const Error& error) {
  if (dynamic_cast<const UsageError*>(&error) != nullptr) return "UsageError";
  if (dynamic_cast<const DataError*>(&error) != nullptr) return "DataError";
  if (dynamic_cast<const FileError*>(&error) != nullptr) return "FileError";
  if (dynamic_cast<const SystemError*>(&error) != nullptr) return "ResourceError";
  return "Error";
}

void translate(const std::exception_ptr& thrown, void*) {
  try {
    std::rethrow_exception(thrown);
  } catch (const Stopped&) {
    PyErr_SetNone(PyExc_KeyboardInterrupt);
  } catch (const Error& error) {
    const nb::object type = nb::module_::import_("wordsway.errors").attr(class_of(error));
    PyErr_SetObject(type.ptr(), to_python(std::string_view(in_python(error.what()))).ptr());
  }
}

}  // namespace

void bind_errors(nb::module_& module) {
  nb::register_exception_translator(translate);
  module.def("in_python", [](const nb::str& sentence) {  // may name a file whose name is not UTF-8
    const nb::bytes bytes = nb::cast<nb::bytes>(sentence.attr("encode")("utf-8", "surrogateescape"));
    return to_python(std::string_view(in_python({bytes.c_str(), bytes.size()})));
  });
  module.def("version", &version);
  module.def("kernels", &kernels);
  module.def("set_thread_count", &set_thread_count, nb::arg("threads"));
  module.def("available_threads", &available_threads);
  module.def(
      "format_rows", [](nb::list rows, const std::string& format) { return format_rows(records_from(rows), format); },
      nb::arg("rows"), nb::arg("format"));
}

}  // namespace wordsway::python

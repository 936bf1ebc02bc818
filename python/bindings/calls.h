// Shared by all bindings: interruptible work without the GIL, and conversions between the library's values and
// Python's.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include "wordsway/core/matrix.h"
#include "wordsway/core/progress.h"
#include "wordsway/core/record.h"
#include "wordsway/io/npy.h"

namespace wordsway::python {

namespace nb = nanobind;

using DoubleArray = nb::ndarray<const double, nb::c_contig, nb::device::cpu>;
using FloatArray = nb::ndarray<nb::numpy, float>;

/// Runs `work` on a thread of its own while this one, without the GIL, waits. Every 50 ms it takes the GIL for signals
/// and for progress(stage, done, total), unless `progress` is None. Where a signal handler or `progress` raises, the
/// work is stopped (core/stop.h) and that exception is raised. What `work` throws is thrown here. `work` must not touch
/// Python.
void call_released(nb::handle progress, const std::function<void(const Progress&)>& work);

/// Runs work that returns a value.
template <typename Work>
auto released(nb::handle progress, const Work& work) {
  std::optional<decltype(work(std::declval<const Progress&>()))> result;
  call_released(progress, [&](const Progress& tell) { result.emplace(work(tell)); });
  return std::move(*result);
}

/// Waits for `done` without the GIL and handles signals every 50 ms. Throws what a signal handler raises.
void wait_released(const std::function<bool(int milliseconds)>& done);

// Values.

/// A text, whose bytes may be those of a file's name: bytes that are not UTF-8 become what os.fsdecode makes of them.
nb::object to_python(std::string_view text);
nb::object to_python(const Value& value);
nb::dict to_python(const Record& record);
nb::list to_python(const std::vector<Record>& rows);

/// Converts a dict whose values a Value can hold. Throws UsageError for others.
Record record_from(nb::dict fields);
std::vector<Record> records_from(nb::list rows);

/// The bytes of a path, as wordsway/_arguments.py gives them.
std::string path_of(nb::bytes path);

// Arrays.

/// A new array for `shape`, owned by Python; `values` are moved there.
FloatArray array_of(std::vector<float> values, const std::vector<Index>& shape);
nb::ndarray<nb::numpy, double> array_of(const Matrix& matrix);
nb::ndarray<nb::numpy, double> array_of(const Vector& vector);
nb::ndarray<nb::numpy, double> array_of(const NpyArray& array);

/// Copies the numbers of a matrix. Throws UsageError, naming it, unless it has two dimensions.
Matrix matrix_of(const DoubleArray& array, const std::string& name);
std::vector<Index> shape_of(const DoubleArray& array);

// The topics, one file each.

void bind_ask(nb::module_& module);
void bind_errors(nb::module_& module);
void bind_maps(nb::module_& module);
void bind_models(nb::module_& module);
void bind_pairs(nb::module_& module);

}  // namespace wordsway::python

#include "calls.h"

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include <nanobind/stl/string.h>

#include "wordsway/core/error.h"
#include "wordsway/core/stop.h"

namespace wordsway::python {
namespace {

constexpr std::chrono::milliseconds kBetweenSignals{50};

// The latest message of the working thread.
struct Told {
  std::string stage;
  double done = 0, total = 0;
  bool is_new = false;
};

void check_signals() {
  if (PyErr_CheckSignals() != 0) throw nb::python_error();
}

}  // namespace

void call_released(nb::handle progress, const std::function<void(const Progress&)>& work) {
  check_signals();
  std::mutex mutex;
  std::condition_variable ended;
  bool is_done = false;
  Told told;
  std::exception_ptr failure, raised;  // by the work, and by Python meanwhile
  std::stop_source stop;
  Progress tell;
  if (!progress.is_none())
    tell = [&](const ProgressEvent& event) {
      const std::lock_guard lock(mutex);
      told = {std::string(event.stage), event.done, event.total, true};
    };

  const nb::gil_scoped_release without_gil;
  std::thread worker([&] {
    const StopScope scope(stop.get_token());
    try {
      work(tell);
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(mutex);
    is_done = true;
    ended.notify_one();
  });
  std::unique_lock lock(mutex);
  while (!ended.wait_for(lock, kBetweenSignals, [&] { return is_done; })) {
    if (raised) continue;  // only the work's end is waited for
    const Told now = std::exchange(told, {});
    lock.unlock();
    {
      const nb::gil_scoped_acquire with_gil;
      try {
        check_signals();
        if (now.is_new) progress(now.stage, now.done, now.total);
      } catch (...) {
        raised = std::current_exception();
        stop.request_stop();
      }
    }
    lock.lock();
  }
  lock.unlock();
  worker.join();
  if (raised) std::rethrow_exception(raised);
  if (failure) std::rethrow_exception(failure);
}

void wait_released(const std::function<bool(int milliseconds)>& done) {
  while (true) {
    {
      const nb::gil_scoped_release without_gil;
      if (done(static_cast<int>(kBetweenSignals.count()))) return;
    }
    check_signals();
  }
}

nb::object to_python(std::string_view text) {
  PyObject* const decoded = PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
  if (decoded == nullptr) throw nb::python_error();
  return nb::steal(decoded);
}

std::string path_of(nb::bytes path) {
  return {path.c_str(), path.size()};
}

nb::object to_python(const Value& value) {
  return std::visit(
      [](const auto& held) -> nb::object {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, Missing>) {
          return nb::none();
        } else if constexpr (std::is_same_v<T, double>) {
          if (!std::isfinite(held)) return nb::none();  // as JSON says it
          return nb::float_(held);
        } else if constexpr (std::is_same_v<T, bool>) {
          return nb::bool_(held);
        } else if constexpr (std::is_same_v<T, std::int64_t>) {
          return nb::int_(held);
        } else if constexpr (std::is_same_v<T, std::string>) {
          return to_python(std::string_view(held));
        } else {
          nb::list list;
          for (const auto& entry : held) list.append(to_python(Value(entry)));
          return list;
        }
      },
      value);
}

nb::dict to_python(const Record& record) {
  nb::dict result;
  for (const auto& [name, value] : record.fields()) result[name.c_str()] = to_python(value);
  return result;
}

nb::list to_python(const std::vector<Record>& rows) {
  nb::list result;
  for (const Record& row : rows) result.append(to_python(row));
  return result;
}

namespace {

template <typename T>
std::vector<T> list_of(nb::handle list) {
  std::vector<T> values;
  for (const nb::handle entry : list) values.push_back(nb::cast<T>(entry));
  return values;
}

Value list_value(nb::handle list) {
  if (nb::len(list) == 0) return std::vector<double>();
  const nb::object first = list[0];
  if (nb::isinstance<nb::str>(first)) return list_of<std::string>(list);
  if (nb::isinstance<nb::int_>(first)) return list_of<std::int64_t>(list);
  return list_of<double>(list);
}

Value value_from(const std::string& name, nb::handle value) {
  try {
    if (value.is_none()) return {};
    if (nb::isinstance<nb::bool_>(value)) return nb::cast<bool>(value);
    if (nb::isinstance<nb::int_>(value)) return nb::cast<std::int64_t>(value);
    if (nb::isinstance<nb::float_>(value)) return nb::cast<double>(value);
    if (nb::isinstance<nb::str>(value)) return nb::cast<std::string>(value);
    if (nb::isinstance<nb::list>(value)) return list_value(value);
  } catch (const nb::cast_error&) {
  }
  throw UsageError("the field '" + name + "' of a row holds something that is no number, text or list of one kind");
}

}  // namespace

Record record_from(nb::dict fields) {
  Record record;
  for (const auto& [name, value] : fields) {
    const std::string text = nb::cast<std::string>(name);
    record.set(text, value_from(text, value));
  }
  return record;
}

std::vector<Record> records_from(nb::list rows) {
  std::vector<Record> records;
  for (const nb::handle row : rows) records.push_back(record_from(nb::cast<nb::dict>(row)));
  return records;
}

namespace {

template <typename Float>
nb::ndarray<nb::numpy, Float> owned(std::unique_ptr<std::vector<Float>> values, const std::vector<Index>& shape) {
  std::vector<size_t> sizes(shape.begin(), shape.end());
  Float* const data = values->data();
  const nb::capsule owner(values.get(), [](void* kept) noexcept { delete static_cast<std::vector<Float>*>(kept); });
  static_cast<void>(values.release());  // the capsule has it
  return nb::ndarray<nb::numpy, Float>(data, sizes.size(), sizes.data(), owner);
}

}  // namespace

FloatArray array_of(std::vector<float> values, const std::vector<Index>& shape) {
  return owned(std::make_unique<std::vector<float>>(std::move(values)), shape);
}

nb::ndarray<nb::numpy, double> array_of(const Matrix& matrix) {
  return owned(std::make_unique<std::vector<double>>(matrix.data(), matrix.data() + matrix.size()),
               {matrix.rows(), matrix.cols()});
}

nb::ndarray<nb::numpy, double> array_of(const Vector& vector) {
  return owned(std::make_unique<std::vector<double>>(vector.data(), vector.data() + vector.size()), {vector.size()});
}

nb::ndarray<nb::numpy, double> array_of(const NpyArray& array) {
  return owned(std::make_unique<std::vector<double>>(array.values), array.shape);
}

Matrix matrix_of(const DoubleArray& array, const std::string& name) {
  if (array.ndim() != 2) throw UsageError(name + " must have two dimensions; it has " + std::to_string(array.ndim()));
  return Eigen::Map<const Matrix>(array.data(), static_cast<Index>(array.shape(0)), static_cast<Index>(array.shape(1)));
}

std::vector<Index> shape_of(const DoubleArray& array) {
  std::vector<Index> shape;
  for (size_t k = 0; k < array.ndim(); ++k) shape.push_back(static_cast<Index>(array.shape(k)));
  return shape;
}

}  // namespace wordsway::python

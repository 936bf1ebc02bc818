// The errors wordsway throws. The library never prints, aborts or exits; the program maps each kind of error to an
// exit code (2 usage, 3 model or data wrong, 4 a file could not be read or written, or the system
// refused memory or threads).
//
// A message is one sentence a user can act on: what is wrong, what was expected, what was given.
#pragma once

#include <stdexcept>
#include <string>

namespace wordsway {

class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An option, name or combination of options that makes no sense.
class UsageError : public Error {
 public:
  using Error::Error;
};

/// A model or data whose content is wrong: shape, NaN, zero row, corrupt header.
class DataError : public Error {
 public:
  using Error::Error;
};

/// A file that could not be opened, read or written.
class FileError : public Error {
 public:
  using Error::Error;
};

/// The system refused memory or threads; a smaller study, or another machine, may do.
class SystemError : public Error {
 public:
  using Error::Error;
};

/// The caller asked to stop (core/stop.h): nothing is wrong, and there is no result.
class Stopped : public Error {
 public:
  using Error::Error;
};

/// A broken promise inside wordsway itself; the message names the place.
class InternalError : public Error {
 public:
  using Error::Error;
};

/// Throws InternalError with the caller's file and line unless `holds`. For invariants, never for input.
/// (The builtins, because clang-tidy 14, that of Debian 12, has no std::source_location.)
void ensure(bool holds, const char* what, const char* file = __builtin_FILE(), int line = __builtin_LINE());

}  // namespace wordsway

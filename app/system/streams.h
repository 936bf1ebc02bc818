// The program's own standard streams: results on one, everything else on the other. Nothing else writes to them.
#pragma once

#include <initializer_list>
#include <string_view>

namespace wordsway::app {

/// Must be called before anything is opened: a file opened while a standard stream is closed would get its descriptor,
/// and with it what was meant for the stream. A closed stream stays unusable, but its number is taken.
void occupy_standard_descriptors() noexcept;

/// Writes results to standard output, all of them and at once: an interrupt waits until they are written, a second one
/// does not. Throws FileError with the reason.
void print_out(std::string_view text);
/// Throws FileError for errors that the system reports only after print_out, as a network disk may.
void check_out();

/// Writes to stderr, the parts one after the other. A failure is ignored: there is nowhere to report it, and the work
/// must not end because of it. Needs no memory.
void write_error(std::initializer_list<std::string_view> parts) noexcept;

}  // namespace wordsway::app

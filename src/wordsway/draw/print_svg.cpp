// librsvg is loaded when a picture is printed, in a child process: loading it takes longer than starting this program,
// and GLib aborts the process when the system refuses memory or a thread.
#include "wordsway/draw/print_svg.h"

#include <cerrno>
#include <cstdint>
#include <cstring>

#include <dlfcn.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

constexpr double kPrintedPoints = 0.72;  // 100 pixels are an inch on paper

// What a child writes before its bytes.
constexpr char kDrawn = 'd', kFailed = 'f', kMissing = 'm';

struct LibraryMissing {};

// ThreadSanitizer takes GLib's threads, which are not instrumented, for races: pictures are as without librsvg there.
#if defined(__SANITIZE_THREAD__)
constexpr bool kMayLoad = false;
#else
constexpr bool kMayLoad = true;
#endif

// Types of librsvg 2.52, cairo 1.16 and GLib 2, whose binary interfaces are stable.
struct Rectangle {
  double x, y, width, height;
};
struct GlibError {
  std::uint32_t domain;
  int code;
  char* message;
};
using Write = int (*)(void* closure, const unsigned char* data, unsigned length);
constexpr int kSuccess = 0, kNoMemory = 1;    // cairo_status_t
constexpr int kRgb24 = 1, kCreationDate = 5;  // cairo_format_t, cairo_pdf_metadata_t

// The functions that a picture needs.
struct Printer {
  void* (*new_handle)(const unsigned char*, std::size_t, GlibError**);
  int (*render_document)(void* handle, void* context, const Rectangle*, GlibError**);
  void* (*new_pdf)(Write, void* closure, double width, double height);
  void (*set_pdf_metadata)(void* surface, int what, const char*);
  void* (*new_image)(int format, int width, int height);
  int (*write_png)(void* surface, Write, void* closure);
  void* (*new_context)(void* surface);
  int (*context_status)(void* context);
  int (*surface_status)(void* surface);
  void (*finish)(void* surface);
  const char* (*status_text)(int status);

  static Printer load() {
    void* const rsvg = opened("librsvg-2.so.2");
    void* const cairo = opened("libcairo.so.2");
    Printer printer{};
    find(rsvg, "rsvg_handle_new_from_data", printer.new_handle);
    find(rsvg, "rsvg_handle_render_document", printer.render_document);
    find(cairo, "cairo_pdf_surface_create_for_stream", printer.new_pdf);
    find(cairo, "cairo_pdf_surface_set_metadata", printer.set_pdf_metadata);
    find(cairo, "cairo_image_surface_create", printer.new_image);
    find(cairo, "cairo_surface_write_to_png_stream", printer.write_png);
    find(cairo, "cairo_create", printer.new_context);
    find(cairo, "cairo_status", printer.context_status);
    find(cairo, "cairo_surface_status", printer.surface_status);
    find(cairo, "cairo_surface_finish", printer.finish);
    find(cairo, "cairo_status_to_string", printer.status_text);
    return printer;
  }

 private:
  static void* opened(const char* library) {
    void* const found = kMayLoad ? dlopen(library, RTLD_NOW | RTLD_LOCAL) : nullptr;
    if (found == nullptr) throw LibraryMissing();
    return found;
  }

  template <typename Function>
  static void find(void* library, const char* name, Function& function) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) throw LibraryMissing();
  }
};

[[noreturn]] void throw_failed(const std::string& why) {
  throw FileError("the picture could not be drawn: " + why);
}

int append(void* bytes, const unsigned char* data, unsigned length) noexcept {
  try {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
    return kSuccess;
  } catch (...) {
    return kNoMemory;
  }
}

// Runs in a child process, so nothing is released.
class Drawing {
 public:
  std::string pdf(const std::string& svg, double width, double height) {
    std::string bytes;
    void* const surface = checked(printer_.new_pdf(append, &bytes, width, height));
    printer_.set_pdf_metadata(surface, kCreationDate, "2000-01-01T00:00:00Z");  // the same picture gives the same file
    render(svg, surface, width, height);
    printer_.finish(surface);
    checked(surface);
    return bytes;
  }

  std::string png(const std::string& svg, int width, int height) {
    void* const surface = checked(printer_.new_image(kRgb24, width, height));
    render(svg, surface, width, height);
    std::string bytes;
    check(printer_.write_png(surface, append, &bytes));
    return bytes;
  }

 private:
  void check(int status) const {
    if (status != kSuccess) throw_failed(printer_.status_text(status));
  }
  void* checked(void* surface) const {
    check(printer_.surface_status(surface));
    return surface;
  }

  void render(const std::string& svg, void* surface, double width, double height) {
    GlibError* error = nullptr;
    const auto check_done = [&](bool done) {
      if (!done) throw_failed(error == nullptr ? "unknown error" : error->message);
    };
    void* const handle = printer_.new_handle(reinterpret_cast<const unsigned char*>(svg.data()), svg.size(), &error);
    check_done(handle != nullptr);
    void* const context = printer_.new_context(surface);
    const Rectangle page{0, 0, width, height};
    check_done(printer_.render_document(handle, context, &page, &error) != 0);
    check(printer_.context_status(context));
  }

  Printer printer_ = Printer::load();
};

void write_all(int file, const std::string& bytes) {
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written = write(file, bytes.data() + done, bytes.size() - done);
    if (written < 0 && errno != EINTR) return;
    if (written > 0) done += static_cast<std::size_t>(written);
  }
}

template <typename Compute>
[[noreturn]] void answer_and_exit(int file, const Compute& compute) {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);  // what GLib says when it aborts
  try {
    write_all(file, kDrawn + compute());
  } catch (const LibraryMissing&) {
    write_all(file, {kMissing});
  } catch (const std::exception& error) {
    write_all(file, kFailed + std::string(error.what()));
  } catch (...) {
    write_all(file, {kFailed});
  }
  _exit(0);
}

std::string read_all(int file) {
  std::string bytes;
  char block[1 << 16];
  while (true) {
    const ssize_t size = read(file, block, sizeof block);
    if (size == 0) return bytes;
    if (size > 0) bytes.append(block, static_cast<std::size_t>(size));
    if (size < 0 && errno != EINTR) return {};
  }
}

// What `compute` returns in a child process: kDrawn and the bytes, or why there are none. Empty if the child died.
template <typename Compute>
std::string in_child(const Compute& compute) {
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0)
    throw SystemError(fmt::format("the system refused a pipe to print a picture: {}", std::strerror(errno)));
  const pid_t child = fork();
  if (child == 0) answer_and_exit(pipe_ends[1], compute);
  const int why = errno;
  close(pipe_ends[1]);
  std::string answer;
  if (child > 0) {
    answer = read_all(pipe_ends[0]);
    while (waitpid(child, nullptr, 0) < 0 && errno == EINTR) {
    }
  }
  close(pipe_ends[0]);
  if (child < 0)
    throw SystemError(fmt::format("the system refused a process to print a picture: {}", std::strerror(why)));
  return answer;
}

}  // namespace

bool can_print() {
  static const bool found = in_child([] {
                              Printer::load();
                              return std::string();
                            }) == std::string(1, kDrawn);
  return found;
}

std::string print_svg(const std::string& svg, int width, int height, PrintFormat format) {
  const std::string answer = in_child([&] {
    Drawing drawing;
    return format == PrintFormat::kPdf ? drawing.pdf(svg, width * kPrintedPoints, height * kPrintedPoints)
                                       : drawing.png(svg, width, height);
  });
  if (answer.empty()) throw_failed("librsvg gave up, as it does when memory or threads are refused");
  if (answer.front() == kMissing) throw UsageError(kCannotPrint);
  if (answer.front() == kFailed) throw FileError(answer.substr(1));
  return answer.substr(1);
}

}  // namespace wordsway

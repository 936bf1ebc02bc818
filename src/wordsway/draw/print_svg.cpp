#include "wordsway/draw/print_svg.h"

#include <memory>

#include <cairo-pdf.h>
#include <cairo.h>
#include <fmt/format.h>
#include <librsvg/rsvg.h>

#include "wordsway/core/error.h"

namespace wordsway {
namespace {

constexpr double kPointsPerPixel = 0.72;  // 100 pixels are an inch on paper

template <auto kFree>
struct Freed {
  template <typename T>
  void operator()(T* pointer) const {
    kFree(pointer);
  }
};
using Surface = std::unique_ptr<cairo_surface_t, Freed<cairo_surface_destroy>>;
using Context = std::unique_ptr<cairo_t, Freed<cairo_destroy>>;
using Handle = std::unique_ptr<RsvgHandle, Freed<g_object_unref>>;

[[noreturn]] void throw_failed(const char* why) {
  throw FileError(fmt::format("the picture could not be drawn: {}", why));
}

void check(cairo_status_t status) {
  if (status != CAIRO_STATUS_SUCCESS) throw_failed(cairo_status_to_string(status));
}

cairo_status_t append(void* bytes, const unsigned char* data, unsigned length) noexcept {
  try {
    static_cast<std::string*>(bytes)->append(reinterpret_cast<const char*>(data), length);
    return CAIRO_STATUS_SUCCESS;
  } catch (...) {
    return CAIRO_STATUS_NO_MEMORY;
  }
}

void render(const std::string& svg, cairo_surface_t* surface, double width, double height) {
  GError* error = nullptr;
  const auto fail = [&] {
    const std::string why = error == nullptr ? "unknown error" : error->message;
    g_clear_error(&error);
    throw_failed(why.c_str());
  };
  const Handle handle(rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()), svg.size(), &error));
  if (handle == nullptr) fail();
  const Context context(cairo_create(surface));
  const RsvgRectangle page{0, 0, width, height};
  if (rsvg_handle_render_document(handle.get(), context.get(), &page, &error) == FALSE) fail();
  check(cairo_status(context.get()));
}

std::string pdf_of(const std::string& svg, double width, double height) {
  std::string bytes;
  const Surface surface(cairo_pdf_surface_create_for_stream(append, &bytes, width, height));
  check(cairo_surface_status(surface.get()));
  // The same picture gives the same file.
  cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATE_DATE, "2000-01-01T00:00:00Z");
  render(svg, surface.get(), width, height);
  cairo_surface_finish(surface.get());
  check(cairo_surface_status(surface.get()));
  return bytes;
}

std::string png_of(const std::string& svg, int width, int height) {
  const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
  check(cairo_surface_status(surface.get()));
  render(svg, surface.get(), width, height);
  std::string bytes;
  check(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
  return bytes;
}

}  // namespace

bool can_print() {
  return true;
}

std::string print_svg(const std::string& svg, int width, int height, PrintFormat format) {
  return format == PrintFormat::kPdf ? pdf_of(svg, width * kPointsPerPixel, height * kPointsPerPixel)
                                     : png_of(svg, width, height);
}

}  // namespace wordsway

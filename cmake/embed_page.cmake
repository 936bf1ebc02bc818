# cmake -DPAGE=FOLDER -DOUTPUT=FILE.cpp -P embed_page.cmake: writes a file that holds the files of the page, compressed.
file(GLOB files ${PAGE}/*)
list(SORT files)
set(arrays "")
set(entries "")
set(number 0)
foreach(file IN LISTS files)
  get_filename_component(name ${file} NAME)
  set(packed ${OUTPUT}.gz)
  # The time is fixed: the same page gives the same program.
  file(ARCHIVE_CREATE OUTPUT ${packed} PATHS ${file} FORMAT raw COMPRESSION GZip COMPRESSION_LEVEL 9 MTIME "2000-01-01 00:00 UTC")
  file(READ ${packed} bytes HEX)
  file(REMOVE ${packed})
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "(0x[^x]*x[^x]*x[^x]*x[^x]*x[^x]*x[^x]*x[^x]*x[^x]*x[^x]*x[^x]*x[^x]*x[^x]*x[^x]*x[^x]*x[^x][^x],)" "\\1\n" bytes "${bytes}")
  file(SHA256 ${file} digest)
  string(APPEND arrays "const unsigned char kFile${number}[] = {\n${bytes}};\n")
  string(APPEND entries "    {\"${name}\", \"${digest}\", kFile${number}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT
"// Written by cmake/embed_page.cmake from app/page; do not edit.
#include \"serve/page_files.h\"

#include <vector>

namespace wordsway::serve {
namespace {
@arrays@
const std::vector<PageFile> kFiles = {
@entries@};
}  // namespace

std::span<const PageFile> page_files() {
  return kFiles;
}
}  // namespace wordsway::serve
")

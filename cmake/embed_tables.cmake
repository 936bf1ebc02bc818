# cmake -DROOT=FOLDER -DOUTPUT=FILE.cpp -P embed_tables.cmake: writes a file that holds the text of all */data/*.txt and
# */data/*.tsv below a folder, under names such as "pairs/fillers.txt".
file(GLOB files RELATIVE ${ROOT} ${ROOT}/*/data/*.txt ${ROOT}/*/data/*.tsv)
list(SORT files)
file(WRITE ${OUTPUT}.new
"// Written by cmake/embed_tables.cmake from the tables in src/wordsway/text; do not edit.
#include \"wordsway/text/tables/tables.h\"

namespace wordsway::tables {

std::span<const TableFile> table_files() {
  static constexpr TableFile files[] = {
")
foreach(file IN LISTS files)
  string(REPLACE "/data/" "/" name ${file})
  file(READ ${ROOT}/${file} text)
  file(APPEND ${OUTPUT}.new "{\"${name}\", R\"~~~(${text})~~~\"},\n")
endforeach()
file(APPEND ${OUTPUT}.new "  };
  return files;
}

}  // namespace wordsway::tables
")
file(RENAME ${OUTPUT}.new ${OUTPUT})

# The lexicon's table of words (text/lexicon): a small program makes it of WordNet 3.0 while the library is built.
#
# Sets WORDSWAY_LEXICON_SOURCE, a source file that has the table within it.
if(DEFINED ENV{WORDSWAY_WORDNET_DIR})
  set(wordsway_wordnet $ENV{WORDSWAY_WORDNET_DIR})
else()
  set(wordsway_wordnet /usr/share/wordnet)
endif()
set(WORDSWAY_WORDNET_DIR ${wordsway_wordnet} CACHE PATH "The folder of WordNet 3.0: index.noun, data.noun and so on")
set(wordnet_files "")
foreach(part noun verb adj adv)
  list(APPEND wordnet_files index.${part} data.${part} ${part}.exc)
endforeach()
list(APPEND wordnet_files cntlist.rev)
list(TRANSFORM wordnet_files PREPEND ${WORDSWAY_WORDNET_DIR}/)
foreach(file IN LISTS wordnet_files)
  if(NOT EXISTS ${file})
    message(FATAL_ERROR "wordsway is built with the words of WordNet 3.0, and there is no ${file}: install Debian's "
                        "wordnet-base, or set WORDSWAY_WORDNET_DIR to a folder that has WordNet's files.")
  endif()
endforeach()

set(lexicon_folder ${PROJECT_SOURCE_DIR}/src/wordsway/text/lexicon)
set(lexicon_table ${PROJECT_BINARY_DIR}/generated/lexicon.bin)
set(WORDSWAY_LEXICON_SOURCE ${PROJECT_BINARY_DIR}/generated/lexicon_bytes.cpp)
add_executable(wordsway_compile_lexicon EXCLUDE_FROM_ALL
               ${PROJECT_SOURCE_DIR}/cmake/compile_lexicon.cpp ${lexicon_folder}/wordnet.cpp
               ${lexicon_folder}/lexicon_writer.cpp ${lexicon_folder}/word_selection.cpp
               ${PROJECT_SOURCE_DIR}/src/wordsway/io/input_file.cpp
               ${PROJECT_SOURCE_DIR}/src/wordsway/core/error.cpp)
target_compile_features(wordsway_compile_lexicon PRIVATE cxx_std_20)
target_include_directories(wordsway_compile_lexicon PRIVATE ${PROJECT_SOURCE_DIR}/src)
# Nothing to load at run time: a cross-built one runs under qemu, without the libraries of other packages.
target_link_libraries(wordsway_compile_lexicon PRIVATE fmt::fmt-header-only)
# It runs once, for a second: it need not be fast, but it must not need this machine's processor when cross-built.
target_compile_options(wordsway_compile_lexicon PRIVATE -O1)
set_target_properties(wordsway_compile_lexicon PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/generated)

set(lexicon_corrections ${lexicon_folder}/corrections.tsv)
add_custom_command(OUTPUT ${lexicon_table} DEPENDS wordsway_compile_lexicon ${lexicon_corrections} ${wordnet_files}
                   COMMAND wordsway_compile_lexicon ${WORDSWAY_WORDNET_DIR} ${lexicon_corrections} ${lexicon_table}
                   COMMENT "Making the lexicon of ${WORDSWAY_WORDNET_DIR}")
file(CONFIGURE OUTPUT ${WORDSWAY_LEXICON_SOURCE} @ONLY CONTENT
"// Written by cmake/WordswayLexicon.cmake; do not edit.
#include \"wordsway/text/lexicon/lexicon_table.h\"

asm(R\"(
    .pushsection .rodata
    .balign 16
    .globl wordsway_lexicon_begin
    .hidden wordsway_lexicon_begin
    .globl wordsway_lexicon_end
    .hidden wordsway_lexicon_end
wordsway_lexicon_begin:
    .incbin \"@lexicon_table@\"
wordsway_lexicon_end:
    .popsection
)\");

extern \"C\" __attribute__((visibility(\"hidden\"))) const std::byte wordsway_lexicon_begin[], wordsway_lexicon_end[];

namespace wordsway {

std::span<const std::byte> lexicon_bytes() {
  return {wordsway_lexicon_begin, wordsway_lexicon_end};
}

}  // namespace wordsway
")
set_source_files_properties(${WORDSWAY_LEXICON_SOURCE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
                            SKIP_PRECOMPILE_HEADERS ON)

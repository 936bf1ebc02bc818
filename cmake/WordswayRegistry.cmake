# wordsway_registry(DIRS KIND HEADER OUTPUT): writes OUTPUT, which defines register_all_KINDs(KINDRegistry&) as HEADER
# declares KINDRegistry.
#
# A plugin is one .cpp in one of DIRS that defines `void register_STEM(KINDRegistry& registry)`, STEM being the
# file's own name. The build finds it and calls it: nothing else is edited. (Static initialisers in a static
# library register nothing, because the linker drops objects that nobody refers to.) A register function under another
# name would never be called, so it stops the build. Plugins are compiled one by one, so that each names its own
# functions as it likes.
function(wordsway_registry directories kind header output)
  list(TRANSFORM directories APPEND /*.cpp OUTPUT_VARIABLE patterns)
  file(GLOB candidates CONFIGURE_DEPENDS ${patterns})
  list(SORT candidates)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${candidates})
  string(TOLOWER ${kind} lower)
  set(declarations "")
  set(calls "")
  foreach(source IN LISTS candidates)
    get_filename_component(stem ${source} NAME_WE)
    file(STRINGS ${source} hit REGEX "^void register_[A-Za-z0-9_]+\\(${kind}Registry& ")
    if(hit AND NOT hit MATCHES "^void register_(${stem}|all_${lower}s)\\(")
      message(FATAL_ERROR "${source} defines '${hit}'; its name must be register_${stem}")
    elseif(hit MATCHES "^void register_${stem}\\(")
      string(APPEND declarations "void register_${stem}(${kind}Registry& registry);\n")
      string(APPEND calls "  register_${stem}(registry);\n")
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT
"// Written by cmake/WordswayRegistry.cmake from the files in its folder; do not edit.
#include \"${header}\"

namespace wordsway {
@declarations@
void register_all_${lower}s([[maybe_unused]] ${kind}Registry& registry) {
@calls@}
}  // namespace wordsway
")
endfunction()

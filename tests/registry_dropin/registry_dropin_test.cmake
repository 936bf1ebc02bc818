# A new map is one new file: builds a copy of the sources, drops one .cpp into its maps folder, builds again without
# touching anything else, and looks for the map in `wordsway list maps`.
include(${CMAKE_CURRENT_LIST_DIR}/../run_step.cmake)
set(copy ${SCRATCH}/source)
set(build ${copy}/build/release)
set(program ${build}/bin/wordsway)

function(list_maps result)
  run_step("building" ignored ${CMAKE_COMMAND} --build ${build} --parallel 2 --target wordsway_program)
  run_step("wordsway list maps" output ${program} list maps)
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${copy})
file(COPY ${SOURCE}/CMakeLists.txt ${SOURCE}/cmake ${SOURCE}/src ${SOURCE}/app DESTINATION ${copy})
run_step("configuring" ignored
         ${CMAKE_COMMAND} -S ${copy} -B ${build} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
         -DCMAKE_BUILD_TYPE=${TYPE} -DWORDSWAY_PORTABLE=${PORTABLE} -DWORDSWAY_WERROR=${WERROR} -DWORDSWAY_TESTS=OFF)
list_maps(before)
if(before MATCHES "dropped-in")
  message(FATAL_ERROR "the map is listed before its file is there:\n${before}")
endif()

configure_file(${CMAKE_CURRENT_LIST_DIR}/identity_map.cpp.in ${copy}/src/wordsway/maps/identity_map.cpp COPYONLY)
list_maps(after)
if(NOT after MATCHES "dropped-in[^\n]*the tokens themselves")
  message(FATAL_ERROR "the map is not listed after its file was dropped in:\n${after}")
endif()

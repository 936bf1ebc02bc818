# Installs the build to a prefix of its own, builds examples/find_package against it as a user would (other flags,
# another build folder), and runs what came out.
include(${CMAKE_CURRENT_LIST_DIR}/../run_step.cmake)
set(prefix ${SCRATCH}/prefix)
set(example ${SCRATCH}/example)
file(REMOVE_RECURSE ${SCRATCH})

run_step("installing" ignored ${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
if(NOT EXISTS ${prefix}/bin/wordsway)
  message(FATAL_ERROR "the program was not installed to ${prefix}/bin/wordsway")
endif()

run_step("asking the installed decoder" output ${CMAKE_COMMAND} -E env --unset=WORDSWAY_DATA ${prefix}/bin/wordsway list models)
if(NOT output MATCHES "-m builtin-decoder [^\n]*${prefix}/share/wordsway/models/builtin-decoder")
  message(FATAL_ERROR "the built-in decoder is not where the installed program looks:\n${output}")
endif()

run_step("configuring the example" ignored
         ${CMAKE_COMMAND} -S ${SOURCE}/examples/find_package -B ${example} -G ${GENERATOR}
         -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_BUILD_TYPE=Release -DCMAKE_PREFIX_PATH=${prefix}
         -DCMAKE_EXPORT_COMPILE_COMMANDS=ON)
file(READ ${example}/compile_commands.json commands)
if(commands MATCHES "-march|${SOURCE}/src")
  message(FATAL_ERROR "the installed package leaks our flags or source folder to its users:\n${commands}")
endif()

run_step("building the example" ignored ${CMAKE_COMMAND} --build ${example})
run_step("running the example" output ${example}/measure_sample)
set(expected "one word moves [^\n]* by [0-9.]+ of its length, at most [0-9.]+\nrecomputed: the same\n")
string(APPEND expected "caught: unknown map 'no such map'\n")
if(NOT output MATCHES "^${expected}$")
  message(FATAL_ERROR "the example printed\n${output}\ninstead of\n${expected}")
endif()

run_step("measuring words" output ${example}/measure_words ${prefix}/share/wordsway/models/builtin "not a good film")
if(NOT output MATCHES "^not +[0-9.]+  worst: [a-z]+\na +[0-9.]+  worst: [a-z]+\ngood +[0-9.]+  worst: [a-z]+\nfilm +[0-9.]+  worst: [a-z]+\n$")
  message(FATAL_ERROR "measure_words printed\n${output}")
endif()

# A new map is one new file, and so are a new activation and a new law of data: builds a copy of the sources, drops files into its folders,
# builds again without touching anything else, and looks for them and their parameters in the program. Those of
# docs/adding_a_map.md and docs/adding_data.md must pass the conformance tests as well; dropped-in, which has no weights, cannot.
include(${CMAKE_CURRENT_LIST_DIR}/../run_step.cmake)
set(copy ${SCRATCH}/source)
set(build ${copy}/build/release)
set(program ${build}/bin/wordsway)

function(list_maps result)
  run_step("building" ignored ${CMAKE_COMMAND} --build ${build} --parallel 2 --target wordsway_program)
  run_step("wordsway list maps" output ${program} list maps)
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

function(expect_match what output pattern)
  if(NOT output MATCHES "${pattern}")
    message(FATAL_ERROR "${what}: expected '${pattern}' in\n${output}")
  endif()
endfunction()

file(REMOVE_RECURSE ${copy})
file(COPY ${SOURCE}/CMakeLists.txt ${SOURCE}/cmake ${SOURCE}/src ${SOURCE}/app ${SOURCE}/tests ${SOURCE}/training DESTINATION ${copy})
run_step("configuring" ignored
         ${CMAKE_COMMAND} -S ${copy} -B ${build} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${COMPILER}
         -DCMAKE_BUILD_TYPE=${TYPE} -DWORDSWAY_LEVELS=${LEVELS} -DWORDSWAY_WERROR=${WERROR} -DWORDSWAY_TESTS=ON)
list_maps(before)
if(before MATCHES "dropped-in|raf-power")
  message(FATAL_ERROR "a map is listed before its file is there:\n${before}")
endif()

set(maps ${copy}/src/wordsway/maps)
configure_file(${CMAKE_CURRENT_LIST_DIR}/identity_map.cpp.in ${maps}/identity_map.cpp COPYONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/raf_power.cpp.in ${maps}/raf_power.cpp COPYONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/erf.cpp.in ${maps}/activations/erf.cpp COPYONLY)
configure_file(${CMAKE_CURRENT_LIST_DIR}/topics.cpp.in ${copy}/src/wordsway/data/made_up/topics.cpp COPYONLY)
list_maps(after)
expect_match("the map without parameters" "${after}" "dropped-in[^\n]*the tokens themselves")
expect_match("the map with a parameter" "${after}" "raf-power[^\n]*powers of positive scores")

# Its parameter: flag, help, rows, fits, and the refusal by maps that do not have it.
run_step("wordsway measure --help" help ${program} measure --help)
expect_match("the help of --power" "${help}" "--power [^\n]*Power of the scores in raf-power[^-]*-separated[^-]*.3.")
expect_match("the help of --activation" "${help}" "--activation [^\n]*(\n[^\n]*)?erf")
set(small --n 4,6,8 --d 5 --trials 1 --data sphere)
run_step("wordsway measure" rows ${program} measure --map raf-power,rf --power 1,2 --activation erf ${small} --format csv)
expect_match("the keys" "${rows}" "map,n,d,depth,width,activation,beta,power,random,trial,seed")
expect_match("a row of raf-power" "${rows}" "raf-power,4,5,,,,,2.0,dense")
expect_match("a row of rf" "${rows}" "rf,8,5,,40,erf,,,deferred")
run_step("wordsway measure" table ${program} measure --map raf-power --power 1,2 ${small})
expect_match("the fits" "${table}" "power = 1: S scales[^\n]*\n[^\n]*power = 2: S scales")
run_step("wordsway measure" old ${program} measure --map raf ${small} --format csv)
expect_match("rows of other maps stay as they were" "${old}" "map,n,d,depth,width,activation,beta,random,trial,seed")
execute_process(COMMAND ${program} measure --map rf --power 2 RESULT_VARIABLE code ERROR_VARIABLE refusal)
expect_match("exit code ${code}" "${refusal}" "--power has no meaning for rf")

# The law: its line in the list, its samples, and the refusal of a value out of range.
run_step("wordsway list data" laws ${program} list data)
expect_match("the law of data" "${laws}" "topics:S[^\n]*near one of two directions")
run_step("wordsway measure" made ${program} measure --map raf --data topics:0.5 --n 4 --d 5 --trials 1)
execute_process(COMMAND ${program} measure --map raf --data topics:2 RESULT_VARIABLE code ERROR_VARIABLE refusal)
expect_match("exit code ${code}" "${refusal}" "S in topics:S must be a number from 0 to 1")

run_step("building the conformance tests" ignored
         ${CMAKE_COMMAND} --build ${build} --parallel 2 --target test_conformance)
run_step("the conformance tests" passed ${build}/bin/test_conformance --gtest_filter=*raf_power*:*/erf:*/topics --gtest_brief=1)
expect_match("tests that ran" "${passed}" "PASSED[^0-9]*[2-9][0-9] tests")

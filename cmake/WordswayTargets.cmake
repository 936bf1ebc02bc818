# One helper per kind of target.

# wordsway_add_test(NAME SOURCES... [LIBRARIES...]): a GoogleTest program. Its files are compiled in groups, which takes
# half the time. ctest runs it in parts, one for every six files: the tests of a part share a process and its models.
function(wordsway_add_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE wordsway wordsway_flags wordsway_test_support
                        GTest::gmock GTest::gtest_main ${ARG_LIBRARIES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_options(${name} PRIVATE -O1)  # tests wait for the compiler longer than they run
  target_precompile_headers(${name} REUSE_FROM wordsway_test_support)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${WORDSWAY_UNITY} UNITY_BUILD_BATCH_SIZE 6)
  set(limit 1800)
  if(WORDSWAY_SANITIZE)
    set(limit 7200)  # under ThreadSanitizer a study takes ten times as long
  endif()
  list(LENGTH ARG_SOURCES files)
  math(EXPR parts "(${files} + 5) / 6")
  math(EXPR last "${parts} - 1")
  foreach(part RANGE ${last})
    set(test ${name})
    if(parts GREATER 1)
      string(APPEND test ".${part}")
    endif()
    add_test(NAME ${test} COMMAND ${name} --gtest_brief=1)
    set_tests_properties(${test} PROPERTIES TIMEOUT ${limit} ENVIRONMENT
                         "GTEST_TOTAL_SHARDS=${parts};GTEST_SHARD_INDEX=${part}")
  endforeach()
endfunction()

# wordsway_add_benchmark(NAME SOURCES...): a Google Benchmark program.
function(wordsway_add_benchmark name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE wordsway wordsway_flags wordsway_bench_support benchmark::benchmark)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/bench)
endfunction()

# wordsway_add_fuzzer(NAME SOURCES...): a libFuzzer program.
function(wordsway_add_fuzzer name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE wordsway wordsway_flags)
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
endfunction()

# One helper per kind of target.

# wordsway_add_test(NAME SOURCES... [LIBRARIES...]): a GoogleTest program, one ctest entry a test.
function(wordsway_add_test name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE wordsway wordsway_flags wordsway_test_support
                        GTest::gmock GTest::gtest_main ${ARG_LIBRARIES})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_compile_options(${name} PRIVATE -O1)  # tests wait for the compiler longer than they run
  target_precompile_headers(${name} REUSE_FROM wordsway_test_support)
  set(limit 600)
  if(WORDSWAY_SANITIZE)
    set(limit 3600)  # under ThreadSanitizer a study takes ten times as long
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST NO_PRETTY_VALUES PROPERTIES TIMEOUT ${limit})
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

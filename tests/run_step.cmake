# run_step(WHAT RESULT COMMAND...): runs a command of a scripted test, puts its output into RESULT, and fails the test
# with WHAT and everything the command printed when it does not end with 0.
function(run_step what result)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE errors)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${what} ended with ${code}\n${output}\n${errors}")
  endif()
  set(${result} "${output}" PARENT_SCOPE)
endfunction()

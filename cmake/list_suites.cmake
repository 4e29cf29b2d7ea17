# Writes a file for ctest with one test for each suite of a gtest program, for a start of the program costs more than most
# tests: cmake -DPROGRAM=... -DLABEL=... -DFILE=... -P list_suites.cmake
#
# ctest says "Skipped" of a suite that skips a test and fails none: gtest then ends with the list of those skipped.
# tools/count_tests.py counts the tests in it.
execute_process(COMMAND ${PROGRAM} --gtest_list_tests OUTPUT_VARIABLE listed TIMEOUT 120 COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\n" ";" lines "${listed}")
set(tests "")
foreach(line IN LISTS lines)
  if(line MATCHES "^([^ ]+)\\.( |$)")
    set(suite ${CMAKE_MATCH_1})
    string(APPEND tests "add_test([=[${suite}]=] [=[${PROGRAM}]=] [=[--gtest_filter=${suite}.*]=])\n"
      "set_tests_properties([=[${suite}]=] PROPERTIES LABELS ${LABEL} TIMEOUT 900 "
      "SKIP_REGULAR_EXPRESSION [=[listed below:\n(\\[  SKIPPED \\] [^\n]*\n)+$]=])\n")
  endif()
endforeach()
file(WRITE ${FILE} "${tests}")

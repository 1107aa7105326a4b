# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0

# patchfield_layer(NAME SOURCES a.cpp … DEPENDS layer|library …)
# One static library per folder of src/patchfield: target patchfield_NAME.
function(patchfield_layer NAME)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_library(patchfield_${NAME} STATIC ${ARG_SOURCES})
  target_include_directories(patchfield_${NAME} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  target_link_libraries(patchfield_${NAME} PUBLIC ${ARG_DEPENDS} PRIVATE patchfield_flags)
endfunction()

# patchfield_test(NAME SOURCES a_test.cpp … LIBS …): one GoogleTest program, registered whole,
# so that ctest prints a line per file and a failing file prints its failing tests.
function(patchfield_test NAME)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LIBS" ${ARGN})
  add_executable(${NAME} ${ARG_SOURCES})
  target_include_directories(${NAME} PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_link_libraries(${NAME} PRIVATE ${ARG_LIBS} patchfield_flags GTest::gtest_main)
  add_test(NAME ${NAME} COMMAND ${NAME} --gtest_brief=1)
  if(PATCHFIELD_SANITIZE)
    set(ARG_TIMEOUT 3600)  # ten to thirty times slower
  endif()
  if(ARG_TIMEOUT)
    set_tests_properties(${NAME} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
  endif()
endfunction()

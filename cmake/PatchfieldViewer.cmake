# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0

# apps/viewer → one HTML page, PATCHFIELD_VIEWER_PAGE, made by the target viewer_page. Needs Node.js and npm, which come as
# Python packages: into .venv by make, beside the compiler's Python by pip. Without them, or with PATCHFIELD_VIEWER=OFF, the
# variable stays empty.
option(PATCHFIELD_VIEWER "Build the viewer's page into the library (needs Node.js and npm)" ON)
set(PATCHFIELD_VIEWER_PAGE "" CACHE INTERNAL "The page, or empty")
# Looked up anew at each configure: pip's folder is gone after its build.
unset(NODE CACHE)
unset(NPM CACHE)
find_program(NODE node HINTS ${PROJECT_SOURCE_DIR}/.venv/bin)
find_program(NPM npm HINTS ${PROJECT_SOURCE_DIR}/.venv/bin)
set(_node_version v0)
if(NODE)
  execute_process(COMMAND ${NODE} --version OUTPUT_VARIABLE _node_version OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(REPLACE v "" _node_version "${_node_version}")
endif()
if(PATCHFIELD_VIEWER AND (NOT NPM OR NOT NODE OR _node_version VERSION_LESS 20.11))
  message(STATUS "No npm, or no Node.js of 20.11 or newer: built without the viewer (no .html recordings, no `patchfield view`)")
elseif(PATCHFIELD_VIEWER)
  set(VIEWER ${PROJECT_SOURCE_DIR}/apps/viewer)
  get_filename_component(_node_folder ${NODE} DIRECTORY)  # for the packages' own scripts
  set(PATCHFIELD_VIEWER_PAGE ${PROJECT_BINARY_DIR}/viewer/viewer.html CACHE INTERNAL "The page, or empty")
  file(GLOB VIEWER_SOURCES CONFIGURE_DEPENDS ${VIEWER}/src/*)
  # npm writes this file last, so it dates the whole folder.
  add_custom_command(OUTPUT ${VIEWER}/node_modules/.package-lock.json
    COMMAND ${CMAKE_COMMAND} -E env "PATH=${_node_folder}:$ENV{PATH}" ${NPM} ci --no-audit --no-fund --loglevel=error
    DEPENDS ${VIEWER}/package.json ${VIEWER}/package-lock.json
    WORKING_DIRECTORY ${VIEWER}
    COMMENT "npm: installing the viewer's packages" VERBATIM)
  add_custom_command(OUTPUT ${PATCHFIELD_VIEWER_PAGE}
    COMMAND ${NODE} build.mjs ${PATCHFIELD_VIEWER_PAGE}
    DEPENDS ${VIEWER_SOURCES} ${VIEWER}/build.mjs ${VIEWER}/node_modules/.package-lock.json
    WORKING_DIRECTORY ${VIEWER}
    COMMENT "Building the viewer" VERBATIM)
  add_custom_target(viewer_page DEPENDS ${PATCHFIELD_VIEWER_PAGE})
endif()

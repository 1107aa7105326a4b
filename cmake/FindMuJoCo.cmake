# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
#
# MuJoCo's C library from the Python wheel `mujoco`, which holds headers and libmujoco.so side by side:
# the very library that `import mujoco` loads, so that both see the same models.
#
#   PATCHFIELD_MUJOCO_DIR   the folder with include/mujoco/mujoco.h and libmujoco.so.*; by default looked for in .venv
#   MuJoCo::mujoco          imported target. CMake puts its folder into the RPATH of what links it.

set(PATCHFIELD_MUJOCO_DIR "" CACHE PATH "Folder of MuJoCo's wheel; empty: looked for in .venv")

if(PATCHFIELD_MUJOCO_DIR)
  set(_mujoco_folders ${PATCHFIELD_MUJOCO_DIR})
elseif(SKBUILD)
  # `pip install .`: the mujoco that pip put beside the compiler's Python.
  execute_process(COMMAND ${Python_EXECUTABLE} -c
    "import importlib.util as u; print(u.find_spec('mujoco').submodule_search_locations[0])"
    OUTPUT_VARIABLE _mujoco_folders OUTPUT_STRIP_TRAILING_WHITESPACE)
else()
  file(GLOB _mujoco_folders ${PROJECT_SOURCE_DIR}/.venv/lib/python3*/site-packages/mujoco)
endif()

# Looked up anew at each configure: a cached path would outlive a new wheel.
unset(MuJoCo_LIBRARY)
unset(MuJoCo_INCLUDE_DIR)
unset(MuJoCo_VERSION)
foreach(_folder ${_mujoco_folders})
  file(GLOB _library ${_folder}/libmujoco.so.* ${_folder}/lib/libmujoco.so)
  if(_library AND EXISTS ${_folder}/include/mujoco/mujoco.h)
    list(GET _library 0 MuJoCo_LIBRARY)
    set(MuJoCo_INCLUDE_DIR ${_folder}/include)
    # The wheel's library carries its version in its name: libmujoco.so.4.0.0.
    string(REGEX MATCH "so\\.([0-9.]+)$" _ ${MuJoCo_LIBRARY})
    set(MuJoCo_VERSION ${CMAKE_MATCH_1})
    break()
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(MuJoCo
  REQUIRED_VARS MuJoCo_LIBRARY MuJoCo_INCLUDE_DIR
  VERSION_VAR MuJoCo_VERSION
  REASON_FAILURE_MESSAGE "MuJoCo's wheel is not in .venv: run `make venv`, or set PATCHFIELD_MUJOCO_DIR to its folder")

if(MuJoCo_FOUND AND NOT TARGET MuJoCo::mujoco)
  add_library(MuJoCo::mujoco SHARED IMPORTED)
  set_target_properties(MuJoCo::mujoco PROPERTIES
    IMPORTED_LOCATION ${MuJoCo_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${MuJoCo_INCLUDE_DIR})
endif()

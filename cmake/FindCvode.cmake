# SPDX-FileCopyrightText: 2026 The Patchfield authors
# SPDX-License-Identifier: Apache-2.0
#
# CVODE and the serial vector of SUNDIALS 5.8 to 7: target Cvode::cvode.
#
# Not SUNDIALSConfig.cmake: Debian's looks for MPI, PETSc and hypre too, which nothing here needs.

find_path(Cvode_INCLUDE_DIR cvode/cvode.h)
set(_cvode_libraries)
foreach(_name cvode nvecserial)
  find_library(Cvode_${_name}_LIBRARY sundials_${_name})
  list(APPEND _cvode_libraries Cvode_${_name}_LIBRARY)
endforeach()
find_library(Cvode_core_LIBRARY sundials_core)  # since SUNDIALS 7
mark_as_advanced(Cvode_INCLUDE_DIR Cvode_core_LIBRARY ${_cvode_libraries})

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Cvode
  REQUIRED_VARS ${_cvode_libraries} Cvode_INCLUDE_DIR
  REASON_FAILURE_MESSAGE "SUNDIALS is missing: run `tools/apt.sh build`, or install libsundials-dev")

if(Cvode_FOUND AND NOT TARGET Cvode::cvode)
  add_library(Cvode::cvode INTERFACE IMPORTED)
  target_include_directories(Cvode::cvode SYSTEM INTERFACE ${Cvode_INCLUDE_DIR})
  target_link_libraries(Cvode::cvode INTERFACE ${Cvode_cvode_LIBRARY} ${Cvode_nvecserial_LIBRARY})
  if(Cvode_core_LIBRARY)
    target_link_libraries(Cvode::cvode INTERFACE ${Cvode_core_LIBRARY})
  endif()
endif()

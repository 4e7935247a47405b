# The kernel headers as one string in the library, for the compiler that runs on the user's machine: list.hpp, and before
# each header those it includes.
set(CHORD_GENERATED ${PROJECT_BINARY_DIR}/generated)
set(kernel_headers "")
set(text "")
function(append_kernel_header name)
  if(name IN_LIST kernel_headers)
    return()
  endif()
  list(APPEND kernel_headers ${name})
  set(file ${PROJECT_SOURCE_DIR}/src/kernels/${name})
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} content)
  string(REGEX MATCHALL "#include \"[^\"]*\"" includes "${content}")
  foreach(include IN LISTS includes)
    string(REGEX REPLACE "#include \"(.*)\"" "\\1" include ${include})
    append_kernel_header(${include})
  endforeach()
  string(REGEX REPLACE "#pragma once\n|#include \"[^\n]*\n" "" content "${content}")
  string(APPEND text "\n// ${name}: ${content}")
  set(text "${text}" PARENT_SCOPE)
  set(kernel_headers "${kernel_headers}" PARENT_SCOPE)
endfunction()
append_kernel_header(list.hpp)
file(CONFIGURE OUTPUT ${CHORD_GENERATED}/device/kernel_headers.hpp @ONLY CONTENT [[
// Generated from src/kernels by cmake/KernelHeaders.cmake.
#pragma once

namespace chord {

inline constexpr const char* kernel_headers = R"kernels(@text@)kernels";

}  // namespace chord
]])

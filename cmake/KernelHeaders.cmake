# The kernel headers as one string in the library, for the compiler that runs on the user's machine.
set(CHORD_GENERATED ${PROJECT_BINARY_DIR}/generated)
set(kernel_headers vector visit product chain rows fit descent gelu mlp philox dropout embedding dense loss adam)
set(text "")
foreach(name IN LISTS kernel_headers)
  set(file ${PROJECT_SOURCE_DIR}/src/kernels/${name}.hpp)
  set_property(DIRECTORY ${PROJECT_SOURCE_DIR} APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
  file(READ ${file} content)
  string(REGEX REPLACE "#pragma once\n|#include \"[^\n]*\n" "" content "${content}")
  string(APPEND text "\n// ${name}.hpp: ${content}")
endforeach()
file(CONFIGURE OUTPUT ${CHORD_GENERATED}/device/kernel_headers.hpp @ONLY CONTENT [[
// Generated from src/kernels by cmake/KernelHeaders.cmake.
#pragma once

namespace chord {

inline constexpr const char* kernel_headers = R"kernels(@text@)kernels";

}  // namespace chord
]])

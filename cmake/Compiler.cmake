# How our own code is compiled, and the sanitizers.
option(CHORD_WERROR "Warnings are errors: for those who change the code, with compilers it is known to be clean under" OFF)
set(CHORD_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address,undefined")

add_library(chord_compiler INTERFACE)
target_compile_features(chord_compiler INTERFACE cxx_std_20)
target_compile_options(chord_compiler INTERFACE -Wall -Wextra -Wno-psabi -fvisibility=hidden -fvisibility-inlines-hidden)
if(CHORD_WERROR)
  target_compile_options(chord_compiler INTERFACE -Werror)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC 12 sees overlapping copies inside std::string where there are none (its bug 105329).
  target_compile_options(chord_compiler INTERFACE -Wno-restrict)
endif()
if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC takes the sources of a batch for headers, in which nothing may depend on what is nameless.
  target_compile_options(chord_compiler INTERFACE -Wno-subobject-linkage)
endif()
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang|IntelLLVM")
  # #pragma GCC unroll is understood, but Clang reports where it had nothing left to unroll.
  # libstdc++ 12's stable_sort takes its buffer from a function that C++17 calls deprecated.
  # Arguments of operations are put together from what they are made of, without inner braces.
  target_compile_options(chord_compiler INTERFACE -Wno-pass-failed -Wno-deprecated-declarations -Wno-missing-braces)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "IntelLLVM")
  # icpx would assume that there are no NaNs and reorder sums.
  target_compile_options(chord_compiler INTERFACE -fno-fast-math)
endif()
if(CHORD_SANITIZE)
  target_compile_options(chord_compiler INTERFACE -fsanitize=${CHORD_SANITIZE} -fno-omit-frame-pointer
                                                  -fno-sanitize-recover=all)
  target_link_options(chord_compiler INTERFACE -fsanitize=${CHORD_SANITIZE})
endif()
option(CHORD_FUZZ "Build the fuzzer of the loaders, which needs Clang" OFF)
if(CHORD_FUZZ)
  target_compile_options(chord_compiler INTERFACE -fsanitize=fuzzer-no-link)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)

# What leaves the work to kernels, such as launches, programs and tests, is rather compiled quickly. The fuzzer runs little
# else.
add_library(chord_client INTERFACE)
target_link_libraries(chord_client INTERFACE chord_compiler)
if(CHORD_SANITIZE AND NOT CHORD_FUZZ)
  target_compile_options(chord_client INTERFACE -O0)
else()
  target_compile_options(chord_client INTERFACE $<$<CONFIG:Release>:-O1>)
endif()

# libchord_sycl.so, the module with all that knows SYCL, by one of three compilers.
option(CHORD_SYCL_MODULE "Build the module; without it the library is ready for one, and has the host meanwhile" ON)
target_compile_definitions(chord_objects PRIVATE CHORD_WITH_SYCL CHORD_SYCL_BACKEND="${CHORD_SYCL}")
if(CHORD_SYCL STREQUAL "runtime")
  file(STRINGS ${PROJECT_SOURCE_DIR}/setup/oneapi CHORD_ONEAPI_VERSION REGEX "^version=")
  string(REPLACE "version=" "" CHORD_ONEAPI_VERSION ${CHORD_ONEAPI_VERSION})
  set(CHORD_SYCL_LIBRARY libsycl.so.9)
  target_compile_definitions(chord_objects PRIVATE CHORD_SYCL_FROM_WHEELS CHORD_ONEAPI_VERSION="${CHORD_ONEAPI_VERSION}"
                                                   CHORD_SYCL_LIBRARY="${CHORD_SYCL_LIBRARY}")
endif()
if(NOT CHORD_SYCL_MODULE)
  return()
endif()

add_library(chord_sycl MODULE
  src/device/sycl/sycl_backend.cpp src/device/sycl/sycl_queue.cpp src/device/host/host_memory.cpp
  src/common/memory.cpp)
target_include_directories(chord_sycl PRIVATE include src ${CHORD_GENERATED})
target_link_libraries(chord_sycl PRIVATE chord_compiler ${CMAKE_DL_LIBS})

if(CHORD_SYCL STREQUAL "runtime")
  # DPC++'s runtime as pip installs it; any C++ compiler builds the module, the runtime's own one the kernels.
  set(user_cache $ENV{XDG_CACHE_HOME})
  if(NOT user_cache)
    set(user_cache $ENV{HOME}/.cache)
  endif()
  set(CHORD_ONEAPI "${user_cache}/sparsechord/oneapi-${CHORD_ONEAPI_VERSION}" CACHE PATH
      "Folder that pip installed intel-sycl-rt and intel-opencl-rt into")
  if(NOT EXISTS "${CHORD_ONEAPI}/include/sycl/sycl.hpp")
    message(FATAL_ERROR "There is no SYCL runtime in ${CHORD_ONEAPI}: `make setup` installs it there, or name another "
                        "folder with -DCHORD_ONEAPI=FOLDER.")
  endif()
  add_library(chord_oneapi INTERFACE)
  target_include_directories(chord_oneapi SYSTEM INTERFACE ${CHORD_ONEAPI}/include)
  target_compile_definitions(chord_oneapi INTERFACE SYCL_DISABLE_FSYCL_SYCLHPP_WARNING CL_TARGET_OPENCL_VERSION=300)
  target_link_libraries(chord_oneapi INTERFACE ${CHORD_ONEAPI}/lib/${CHORD_SYCL_LIBRARY})
  target_sources(chord_sycl PRIVATE src/device/sycl/kernel_cache.cpp src/device/sycl/runtime_kernels.cpp)
  # No rpath: the library finds the runtime itself (loader.cpp), wherever it is by then.
  target_link_libraries(chord_sycl PRIVATE chord_oneapi)
  set_target_properties(chord_sycl PROPERTIES SKIP_BUILD_RPATH ON)
elseif(CHORD_SYCL STREQUAL "dpcpp")
  set(CHORD_SYCL_TARGETS "spir64" CACHE STRING "Targets for icpx -fsycl-targets=")
  target_sources(chord_sycl PRIVATE src/device/sycl/compiled_kernels.cpp)
  # A device compiles what is launched on it, and so no kernels of the other kind.
  set(sycl -fsycl -fsycl-targets=${CHORD_SYCL_TARGETS} -fsycl-device-code-split=per_kernel)
  target_compile_options(chord_sycl PRIVATE ${sycl} -ffp-contract=fast)
  target_link_options(chord_sycl PRIVATE ${sycl})
elseif(CHORD_SYCL STREQUAL "adaptivecpp")
  find_package(AdaptiveCpp REQUIRED)
  target_sources(chord_sycl PRIVATE src/device/sycl/compiled_kernels.cpp)
  target_compile_options(chord_sycl PRIVATE -ffp-contract=fast)
  if("${ACPP_TARGETS}" MATCHES "hip")
    # No group has more lanes (kernels/operation.hpp); for 1024, which Clang takes for given, there are half the registers.
    target_compile_options(chord_sycl PRIVATE --gpu-max-threads-per-block=256)
  endif()
  add_sycl_to_target(TARGET chord_sycl SOURCES
    src/device/sycl/sycl_backend.cpp src/device/sycl/sycl_queue.cpp src/device/sycl/compiled_kernels.cpp)
  # Its compiler adds a RUNPATH of its own, which may have an empty entry.
  add_custom_command(TARGET chord_sycl POST_BUILD COMMAND
    ${CMAKE_COMMAND} -DLIBRARY=$<TARGET_FILE:chord_sycl> -P ${PROJECT_SOURCE_DIR}/cmake/DropEmptyRunpath.cmake)
else()
  message(FATAL_ERROR "CHORD_SYCL is ${CHORD_SYCL}; expected none, runtime, dpcpp or adaptivecpp")
endif()

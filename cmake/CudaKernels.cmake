# The kernels as PTX for NVIDIA GPUs, inside the library. Clang makes it of the headers that all compilers get; nothing
# of NVIDIA's is needed before the library runs.
set(CHORD_CUDA "AUTO" CACHE STRING
    "NVIDIA GPUs through the CUDA driver: AUTO (where there is a Clang to compile the kernels), ON or OFF")
set_property(CACHE CHORD_CUDA PROPERTY STRINGS AUTO ON OFF)

# Clang knows __attribute__((nvptx_kernel)) from 19 on.
function(chord_is_clang_for_ptx result path)
  execute_process(COMMAND ${path} --target=nvptx64-nvidia-cuda -dM -E -x c++ /dev/null
                  OUTPUT_VARIABLE macros ERROR_QUIET RESULT_VARIABLE status)
  if(status OR NOT macros MATCHES "__clang_major__ ([0-9]+)" OR CMAKE_MATCH_1 LESS 19)
    set(${result} FALSE PARENT_SCOPE)
  endif()
endfunction()
if(NOT CHORD_CUDA STREQUAL "OFF")
  find_program(CHORD_CUDA_CLANG NAMES clang++-19 clang++ clang++-20 clang++-21 VALIDATOR chord_is_clang_for_ptx
               DOC "Clang of 19 or newer, which compiles the kernels to PTX")
endif()

if(CHORD_CUDA_CLANG)
  set(ptx_folder ${CHORD_GENERATED}/device/cuda)
  set(freestanding ${PROJECT_SOURCE_DIR}/src/device/cuda/freestanding)
  add_executable(chord-ptx-source src/device/cuda/write_ptx_source.cpp $<TARGET_OBJECTS:chord_entry_source>)
  target_include_directories(chord-ptx-source PRIVATE src ${CHORD_GENERATED})
  target_link_libraries(chord-ptx-source PRIVATE chord_client)
  set_target_properties(chord-ptx-source PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${ptx_folder})
  add_custom_command(
    OUTPUT ${ptx_folder}/kernels.ptx ${ptx_folder}/ptx.cpp
    COMMAND chord-ptx-source ${ptx_folder}/kernels.cpp
    # sm_70 is the oldest GPU; drivers compile it for newer ones.
    COMMAND ${CHORD_CUDA_CLANG} --target=nvptx64-nvidia-cuda -march=sm_70 -std=c++20 -O3 -S -ffreestanding -nostdinc++
            -isystem ${freestanding} -ffp-contract=fast -DCHORD_GPU -Wno-pass-failed -mllvm -inline-threshold=100000
            # Addresses of a group's memory in 32 bits, which they fit in.
            -Xclang -fcuda-short-ptr -mllvm --nvptx-short-ptr
            ${ptx_folder}/kernels.cpp -o ${ptx_folder}/kernels.ptx
    COMMAND ${CMAKE_COMMAND} -DPTX=${ptx_folder}/kernels.ptx -DOUTPUT=${ptx_folder}/ptx.cpp
            -P ${PROJECT_SOURCE_DIR}/cmake/EmbedPtx.cmake
    DEPENDS chord-ptx-source ${CMAKE_CURRENT_LIST_DIR}/EmbedPtx.cmake ${freestanding}/cstddef ${freestanding}/cstdint
    COMMENT "Compiling kernels to PTX"
    VERBATIM)
  target_sources(chord_objects PRIVATE ${ptx_folder}/ptx.cpp)
  # Not in a batch with others: make lint reads those before anything is built.
  set_source_files_properties(${ptx_folder}/ptx.cpp PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
elseif(CHORD_CUDA STREQUAL "ON")
  message(FATAL_ERROR "CHORD_CUDA is ON, but there is no Clang of 19 or newer that can compile for nvptx64; "
                      "-DCHORD_CUDA_CLANG=PATH names one")
else()
  message(STATUS "NVIDIA GPUs: left out (CHORD_CUDA=${CHORD_CUDA}, no Clang of 19 or newer)")
  target_sources(chord_objects PRIVATE src/device/cuda/no_ptx.cpp)
endif()

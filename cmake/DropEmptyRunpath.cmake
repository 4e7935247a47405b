# cmake -DLIBRARY=FILE -P DropEmptyRunpath.cmake: takes empty entries out of a library's RUNPATH. The loader takes one for
# the current folder, where anybody may have put a library.
execute_process(COMMAND readelf -d ${LIBRARY} OUTPUT_VARIABLE dynamic COMMAND_ERROR_IS_FATAL ANY)
if(NOT dynamic MATCHES "\\(R(UN)?PATH\\)[^[]*\\[([^\n]*)\\]")
  return()
endif()
string(REPLACE ":" ";" entries "${CMAKE_MATCH_2}")
set(kept "")
foreach(entry IN LISTS entries)
  list(APPEND kept ${entry})  # an empty one adds nothing
endforeach()
list(JOIN kept ":" kept)
if(NOT kept STREQUAL "${CMAKE_MATCH_2}")
  file(RPATH_SET FILE ${LIBRARY} NEW_RPATH "${kept}")
endif()

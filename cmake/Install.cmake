# Headers, libraries, programs; a CMake package and a pkg-config file.
include(CMakePackageConfigHelpers)

install(TARGETS chord EXPORT SparseChordTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
install(FILES include/chord/chord.h include/chord/chord.hpp include/chord/chord_sycl.hpp DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/chord)
if(TARGET chord_sycl)
  install(TARGETS chord_sycl LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(CHORD_PROGRAMS)
  install(TARGETS chord-info chord-check chord-pattern chord-factorize chord-train RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()

install(FILES LICENSE README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES tests/consumers/example.c DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/SparseChord)
install(EXPORT SparseChordTargets NAMESPACE SparseChord:: DESTINATION ${package_folder})
file(WRITE ${PROJECT_BINARY_DIR}/SparseChordConfig.cmake
     "include(\${CMAKE_CURRENT_LIST_DIR}/SparseChordTargets.cmake)\n")
write_basic_package_version_file(${PROJECT_BINARY_DIR}/SparseChordConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SparseChordConfig.cmake ${PROJECT_BINARY_DIR}/SparseChordConfigVersion.cmake
        DESTINATION ${package_folder})

file(RELATIVE_PATH to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/sparsechord.pc @ONLY CONTENT [[
prefix=${pcfiledir}/@to_prefix@
includedir=${prefix}/@CMAKE_INSTALL_INCLUDEDIR@
libdir=${prefix}/@CMAKE_INSTALL_LIBDIR@

Name: SparseChord
Description: @PROJECT_DESCRIPTION@
Version: @PROJECT_VERSION@
Cflags: -I${includedir}
Libs: -L${libdir} -lchord
]])
install(FILES ${PROJECT_BINARY_DIR}/sparsechord.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

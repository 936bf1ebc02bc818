# Installs the library, its headers, the program and the package that find_package(wordsway) reads.
include(CMakePackageConfigHelpers)

install(TARGETS wordsway wordsway_core wordsway_engine wordsway_model wordsway_study EXPORT wordswayTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(WORDSWAY_SHARED)
  install(TARGETS wordsway_rest wordsway_kernels_${WORDSWAY_LOWEST_LEVEL} EXPORT wordswayTargets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  wordsway_install_higher_levels(${CMAKE_INSTALL_LIBDIR})
endif()
install(FILES LICENSE THIRD_PARTY_NOTICES.txt DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(TARGETS wordsway_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY src/wordsway DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY models/builtin models/builtin-decoder models/normalisers
        DESTINATION ${CMAKE_INSTALL_DATADIR}/wordsway/models OPTIONAL)
install(EXPORT wordswayTargets NAMESPACE wordsway:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wordsway)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/wordswayConfigVersion.cmake COMPATIBILITY SameMinorVersion)
configure_package_config_file(cmake/wordswayConfig.cmake.in ${PROJECT_BINARY_DIR}/wordswayConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wordsway)
install(FILES ${PROJECT_BINARY_DIR}/wordswayConfig.cmake ${PROJECT_BINARY_DIR}/wordswayConfigVersion.cmake
              cmake/FindUtf8proc.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/wordsway)

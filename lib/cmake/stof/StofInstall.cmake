# Files of `cmake --install`, including the configuration for find_package(stof).
include(CMakePackageConfigHelpers)

set(stof_cmake_dir ${CMAKE_INSTALL_LIBDIR}/cmake/stof)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/lib/cmake/stof/stofConfig.cmake.in
  ${PROJECT_BINARY_DIR}/lib/cmake/stof/stofConfig.cmake
  INSTALL_DESTINATION ${stof_cmake_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/lib/cmake/stof/stofConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/lib/cmake/stof/stofConfig.cmake
  ${PROJECT_BINARY_DIR}/lib/cmake/stof/stofConfigVersion.cmake
  DESTINATION ${stof_cmake_dir})
install(EXPORT stofTargets NAMESPACE stof:: DESTINATION ${stof_cmake_dir})
install(DIRECTORY include/stof include/stof-c ${PROJECT_BINARY_DIR}/include/stof
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
  FILES_MATCHING PATTERN "*.h" PATTERN "*.td" PATTERN "*.def" PATTERN "*.inc" PATTERN "CMakeFiles" EXCLUDE)

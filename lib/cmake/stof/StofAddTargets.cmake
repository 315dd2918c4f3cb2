# Lets a target reuse the precompiled header, if there is one.
function(stof_precompile name)
  if(STOF_PCH)
    target_precompile_headers(${name} REUSE_FROM StofPCH)
  endif()
endfunction()

# stof_add_library(<name> SOURCES <file>... [GENERATED <tablegen target>...] [LINK <library>...])
#
# Each folder of lib/ is a static library with public dependencies.
function(stof_add_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;GENERATED;LINK")
  add_library(${name} STATIC ${arg_SOURCES})
  add_library(stof::${name} ALIAS ${name})
  set_target_properties(${name} PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    ARCHIVE_OUTPUT_DIRECTORY ${LLVM_LIBRARY_OUTPUT_INTDIR})
  llvm_update_compile_flags(${name})
  target_include_directories(${name} INTERFACE
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include;${PROJECT_BINARY_DIR}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  target_link_libraries(${name} PUBLIC ${arg_LINK} stof::mlir)
  if(arg_GENERATED)
    add_dependencies(${name} ${arg_GENERATED})
  endif()
  stof_precompile(${name})
  install(TARGETS ${name} EXPORT stofTargets)
endfunction()

# stof_add_tool(<name> <file>... [PLUGINS] [LINK <library>...]): a program in
# bin/. With PLUGINS, plugins that it loads find its symbols; a static build has
# no plugins.
function(stof_add_tool name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "PLUGINS" "" "LINK")
  # In a static build the function must not add the shared libLLVM.
  set(linkage "")
  if(STOF_MLIR_LINKAGE STREQUAL "static")
    set(linkage DISABLE_LLVM_LINK_LLVM_DYLIB)
  endif()
  add_llvm_executable(${name} ${linkage} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${arg_LINK})
  if(arg_PLUGINS AND STOF_MLIR_LINKAGE STREQUAL "shared")
    set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON)
  endif()
  target_compile_definitions(${name} PRIVATE STOF_VERSION="${PROJECT_VERSION}")
  stof_precompile(${name})
  install(TARGETS ${name})
endfunction()

# stof_install_shared(<name>): installs a shared library with a C interface; in
# a wheel, into the package for Python, which loads it from there.
function(stof_install_shared name)
  if(SKBUILD)
    target_link_options(${name} PRIVATE -static-libstdc++ -static-libgcc)
    install(TARGETS ${name} LIBRARY DESTINATION stof COMPONENT python)
  else()
    install(TARGETS ${name} EXPORT stofTargets)
  endif()
endfunction()

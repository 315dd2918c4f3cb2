# Finds MLIR and defines the interface target stof::mlir for all of it. Libraries
# and tools of stof must not link components of MLIR or LLVM: with the shared
# linkage these would add a second copy of their code to that of libMLIR.so.

find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(MLIR 22.1 REQUIRED CONFIG HINTS /usr/lib/llvm-22/lib/cmake/mlir)

# The output directories of the functions of AddLLVM.
set(LLVM_RUNTIME_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/bin)
set(LLVM_LIBRARY_OUTPUT_INTDIR ${PROJECT_BINARY_DIR}/lib)
set(MLIR_BINARY_DIR ${PROJECT_BINARY_DIR})
set(LLVM_EXTERNAL_LIT ${LLVM_TOOLS_BINARY_DIR}/lit CACHE FILEPATH "The lit that runs the tests")
set(LLVM_LIT_ARGS "-sv" CACHE STRING "Arguments for lit")

list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
include(HandleLLVMOptions)

separate_arguments(STOF_LLVM_DEFINITIONS NATIVE_COMMAND ${LLVM_DEFINITIONS})
add_definitions(${STOF_LLVM_DEFINITIONS})
include_directories(SYSTEM ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
include_directories(${PROJECT_SOURCE_DIR}/include ${PROJECT_BINARY_DIR}/include)

# What the archives of LLVM and LLD compress with.
set(STOF_COMPRESSION z zstd)

add_library(stof-mlir INTERFACE)
add_library(stof::mlir ALIAS stof-mlir)
set_target_properties(stof-mlir PROPERTIES EXPORT_NAME mlir)
target_compile_features(stof-mlir INTERFACE cxx_std_17)
# The installed package searches for the headers, see stofConfig.cmake.in.
target_include_directories(stof-mlir SYSTEM INTERFACE
  "$<BUILD_INTERFACE:${MLIR_INCLUDE_DIRS};${LLVM_INCLUDE_DIRS}>")
install(TARGETS stof-mlir EXPORT stofTargets)

if(STOF_MLIR_LINKAGE STREQUAL "shared")
  if(NOT TARGET MLIR)
    message(FATAL_ERROR "${MLIR_DIR} has no shared libMLIR; configure with -DSTOF_MLIR_LINKAGE=static")
  endif()
  target_link_libraries(stof-mlir INTERFACE MLIR LLVM)
elseif(STOF_MLIR_LINKAGE STREQUAL "static")
  # The archives are linked as files: as targets they add the shared libLLVM.
  # Debian's libLLVM is built with Polly, which is a separate package.
  file(GLOB archives ${LLVM_LIBRARY_DIR}/libMLIR*.a ${LLVM_LIBRARY_DIR}/libLLVM*.a
    ${LLVM_LIBRARY_DIR}/libPolly*.a)
  list(FILTER archives EXCLUDE REGEX "MLIRCAPI|MLIRTest|TestPasses|TableGen|Tblgen|Exegesis|Fuzzer|DebuginfoD|DWARFLinker")
  find_library(STOF_libz libz.a REQUIRED)
  find_library(STOF_libzstd libzstd.a REQUIRED)
  set(STOF_COMPRESSION ${STOF_libz} ${STOF_libzstd})
  target_link_libraries(stof-mlir INTERFACE
    -Wl,--start-group ${archives} -Wl,--end-group ${STOF_COMPRESSION} m)
  target_link_options(stof-mlir INTERFACE LINKER:--gc-sections LINKER:-s)
else()
  message(FATAL_ERROR "STOF_MLIR_LINKAGE is shared or static, not '${STOF_MLIR_LINKAGE}'")
endif()

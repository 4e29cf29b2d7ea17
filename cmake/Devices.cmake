# Where kernels run beside the host: the device API named by QUARRY_DEVICE, and in builds with tests the emulated device.
#
# Only exec and the steps.cpp of an engine meet a device. A steps.cpp is compiled once more for each kind of device,
# from a file of one line that is made here.
set(QUARRY_DEVICES none cuda hip sycl)
if(NOT QUARRY_DEVICE IN_LIST QUARRY_DEVICES)
  message(FATAL_ERROR "QUARRY_DEVICE is '${QUARRY_DEVICE}', and must be none, cuda, hip or sycl")
endif()
string(TOUPPER "${QUARRY_DEVICE}" device_api)
set(device_ending cu)

if(QUARRY_DEVICE STREQUAL "cuda")
  if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES 80 90)  # A100, H100 and H200; newer ones run the code of 90
  endif()
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  if(NOT DEFINED CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25 does not know that nvcc 13 speaks C++20
    set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION -std=c++20)
    set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION -std=c++20)
  endif()
  set(device_library CUDA::cudart_static)
  set(device_options -Werror=all-warnings -Xcompiler=-Wall,-Wextra,-Wshadow,-Werror)
elseif(QUARRY_DEVICE STREQUAL "hip")
  # Only the device's sources: clang 15 cannot read all of what g++ 12 brings along.
  find_program(QUARRY_HIP_COMPILER NAMES clang++-15 amdclang++ PATHS /opt/rocm/bin REQUIRED)
  # By hand: the config of Debian's package asks for hipcc, which nothing here needs.
  find_path(HIP_INCLUDE_DIR hip/hip_runtime.h PATHS /opt/rocm/include REQUIRED)
  find_library(HIP_LIBRARY amdhip64 PATHS /opt/rocm/lib REQUIRED)
  find_path(HIP_BITCODE_DIR ockl.bc PATHS /opt/rocm/amdgcn/bitcode
    /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE}/amdgcn/bitcode REQUIRED)
  get_filename_component(HIP_ROOT ${HIP_INCLUDE_DIR} DIRECTORY)
  set(QUARRY_HIP_ARCHITECTURES gfx90a CACHE STRING "AMD architectures to compile for")
  list(TRANSFORM QUARRY_HIP_ARCHITECTURES PREPEND --offload-arch= OUTPUT_VARIABLE device_options)
  list(PREPEND device_options -xhip --rocm-path=${HIP_ROOT} --rocm-device-lib-path=${HIP_BITCODE_DIR} -std=c++20 -O3
    -ffp-contract=off -fPIC -fvisibility=hidden -Wall -Wextra -Wshadow -Werror)
  set(device_library ${HIP_LIBRARY})
elseif(QUARRY_DEVICE STREQUAL "sycl")
  # Only the device's sources, and every link: that is where DPC++ collects what it compiled for devices.
  find_program(found_sycl NAMES acpp icpx NO_CACHE)
  string(REGEX REPLACE "icpx$" "icpx -fsycl -fp-model=precise" found_sycl "${found_sycl}")  # else it reorders sums
  set(QUARRY_SYCL_COMPILER "${found_sycl}" CACHE STRING "SYCL 2020 compiler with its options, such as clang++ -fsycl")
  if(NOT QUARRY_SYCL_COMPILER)
    message(FATAL_ERROR "there is no SYCL compiler here: name one with -DQUARRY_SYCL_COMPILER='clang++ -fsycl'")
  endif()
  separate_arguments(sycl_compiler UNIX_COMMAND "${QUARRY_SYCL_COMPILER}")
  foreach(rule CMAKE_CXX_LINK_EXECUTABLE CMAKE_CXX_CREATE_SHARED_LIBRARY)
    string(REPLACE "<CMAKE_CXX_COMPILER>" "${QUARRY_SYCL_COMPILER}" ${rule} "${${rule}}")
  endforeach()
  set(device_ending cpp)
  set(device_options -std=c++20 -O3 -ffp-contract=off -fPIC -fvisibility=hidden -Wall -Wextra -Wshadow -Werror)
endif()

# bench/run.sh tune dock varies it. HIP and SYCL have no such option for a whole file. PERF: on an H100 a cap of 80 is worth 5 %.
set(QUARRY_MAX_REGISTERS 80 CACHE STRING "Most registers of a thread in the kernels of dock, with CUDA; 0: no cap")

# Definitions that exec and steps are compiled with.
set(device_definitions)
if(NOT QUARRY_DEVICE STREQUAL "none")
  list(APPEND device_definitions QUARRY_WITH_DEVICE QUARRY_WITH_${device_api})
endif()
if(QUARRY_TESTS)
  list(APPEND device_definitions QUARRY_WITH_EMULATION)
endif()

# Adds `source` to quarry_NAME, compiled for the device API.
function(quarry_device_source name source)
  get_filename_component(base ${source} NAME_WE)
  set(file ${PROJECT_BINARY_DIR}/device/${name}_${base}.${device_ending})
  file(CONFIGURE OUTPUT ${file} CONTENT "#include \"${source}\"\n")
  if(QUARRY_DEVICE STREQUAL "cuda")
    add_library(quarry_device_${name} OBJECT ${file})
    target_compile_options(quarry_device_${name} PRIVATE ${device_options})
    if(name STREQUAL "dock")
      target_compile_options(quarry_device_dock PRIVATE --fmad=false)  # rounds as the host does
      if(QUARRY_MAX_REGISTERS GREATER 0)
        target_compile_options(quarry_device_dock PRIVATE --maxrregcount=${QUARRY_MAX_REGISTERS})
      endif()
    endif()
    target_compile_definitions(quarry_device_${name} PRIVATE ${device_definitions})
    target_link_libraries(quarry_device_${name} PRIVATE quarry_internal)
    target_sources(quarry_${name} PRIVATE $<TARGET_OBJECTS:quarry_device_${name}>)
    set_property(GLOBAL APPEND PROPERTY quarry_device_objects $<TARGET_OBJECTS:quarry_device_${name}>)
    return()
  endif()
  if(QUARRY_DEVICE STREQUAL "hip")
    set(compiler ${QUARRY_HIP_COMPILER} -DQUARRY_WITH_HIP)
  else()
    set(compiler ${sycl_compiler} -DQUARRY_SYCL)
  endif()
  add_custom_command(OUTPUT ${file}.o DEPFILE ${file}.d DEPENDS ${file} VERBATIM COMMAND_EXPAND_LISTS
    COMMAND ${compiler} ${device_options} -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src
      -MD -MF ${file}.d -MT ${file}.o -c ${file} -o ${file}.o)
  target_sources(quarry_${name} PRIVATE ${file}.o)
  set_property(GLOBAL APPEND PROPERTY quarry_device_objects ${file}.o)  # TARGET_OBJECTS leaves them out
  set_source_files_properties(${file}.o PROPERTIES EXTERNAL_OBJECT TRUE GENERATED TRUE)
endfunction()

function(quarry_device_exec)
  target_compile_definitions(quarry_exec PRIVATE ${device_definitions})
  if(QUARRY_DEVICE MATCHES "cuda|hip")
    quarry_device_source(exec exec/device/algorithms_gpu.cu)
    target_link_libraries(quarry_exec PRIVATE ${device_library})
    if(QUARRY_DEVICE STREQUAL "hip")
      target_compile_definitions(quarry_exec PRIVATE __HIP_PLATFORM_AMD__)
      target_include_directories(quarry_exec SYSTEM PRIVATE ${HIP_INCLUDE_DIR})
    endif()
  elseif(QUARRY_DEVICE STREQUAL "sycl")
    quarry_device_source(exec exec/device/sycl.cpp)
    quarry_device_source(exec exec/device/algorithms_sycl.cpp)
  endif()
endfunction()

# @param folder  of the steps.cpp, below src/
function(quarry_device_steps name folder)
  target_compile_definitions(quarry_${name} PRIVATE ${device_definitions})
  if(QUARRY_TESTS)
    set(file ${PROJECT_BINARY_DIR}/device/${name}_emulated.cpp)
    file(CONFIGURE OUTPUT ${file} CONTENT "#define QUARRY_EMULATED\n#include \"${folder}/steps.cpp\"\n")
    set_source_files_properties(${file} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
    target_sources(quarry_${name} PRIVATE ${file})
  endif()
  if(NOT QUARRY_DEVICE STREQUAL "none")
    quarry_device_source(${name} ${folder}/steps.cpp)
  endif()
endfunction()

# A program of exec and all device code, for tools/check_device_build.sh. The rest of Quarry is as in a build without.
function(quarry_device_probe)
  if(NOT QUARRY_DEVICE STREQUAL "none")
    get_property(objects GLOBAL PROPERTY quarry_device_objects)
    add_executable(quarry_device_probe EXCLUDE_FROM_ALL ${PROJECT_SOURCE_DIR}/tools/device_probe.cpp ${objects})
    target_link_libraries(quarry_device_probe PRIVATE quarry_exec ${device_library})
  endif()
endfunction()

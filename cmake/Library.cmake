# The library that users link: quarry::static and quarry::shared, made of the same objects, and their installation.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

get_property(objects GLOBAL PROPERTY quarry_device_objects)
foreach(folder ${quarry_folders})
  list(APPEND objects $<TARGET_OBJECTS:quarry_${folder}>)
endforeach()

# Any minor version may change the binary interface.
set(quarry_abi ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
foreach(form static shared)
  string(TOUPPER ${form} kind)
  add_library(quarry_${form} ${kind} ${objects})
  add_library(quarry::${form} ALIAS quarry_${form})
  set_target_properties(quarry_${form} PROPERTIES LINKER_LANGUAGE CXX OUTPUT_NAME quarry EXPORT_NAME ${form}
    VERSION ${PROJECT_VERSION} SOVERSION ${quarry_abi} EXCLUDE_FROM_ALL $<NOT:$<BOOL:${QUARRY_INSTALL}>>)
  target_include_directories(quarry_${form} INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_compile_features(quarry_${form} INTERFACE cxx_std_20)
  target_link_libraries(quarry_${form} PRIVATE ${quarry_dependencies} ${device_library})
endforeach()
target_link_options(quarry_shared PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map)
set_target_properties(quarry_shared PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/exports.map)

# Inside another project its usual switch chooses the form.
if(BUILD_SHARED_LIBS)
  add_library(quarry::quarry ALIAS quarry_shared)
else()
  add_library(quarry::quarry ALIAS quarry_static)
endif()

if(NOT QUARRY_INSTALL)
  return()
endif()

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/quarry)
install(DIRECTORY include/quarry DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
install(TARGETS quarry_static EXPORT quarry-static
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development)
install(TARGETS quarry_shared EXPORT quarry-shared
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime NAMELINK_COMPONENT development)
foreach(form static shared)
  install(EXPORT quarry-${form} FILE quarry-${form}.cmake NAMESPACE quarry:: DESTINATION ${package_folder}
    COMPONENT development)
endforeach()

configure_package_config_file(cmake/quarryConfig.cmake.in ${PROJECT_BINARY_DIR}/quarryConfig.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS CMAKE_INSTALL_LIBDIR)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/quarryConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/quarryConfig.cmake ${PROJECT_BINARY_DIR}/quarryConfigVersion.cmake
  cmake/FindRDKit.cmake DESTINATION ${package_folder} COMPONENT development)

# For pkg-config: paths from its own file, so that the folder can be moved.
file(RELATIVE_PATH prefix_from_pc ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
list(TRANSFORM RDKit_COMPONENTS PREPEND -lRDKit OUTPUT_VARIABLE rdkit_libraries)
list(JOIN rdkit_libraries " " rdkit_libraries)
configure_file(cmake/quarry.pc.in ${PROJECT_BINARY_DIR}/quarry.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/quarry.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# Debian packages, one for each component: `cpack` in the build folder makes them. packaging/debian has what only Debian
# asks for.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # each package has its own
set(CPACK_PACKAGE_CONTACT "Quarry maintainers <maintainers@example.org>")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/packaging/debian/complete.cmake)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_ENABLE_COMPONENT_DEPENDS ON)

set(CPACK_COMPONENTS_ALL)
macro(quarry_debian_package component name section summary text)
  string(TOUPPER ${component} upper)
  list(APPEND CPACK_COMPONENTS_ALL ${component})
  set(CPACK_DEBIAN_${upper}_PACKAGE_NAME ${name})
  set(CPACK_DEBIAN_${upper}_PACKAGE_SECTION ${section})
  set(CPACK_DEBIAN_${upper}_DESCRIPTION "${summary}\n${text}")
endmacro()

if(TARGET quarry_cli)
  quarry_debian_package(program quarry science "search in molecule libraries and large graphs"
    "Finds which SMARTS patterns match which molecules, which molecules are alike,
and how often a pattern is in one large graph, also while it changes, with exact
answers. Docks molecules in a pocket of a protein, and ranks them.")
endif()

quarry_debian_package(runtime libquarry${quarry_abi} libs "search in molecules and graphs: shared library"
  "The library that programs need which use Quarry from C++.")
file(CONFIGURE OUTPUT debian/shlibs
  CONTENT "libquarry ${quarry_abi} libquarry${quarry_abi} (>= ${quarry_abi})\n")
file(CONFIGURE OUTPUT debian/triggers CONTENT "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/shlibs ${PROJECT_BINARY_DIR}/debian/triggers)

quarry_debian_package(development libquarry-dev libdevel "search in molecules and graphs: C++ headers"
  "Headers, the static library, and files for CMake and pkg-config.")
set(CPACK_COMPONENT_DEVELOPMENT_DEPENDS runtime)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "librdkit-dev, libboost-serialization-dev, libboost-iostreams-dev, \
libtbb-dev, libhwy-dev, libfmt-dev, zlib1g-dev, libbz2-dev, liblzma-dev, libzstd-dev, libxxhash-dev, libsqlite3-dev, libigraph-dev")

if(QUARRY_PYTHON)
  quarry_debian_package(python python3-quarry python "search in molecules and graphs: Python module"
    "Matches, compares and docks molecules, and counts and lists patterns in one large
graph, also while it changes, with NumPy arrays in and out.")
  find_package(Python COMPONENTS Interpreter)
  math(EXPR next_minor "${Python_VERSION_MINOR} + 1")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "python3 (>= ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}), \
python3 (<< ${Python_VERSION_MAJOR}.${next_minor}), python3-numpy")
  set(CPACK_DEBIAN_PYTHON_PACKAGE_CONTROL_EXTRA ${PROJECT_SOURCE_DIR}/packaging/debian/postinst
    ${PROJECT_SOURCE_DIR}/packaging/debian/prerm)
endif()

# For complete.cmake.
set(CPACK_QUARRY_DEBIAN ${PROJECT_SOURCE_DIR}/packaging/debian)
set(CPACK_QUARRY_PYTHON "${QUARRY_PYTHON_DESTINATION}")
include(CPack)

# Finds RDKit's C++ libraries, for which Debian ships no CMake config.
# Defines RDKit_FOUND, RDKit_VERSION and the imported target RDKit::RDKit.
find_path(RDKit_INCLUDE_DIR GraphMol/ROMol.h PATH_SUFFIXES rdkit)

set(RDKit_COMPONENTS FilterCatalog Catalogs DistGeomHelpers ForceFieldHelpers ForceField DistGeometry Depictor Fingerprints FileParsers
    SmilesParse SubstructMatch GraphMol RDGeometryLib DataStructs RDGeneral)
set(RDKit_LIBRARIES)
set(rdkit_missing)
foreach(component ${RDKit_COMPONENTS})
  find_library(RDKit_${component}_LIBRARY NAMES RDKit${component})
  mark_as_advanced(RDKit_${component}_LIBRARY)
  if(RDKit_${component}_LIBRARY)
    list(APPEND RDKit_LIBRARIES ${RDKit_${component}_LIBRARY})
  else()
    list(APPEND rdkit_missing RDKit${component})
  endif()
endforeach()

# Debian's versions.h leaves its version unfilled; the shared library's name carries it.
if(RDKit_RDGeneral_LIBRARY)
  file(GLOB rdkit_versioned "${RDKit_RDGeneral_LIBRARY}.1.*")
  string(REGEX MATCH "[0-9][0-9][0-9][0-9]\\.[0-9]+\\.[0-9]+" RDKit_VERSION "${rdkit_versioned}")
endif()

include(FindPackageHandleStandardArgs)
if(rdkit_missing)
  set(RDKit_LIBRARIES RDKit_LIBRARIES-NOTFOUND)
endif()
find_package_handle_standard_args(RDKit
  REQUIRED_VARS RDKit_INCLUDE_DIR RDKit_LIBRARIES
  VERSION_VAR RDKit_VERSION
  REASON_FAILURE_MESSAGE "missing: ${rdkit_missing}, on Debian install librdkit-dev (scripts/setup.sh does)")

if(RDKit_FOUND AND NOT TARGET RDKit::RDKit)
  find_package(Boost REQUIRED COMPONENTS serialization iostreams)
  add_library(RDKit::RDKit INTERFACE IMPORTED)
  set_target_properties(RDKit::RDKit PROPERTIES
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${RDKit_INCLUDE_DIR}"
    INTERFACE_INCLUDE_DIRECTORIES "${RDKit_INCLUDE_DIR}"
    # Debian builds RDKit with this switch, which changes the layout of query classes, but its headers leave it unset.
    INTERFACE_COMPILE_DEFINITIONS "RDK_BUILD_THREADSAFE_SSS="
    INTERFACE_LINK_LIBRARIES "${RDKit_LIBRARIES};Boost::serialization;Boost::iostreams")
endif()
mark_as_advanced(RDKit_INCLUDE_DIR)

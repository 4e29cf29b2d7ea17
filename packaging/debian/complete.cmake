# Run by cpack between installing and packing: what Debian's policy asks of every package.
set(packages ${CPACK_TEMPORARY_INSTALL_DIRECTORY})
foreach(component ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${component} name)
  set(usr ${packages}/${component}/usr)
  set(doc ${usr}/share/doc/${CPACK_DEBIAN_${name}_PACKAGE_NAME})
  file(COPY ${CPACK_QUARRY_DEBIAN}/copyright ${CPACK_QUARRY_DEBIAN}/changelog DESTINATION ${doc}
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
  file(GLOB manuals ${usr}/share/man/man*/*.[1-9])
  execute_process(COMMAND gzip -9nf ${doc}/changelog ${manuals} COMMAND_ERROR_IS_FATAL ANY)
endforeach()

# Debian's zsh looks elsewhere.
set(zsh ${packages}/program/usr/share/zsh)
if(EXISTS ${zsh}/site-functions)
  file(RENAME ${zsh}/site-functions ${zsh}/vendor-completions)
endif()

# Packages of Debian's Python serve all its versions from one folder.
set(modules lib/python3/dist-packages)
if(NOT CPACK_QUARRY_PYTHON STREQUAL modules AND EXISTS ${packages}/python)
  set(usr ${packages}/python/usr)
  file(MAKE_DIRECTORY ${usr}/lib/python3)
  file(RENAME ${usr}/${CPACK_QUARRY_PYTHON} ${usr}/${modules})
  get_filename_component(versioned ${CPACK_QUARRY_PYTHON} DIRECTORY)
  file(REMOVE_RECURSE ${usr}/${versioned})
endif()

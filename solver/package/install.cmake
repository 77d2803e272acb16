# What is installed, and where. The components become packages: see package.cmake. Where none is named it is `program`.

include(CMakePackageConfigHelpers)

# ---- Programs -------------------------------------------------------------------------------------------------------

install(TARGETS tsume tsume-usi tsume-verify)
install(FILES README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
if(NOT TSUME_DEBIAN) # where it stands in the file `copyright`
    install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
endif()
install(DIRECTORY problems/ DESTINATION ${CMAKE_INSTALL_DATADIR}/tsume/problems
    FILES_MATCHING PATTERN *.tsv)

# ---- The library ----------------------------------------------------------------------------------------------------

set_target_properties(tsume_shared PROPERTIES EXPORT_NAME tsume)
install(TARGETS tsume_shared EXPORT tsume-shared LIBRARY COMPONENT library NAMELINK_COMPONENT development)
set_target_properties(tsume_archive PROPERTIES EXPORT_NAME tsume_static)
install(TARGETS tsume_archive EXPORT tsume-static ARCHIVE COMPONENT development)
install(FILES solver/tsume.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)

# find_package(tsume): wherever the tree is moved to.
set(cmake_directory ${CMAKE_INSTALL_LIBDIR}/cmake/tsume)
foreach(kind shared static)
    install(EXPORT tsume-${kind} NAMESPACE tsume:: DESTINATION ${cmake_directory} COMPONENT development)
endforeach()
configure_package_config_file(solver/package/tsume-config.cmake.in tsume-config.cmake
    INSTALL_DESTINATION ${cmake_directory} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(tsume-config-version.cmake COMPATIBILITY ${tsume_compatible})
install(FILES ${PROJECT_BINARY_DIR}/tsume-config.cmake ${PROJECT_BINARY_DIR}/tsume-config-version.cmake
    DESTINATION ${cmake_directory} COMPONENT development)

# pkg-config: likewise, by the way from where tsume.pc lies to the prefix; packages stay where they are put.
if(TSUME_DEBIAN)
    set(tsume_prefix ${CMAKE_INSTALL_PREFIX})
else()
    file(RELATIVE_PATH up ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
    string(REGEX REPLACE "/$" "" tsume_prefix "\${pcfiledir}/${up}")
endif()
file(RELATIVE_PATH tsume_libdir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_LIBDIR})
file(RELATIVE_PATH tsume_includedir ${CMAKE_INSTALL_PREFIX} ${CMAKE_INSTALL_FULL_INCLUDEDIR})
configure_file(solver/package/tsume.pc.in tsume.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tsume.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)

# ---- Manual pages ---------------------------------------------------------------------------------------------------

# What several pages say lies in parts/: @TABLE@ in a page stands for table.mdoc.
file(GLOB manual_parts CONFIGURE_DEPENDS solver/man/parts/*.mdoc)
foreach(part ${manual_parts})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${part})
    get_filename_component(name ${part} NAME_WE)
    string(TOUPPER ${name} name)
    file(READ ${part} ${name})
endforeach()
foreach(section 1 5)
    file(GLOB pages CONFIGURE_DEPENDS solver/man/*.${section})
    foreach(page ${pages})
        get_filename_component(name ${page} NAME)
        configure_file(${page} man/${name} @ONLY)
        install(FILES ${PROJECT_BINARY_DIR}/man/${name}
            DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
    endforeach()
endforeach()

# ---- Completion -----------------------------------------------------------------------------------------------------

set(TSUME_ZSH_DIRECTORY ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Where zsh looks for completions")
install(FILES solver/completion/_tsume DESTINATION ${TSUME_ZSH_DIRECTORY})
install(FILES solver/completion/tsume.bash RENAME tsume
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

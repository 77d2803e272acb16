# Debian packages: `cmake --build BUILD --target deb` makes them in BUILD/deb. tsume has the programs, libtsume and the number of
# its interface the shared library, libtsume-dev the rest.

if(NOT TSUME_DEBIAN)
    # A package has to run on other machines, so it is built apart, hardened as Debian's own.
    set(deb_tree ${PROJECT_BINARY_DIR}/deb)
    add_custom_target(deb
        COMMAND ${CMAKE_COMMAND} -S ${PROJECT_SOURCE_DIR} -B ${deb_tree} -G ${CMAKE_GENERATOR}
            -DCMAKE_C_COMPILER=${CMAKE_C_COMPILER} -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX=/usr
            -DTSUME_DEBIAN=ON -DTSUME_PORTABLE=ON -DTSUME_TESTS=OFF
            -DTSUME_ZSH_DIRECTORY=share/zsh/vendor-completions
            "-DCMAKE_C_FLAGS=-fstack-protector-strong -D_FORTIFY_SOURCE=2"
            -DCMAKE_EXE_LINKER_FLAGS=-Wl,-z,relro,-z,now -DCMAKE_SHARED_LINKER_FLAGS=-Wl,-z,relro,-z,now
        COMMAND ${CMAKE_COMMAND} --build ${deb_tree}
        COMMAND ${CMAKE_COMMAND} -E chdir ${deb_tree} ${CMAKE_CPACK_COMMAND}
        USES_TERMINAL VERBATIM)
    file(WRITE ${PROJECT_BINARY_DIR}/CPackConfig.cmake
        "message(FATAL_ERROR \"Packages are made by: cmake --build ${PROJECT_BINARY_DIR} --target deb\")\n")
    return()
endif()
if(NOT TSUME_PORTABLE OR NOT CMAKE_INSTALL_PREFIX STREQUAL /usr)
    message(FATAL_ERROR "Debian packages want TSUME_PORTABLE=ON and CMAKE_INSTALL_PREFIX=/usr; the target 'deb' sees to it")
endif()

set(program_package tsume)
set(library_package libtsume${tsume_abi})
set(development_package libtsume-dev)

# ---- What only packages have ----------------------------------------------------------------------------------------

set(CPACK_PACKAGE_CONTACT "The tsume authors <tsume@localhost>")
if(DEFINED ENV{DEBFULLNAME} AND DEFINED ENV{DEBEMAIL}) # as Debian's own tools take it
    set(CPACK_PACKAGE_CONTACT "$ENV{DEBFULLNAME} <$ENV{DEBEMAIL}>")
endif()
configure_file(solver/package/changelog.in changelog @ONLY)

foreach(component program library development)
    set(documentation share/doc/${${component}_package})
    install(FILES solver/package/copyright ${PROJECT_BINARY_DIR}/changelog
        DESTINATION ${documentation} COMPONENT ${component})
    install(CODE "
        file(GLOB_RECURSE to_compress
            \$ENV{DESTDIR}/usr/${documentation}/changelog \$ENV{DESTDIR}/usr/${CMAKE_INSTALL_MANDIR}/*.[1-9])
        execute_process(COMMAND gzip -9n \${to_compress} COMMAND_ERROR_IS_FATAL ANY)" COMPONENT ${component})
endforeach()

# ---- The packages ---------------------------------------------------------------------------------------------------

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "") # each package has its own
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS
    OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program library development)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)

set(what_it_does
"Tsume shogi are the mate problems of Japanese chess: the attacker has to give
check with every move. tsume tells whether there is a mate, shows the line,
and proves that it is the shortest.")

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME ${program_package})
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "solver of tsume shogi (mate problems)
${what_it_does}
.
It examines problems for cooks, writes proofs that others can check, converts
between the formats of problem files, and is an engine for shogi programs that
speak USI.")

set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${library_package})
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_LIBRARY_DESCRIPTION "solver of tsume shogi (mate problems) - shared library
${what_it_does}
.
This is its library, for other programs.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME ${development_package})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "${library_package} (= ${PROJECT_VERSION}), libxxhash-dev, libzstd-dev, libjansson-dev")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "solver of tsume shogi (mate problems) - development files
${what_it_does}
.
This is what programs need to be built with its library: the header, the
static library, and files for CMake and pkg-config.")

include(CPack)

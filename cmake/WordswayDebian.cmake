# A Debian package (`make deb`): the program with its models, man pages and shell completion, the library with its
# headers.
set(reference ${PROJECT_BINARY_DIR}/reference)
set(contact "wordsway contributors <wordsway@example.invalid>")
set(version ${PROJECT_VERSION}-1)
add_custom_command(
  OUTPUT ${reference}/written
  COMMAND ${CMAKE_COMMAND} -E rm -rf ${reference}
  COMMAND wordsway_reference ${reference}
  COMMAND sh -c "gzip -9n ${reference}/man1/*.1"
  COMMAND sh -c "gzip -9nc ${PROJECT_SOURCE_DIR}/CHANGELOG.md > ${reference}/changelog.gz"
  COMMAND sh -c "printf 'wordsway (${version}) unstable; urgency=medium\\n\\n  * See changelog.gz.\\n\\n -- %s  %s\\n' '${contact}' \"$(date -R)\" | gzip -9n > ${reference}/changelog.Debian.gz"
  # OpenSSL is not in this package, and Debian has its licence.
  COMMAND sh -c "cat ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/THIRD_PARTY_NOTICES.txt | sed '/^Apache License 2.0, the licence of OpenSSL$/,$d' > ${reference}/copyright"
  COMMAND ${CMAKE_COMMAND} -E touch ${reference}/written
  DEPENDS wordsway_reference ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
          ${PROJECT_SOURCE_DIR}/THIRD_PARTY_NOTICES.txt
  VERBATIM)
add_custom_target(wordsway_debian_files ALL DEPENDS ${reference}/written)
install(DIRECTORY ${reference}/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(FILES ${reference}/bash/wordsway DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${reference}/zsh/_wordsway DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
install(FILES ${reference}/fish/wordsway.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
install(FILES ${reference}/copyright ${reference}/changelog.gz ${reference}/changelog.Debian.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME wordsway)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT ${contact})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "how far one changed word can move a representation")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "wordsway measures word sensitivity: which word of a text matters to
an encoder or a decoder, whether the word that turns a meaning is noticed, and
how random features and attention layers differ in this (Bombari and Mondelli).
Models of sentence-transformers, Hugging Face and GGUF are read; two small ones
are included. The library comes with its headers and a CMake package.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/..)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "librsvg2-2")  # for charts as PDF and PNG
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_LIBRARY_OUTPUT_DIRECTORY})
# CPack would write the library of kernels once for each level.
file(WRITE ${PROJECT_BINARY_DIR}/debian/shlibs "")
foreach(library libwordsway libwordsway_kernels)
  file(APPEND ${PROJECT_BINARY_DIR}/debian/shlibs
       "${library} ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} wordsway (= ${version})\n")
endforeach()
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/shlibs ${PROJECT_BINARY_DIR}/debian/triggers)
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "libeigen3-dev, chromium")
include(CPack)

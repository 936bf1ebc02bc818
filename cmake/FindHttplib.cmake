# Httplib::Httplib, cpp-httplib. Debian's is a header with a library, compiled with the settings that its pkg-config
# file names; elsewhere it is the header alone.
include(FindPackageHandleStandardArgs)
find_path(HTTPLIB_INCLUDE_DIR httplib.h)
find_library(HTTPLIB_LIBRARY cpp-httplib)
find_package_handle_standard_args(Httplib REQUIRED_VARS HTTPLIB_INCLUDE_DIR)
if(Httplib_FOUND AND NOT TARGET Httplib::Httplib)
  add_library(Httplib::Httplib INTERFACE IMPORTED)
  target_include_directories(Httplib::Httplib SYSTEM INTERFACE ${HTTPLIB_INCLUDE_DIR})
  if(HTTPLIB_LIBRARY)
    # The settings change its classes, so ours must be the same.
    target_compile_definitions(Httplib::Httplib INTERFACE CPPHTTPLIB_OPENSSL_SUPPORT CPPHTTPLIB_ZLIB_SUPPORT
                                                          CPPHTTPLIB_BROTLI_SUPPORT)
    target_link_libraries(Httplib::Httplib INTERFACE ${HTTPLIB_LIBRARY})
  endif()
endif()

# libharu ships no CMake package on Debian. Gives Haru::Haru.
find_path(Haru_INCLUDE_DIR hpdf.h)
find_library(Haru_LIBRARY NAMES hpdf)
if(Haru_INCLUDE_DIR AND EXISTS "${Haru_INCLUDE_DIR}/hpdf_version.h")
  file(STRINGS "${Haru_INCLUDE_DIR}/hpdf_version.h" _haru_version REGEX "define[ \t]+HPDF_VERSION_TEXT")
  string(REGEX MATCH "[0-9]+(\\.[0-9]+)+" Haru_VERSION "${_haru_version}")
  unset(_haru_version)
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Haru REQUIRED_VARS Haru_LIBRARY Haru_INCLUDE_DIR VERSION_VAR Haru_VERSION)

if(Haru_FOUND AND NOT TARGET Haru::Haru)
  add_library(Haru::Haru UNKNOWN IMPORTED)
  set_target_properties(Haru::Haru PROPERTIES IMPORTED_LOCATION "${Haru_LIBRARY}"
                                              INTERFACE_INCLUDE_DIRECTORIES "${Haru_INCLUDE_DIR}")
endif()
mark_as_advanced(Haru_INCLUDE_DIR Haru_LIBRARY)

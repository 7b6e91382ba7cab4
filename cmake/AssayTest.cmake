# assay_add_test(<room>.<module> SOURCES <file>... LABEL <label> [LIBRARIES <target>...])
#
# One cmocka executable a module. Tests may include the headers beside their room's sources.
function(assay_add_test name)
	cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL" "SOURCES;LIBRARIES")
	string(REPLACE "." "_" target "test_${name}")
	add_executable(${target} ${arg_SOURCES})
	target_link_libraries(${target} PRIVATE ${arg_LIBRARIES} assay_options PkgConfig::cmocka)
	target_compile_definitions(${target} PRIVATE ASSAY_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
	add_test(NAME ${name} COMMAND ${target})
	set_tests_properties(${name} PROPERTIES LABELS "${arg_LABEL}")
endfunction()

# assay_add_script_test(<name> <label> <command>...)
function(assay_add_script_test name label)
	add_test(NAME ${name} COMMAND ${ARGN})
	set_tests_properties(${name} PROPERTIES LABELS "${label}" TIMEOUT 300 ENVIRONMENT
		"ASSAY=$<TARGET_FILE:assay>;ASSAY_SOURCE_DIR=${PROJECT_SOURCE_DIR}")
	# A leak check under mpirun does not end, and the fault injector is preloaded before the sanitizer.
	if(label STREQUAL mpi OR label STREQUAL faults)
		set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT
			"ASAN_OPTIONS=detect_leaks=0:verify_asan_link_order=0:allocator_may_return_null=1")
	endif()
endfunction()

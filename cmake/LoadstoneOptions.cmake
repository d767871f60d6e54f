# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Compile options shared by every target of the project, linked PRIVATE.
add_library(loadstone_options INTERFACE)
target_compile_features(loadstone_options INTERFACE cxx_std_20)
target_compile_options(loadstone_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
    $<$<BOOL:${LOADSTONE_WERROR}>:-Werror>)
# Asio without its deprecated parts; a coroutine-only build needs no separate compilation. As many memory blocks of each
# kind are kept for reuse as an action has coroutine frames (two by default: the others would be allocated each time).
target_compile_definitions(loadstone_options INTERFACE
    BOOST_ASIO_NO_DEPRECATED BOOST_ASIO_RECYCLING_ALLOCATOR_CACHE_SIZE=8)
if(LOADSTONE_SANITIZE)
    target_compile_options(loadstone_options INTERFACE
        -fsanitize=${LOADSTONE_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    target_link_options(loadstone_options INTERFACE -fsanitize=${LOADSTONE_SANITIZE})
    # With messages each check has a record of its own: the test programs took 13 GB in place of 5. ASan still prints the
    # stack, with the line (handle_sigill=1). Only the check of dynamic types (vptr) does not exist without messages.
    if(LOADSTONE_SANITIZE_TRAP AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        target_compile_options(loadstone_options INTERFACE -fsanitize-undefined-trap-on-error)
    endif()
    # TSan knows no fences; without them Asio has its locks, which it does know.
    if(LOADSTONE_SANITIZE MATCHES thread)
        target_compile_definitions(loadstone_options INTERFACE BOOST_ASIO_DISABLE_FENCED_BLOCK)
    endif()
    # GCC sees ghosts in instrumented code, of std::regex and of coroutine frames; plain builds keep both warnings.
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        target_compile_options(loadstone_options INTERFACE -Wno-maybe-uninitialized -Wno-mismatched-new-delete)
    endif()
endif()

if(LOADSTONE_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
    target_compile_options(loadstone_options INTERFACE -fpch-preprocess) # for ccache
endif()

# A batch takes up to 2.5 GB in GCC, which looks for what it can free again and again on the way: a tenth of the time. No more of
# them at once than the machine has memory for.
if(LOADSTONE_UNITY)
    if(CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        target_compile_options(loadstone_options INTERFACE --param=ggc-min-heapsize=1048576) # KB
    endif()
    cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY) # MB
    math(EXPR batches "${memory} / 2500 + 1")
    set_property(GLOBAL APPEND PROPERTY JOB_POOLS batches=${batches})
    set(CMAKE_JOB_POOL_COMPILE batches)
endif()

# Code that tests spend little time in is not optimised under the sanitizers, which takes half the time to compile. It is
# instrumented as all other code is. Fuzzing has another build type: there all code is optimised.
add_library(loadstone_plain_options INTERFACE)
set(LOADSTONE_PLAIN OFF)
if(LOADSTONE_SANITIZE AND CMAKE_BUILD_TYPE STREQUAL Debug)
    set(LOADSTONE_PLAIN ON)
    target_compile_options(loadstone_plain_options INTERFACE -O0)
endif()

# loadstone_precompiled(NAME HEADERS… LIBS…): headers compiled once, for targets that name it in
# target_precompile_headers(… REUSE_FROM NAME). A build without it (LOADSTONE_PCH=OFF) finds forgotten includes.
function(loadstone_precompiled name)
    if(NOT LOADSTONE_PCH)
        return()
    endif()
    cmake_parse_arguments(PCH "" "" "HEADERS;LIBS" ${ARGN})
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp CONTENT "")
    add_library(${name} STATIC ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    target_link_libraries(${name} PRIVATE loadstone_options ${PCH_LIBS})
    target_precompile_headers(${name} PRIVATE ${PCH_HEADERS})
endfunction()

# loadstone_batched(NAME [BY_FOLDER] ALONE sources…): with LOADSTONE_UNITY up to 48 sources of NAME are compiled as one, which takes
# half the time: what their headers and templates have in common is made once. Names that are private to a source have to differ
# within its room for that. BY_FOLDER: those of a folder together, so that a new file changes no other batch.
# ALONE are those that cannot stand in a batch; several in one string are a batch of their own.
function(loadstone_batched name)
    cmake_parse_arguments(BATCH "BY_FOLDER" "" "ALONE" ${ARGN})
    set_target_properties(${name} PROPERTIES UNITY_BUILD ${LOADSTONE_UNITY} UNITY_BUILD_MODE GROUP)
    get_target_property(sources ${name} SOURCES)
    list(FILTER sources INCLUDE REGEX "[.]cpp$")
    set(number 0)
    foreach(together IN LISTS BATCH_ALONE)
        separate_arguments(files UNIX_COMMAND "${together}")
        list(REMOVE_ITEM sources ${files})
        list(LENGTH files count)
        if(count GREATER 1) # a source without a group is compiled alone
            math(EXPR number "${number} + 1")
            set_source_files_properties(${files} PROPERTIES UNITY_GROUP "apart_${number}")
        endif()
    endforeach()
    set(at 0)
    foreach(source IN LISTS sources)
        if(BATCH_BY_FOLDER)
            get_filename_component(group ${source} DIRECTORY)
            string(REPLACE "/" "_" group "${group}")
        else()
            math(EXPR group "${at} / 48")
            math(EXPR at "${at} + 1")
        endif()
        set_source_files_properties(${source} PROPERTIES UNITY_GROUP "batch_${group}")
    endforeach()
    # To GCC only what stands in the file that it was given is private to it.
    if(LOADSTONE_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
        target_compile_options(${name} PRIVATE -Wno-subobject-linkage)
    endif()
endfunction()

# loadstone_room(NAME [PLAIN] SOURCES… ALONE sources… DEPENDS rooms… LIBS libraries…): one room of the engine as a static
# library. The rooms named in DEPENDS are the only ones it may include; tests/layering checks the sources. PLAIN: no load
# and no test runs in it for long, see loadstone_plain_options.
function(loadstone_room name)
    cmake_parse_arguments(ROOM "PLAIN" "" "SOURCES;ALONE;DEPENDS;LIBS" ${ARGN})
    add_library(loadstone_${name} STATIC ${ROOM_SOURCES})
    target_include_directories(loadstone_${name}
        PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/engine/include>
        PRIVATE ${PROJECT_SOURCE_DIR}/engine)
    target_compile_features(loadstone_${name} PUBLIC cxx_std_20) # for those who have no more of it than the installed headers
    target_link_libraries(loadstone_${name} PRIVATE $<BUILD_INTERFACE:loadstone_options>)
    target_compile_options(loadstone_${name} PRIVATE -Wconversion -Wno-sign-conversion)
    foreach(room IN LISTS ROOM_DEPENDS)
        target_link_libraries(loadstone_${name} PUBLIC loadstone_${room})
    endforeach()
    target_link_libraries(loadstone_${name} PUBLIC ${ROOM_LIBS})
    loadstone_batched(loadstone_${name} ALONE ${ROOM_ALONE})
    set_target_properties(loadstone_${name} PROPERTIES EXPORT_NAME ${name})
    install(TARGETS loadstone_${name} EXPORT LoadstoneTargets ARCHIVE COMPONENT development)
    set(precompiled loadstone_room_pch)
    if(ROOM_PLAIN AND LOADSTONE_PLAIN)
        target_link_libraries(loadstone_${name} PRIVATE $<BUILD_INTERFACE:loadstone_plain_options>)
        set(precompiled loadstone_plain_room_pch)
    endif()
    if(LOADSTONE_PCH)
        target_precompile_headers(loadstone_${name} REUSE_FROM ${precompiled})
    endif()
endfunction()

# The tests' own sources take half the time of a build. What they test is optimised and checked in full all the same.
add_library(loadstone_test_options INTERFACE)
target_compile_options(loadstone_test_options INTERFACE $<$<CONFIG:RelWithDebInfo>:-O1>)
if(LOADSTONE_SANITIZE)
    target_compile_options(loadstone_test_options INTERFACE -O0)
    if(LOADSTONE_SANITIZE MATCHES undefined)
        target_compile_options(loadstone_test_options INTERFACE -fno-sanitize=undefined)
    endif()
endif()

# loadstone_test(NAME SOURCES… ALONE sources… LIBS…): one Catch2 program, its cases found by ctest, labelled with its folder.
function(loadstone_test name)
    cmake_parse_arguments(TEST "" "LABEL" "SOURCES;ALONE;LIBS" ${ARGN})
    add_executable(${name} ${TEST_SOURCES})
    target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR}/engine ${PROJECT_SOURCE_DIR}/tests)
    target_compile_definitions(${name} PRIVATE
        LOADSTONE_SOURCE_DIR="${PROJECT_SOURCE_DIR}" LOADSTONE_BIN_DIR="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
    target_link_libraries(${name} PRIVATE loadstone_options loadstone_test_options loadstone_test_main loadstone_named_series ${TEST_LIBS})
    loadstone_batched(${name} ALONE ${TEST_ALONE})
    if(LOADSTONE_PCH)
        target_precompile_headers(${name} REUSE_FROM loadstone_test_pch)
    endif()
    if(NOT TEST_LABEL)
        set(TEST_LABEL unit)
    endif()
    loadstone_discover_tests(${name} ${TEST_LABEL})
endfunction()

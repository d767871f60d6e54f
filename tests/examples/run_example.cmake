# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs the example against the embedded target and looks at what it prints. With INSTALLED_FROM, a build folder, it
# first installs the library from there and builds the example against that; LOADSTONE is then the target's program.
file(REMOVE_RECURSE ${SCRATCH})
file(MAKE_DIRECTORY ${SCRATCH})
function(must)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE output ERROR_VARIABLE output)
    if(NOT code STREQUAL 0)
        message(FATAL_ERROR "${ARGN}: ended with ${code}\n${output}")
    endif()
    set(output "${output}" PARENT_SCOPE)
endfunction()

if(INSTALLED_FROM)
    must(${CMAKE_COMMAND} --install ${INSTALLED_FROM} --prefix ${SCRATCH}/prefix --component development)
    must(${CMAKE_COMMAND} -S ${EXAMPLES} -B ${SCRATCH}/build -G ${GENERATOR} -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix
        -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_CXX_FLAGS=${FLAGS})
    must(${CMAKE_COMMAND} --build ${SCRATCH}/build)
    set(PROGRAM ${SCRATCH}/build/run_plan)
    # Without a target's program it says so, and does not start itself.
    execute_process(COMMAND ${PROGRAM} ${PLAN} ${SCRATCH}/history RESULT_VARIABLE code ERROR_VARIABLE said TIMEOUT 60)
    if(NOT code EQUAL 1 OR NOT said MATCHES "\"loadstone\", which is not at ${SCRATCH}/build/loadstone")
        message(FATAL_ERROR "without the program loadstone: ended with ${code}\n${said}")
    endif()
endif()
must(${PROGRAM} ${PLAN} ${SCRATCH}/history ${LOADSTONE})
if(NOT output MATCHES "a second: 95th percentile [0-9.]+ (us|ms|s) of [1-9][0-9]* actions")
    message(FATAL_ERROR "no percentile in: ${output}")
endif()

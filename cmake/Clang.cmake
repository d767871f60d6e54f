# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Toolchain of the fuzz preset: the newest clang that is installed, under whatever name the release gives it.
# Before 16 it does not understand the C++20 library of GCC 12.
set(names 21 20 19 18 17 16)
list(TRANSFORM names PREPEND clang++- OUTPUT_VARIABLE cxx_names)
list(TRANSFORM names PREPEND clang- OUTPUT_VARIABLE c_names)
find_program(LOADSTONE_CLANGXX NAMES ${cxx_names} clang++ NAMES_PER_DIR REQUIRED)
find_program(LOADSTONE_CLANG NAMES ${c_names} clang NAMES_PER_DIR REQUIRED)
set(CMAKE_CXX_COMPILER ${LOADSTONE_CLANGXX})
set(CMAKE_C_COMPILER ${LOADSTONE_CLANG})

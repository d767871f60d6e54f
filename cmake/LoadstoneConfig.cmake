# SPDX-FileCopyrightText: 2026 The Loadstone authors
# SPDX-License-Identifier: GPL-3.0-or-later
# find_package(Loadstone) gives Loadstone::engine: the static libraries of the engine with all that they need.
cmake_policy(VERSION 3.25)
include(${CMAKE_CURRENT_LIST_DIR}/LoadstoneLibraries.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/LoadstoneTargets.cmake)

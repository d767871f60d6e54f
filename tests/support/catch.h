// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Catch2 v2 (Debian 12) and v3 (later releases) through one header.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#include <catch2/catch_tostring.hpp>
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
#else
#include <catch2/catch.hpp>
inline auto ContainsSubstring(const std::string& text)
{
    return Catch::Contains(text);
}
#endif

#include <loadstone/result.h>

// The library's own stream operator for results asks both sides for one; tests print the error's message.
template <class T>
struct Catch::StringMaker<loadstone::Result<T>> {
    static std::string convert(const loadstone::Result<T>& result)
    {
        return result ? std::string("a value") : "error: " + result.error().message;
    }
};

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/system/error_code.hpp>
#include <boost/system/result.hpp>

#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace loadstone {

/// An expected, recoverable failure: what went wrong, in words that a user can act on.
/// `code` is set when the system or a library gave one; `message` is always complete.
struct Error {
    std::string message;
    boost::system::error_code code;

    Error() = default;
    // Not constructible from a string alone: a Result<std::string> could not tell its value from its error. See fail().
    Error(std::string text, boost::system::error_code reason)
        : message(std::move(text))
        , code(reason)
    {
    }
    /// The same failure with the context of the caller: "context: message".
    [[nodiscard]] Error within(const std::string& context) const
    {
        return { context + ": " + message, code };
    }
    bool operator==(const Error&) const = default;
};

/// `return fail("plan.toml: no mixes");`
inline Error fail(std::string message, boost::system::error_code code = {})
{
    return { std::move(message), code };
}

/// What `Result<T>::value()` throws when there is none (found by argument-dependent look-up).
[[noreturn]] inline void throw_exception_from_error(const Error& error, const boost::source_location&)
{
    throw std::runtime_error(error.message);
}

/// A value or an Error. Use only what std::expected has too: bool, `*`, `->`, value(), error().
template <class T>
using Result = boost::system::result<T, Error>;

} // namespace loadstone

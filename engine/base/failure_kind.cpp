// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/failure_kind.h>

#include <boost/system/error_code.hpp>
#include <fmt/format.h>

#include <array>
#include <utility>

namespace loadstone {

namespace {

using Name = std::pair<FailureKind, const char*>;
constexpr std::array<Name, kFailureKinds> kKindNames { Name { FailureKind::none, "none" },
    { FailureKind::refused, "refused" }, { FailureKind::timeout, "timeout" },
    { FailureKind::connectionLost, "connection lost" }, { FailureKind::protocol, "protocol" },
    { FailureKind::tls, "TLS" }, { FailureKind::authentication, "authentication" },
    { FailureKind::transientReply, "4xx" }, { FailureKind::permanentReply, "5xx" },
    { FailureKind::errReply, "-ERR" }, { FailureKind::noReply, "NO" }, { FailureKind::stopped, "stopped" },
    { FailureKind::wrong, "wrong" }, { FailureKind::system, "system" } };

} // namespace

const char* toString(FailureKind kind)
{
    for (const auto& [one, name] : kKindNames)
        if (one == kind)
            return name;
    return "?";
}

std::string textOf(FailureKind kind, int code)
{
    if (kind != FailureKind::system)
        return toString(kind);
    return boost::system::error_code(code, boost::system::system_category()).message();
}

Result<FailureKind> parseFailureKind(std::string_view text, int code)
{
    for (const auto& [kind, name] : kKindNames)
        if (text == name && kind != FailureKind::system)
            return kind;
    constexpr int kHighestErrno = 133; // Linux; replies of servers have codes of 200 and more
    if (code > 0 && code <= kHighestErrno)
        return FailureKind::system;
    return fail(fmt::format("\"{}\" is not a kind of failure", text));
}

} // namespace loadstone

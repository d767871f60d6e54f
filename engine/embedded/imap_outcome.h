// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <utility>

namespace loadstone::embedded {

/// How an IMAP command ended, for its tagged line.
struct ImapOutcome {
    enum class Status : std::uint8_t { ok, no, bad } status = Status::ok;
    std::string text; ///< of `ok` a response code or nothing ("[APPENDUID 1 5]"), else why not

    /// Done, with a response code.
    static ImapOutcome ok(std::string code) { return { Status::ok, std::move(code) }; }
    /// Not possible.
    static ImapOutcome no(std::string why) { return { Status::no, std::move(why) }; }
    /// Not a command of this server, or not now.
    static ImapOutcome bad(std::string why = "the arguments are wrong")
    {
        return { Status::bad, std::move(why) };
    }
};

} // namespace loadstone::embedded

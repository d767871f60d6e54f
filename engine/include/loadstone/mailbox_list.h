// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/plan_file.h"
#include "loadstone/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone {

/// How the mailboxes of a plan are listed, for those who make them on a server.
enum class MailboxListFormat : std::uint8_t {
    csv, ///< name, address, login, and the password where it is written; quoted as RFC 4180 has it
    passwdFile, ///< lines for newusers(8), which makes accounts of the system and hashes the passwords itself
    ldif, ///< RFC 2849: an inetOrgPerson each, with uid and mail; userPassword is plain text, which directories hash as they are set up to
    dovecot, ///< Dovecot's passwd-file: login:{PLAIN}password, in base64 where it has a colon
    postfix, ///< virtual_mailbox_maps: address and domain/name/
};
/// "csv", "passwd-file", "ldif", "dovecot", "postfix".
const char* toString(MailboxListFormat format);
std::optional<MailboxListFormat> mailboxListFormatOf(std::string_view name);

struct MailboxListOptions {
    MailboxListFormat format = MailboxListFormat::csv;
    /// Also a password that the plan takes from the environment, a file or a person. One that stands in the plan itself is written
    /// anyway. No token of OAuth is written: a server does not keep those.
    bool withPasswords = false;
    std::optional<std::string> password; ///< what a person has typed, where the plan asks for it
    std::string target; ///< which one of several
    std::string base; ///< LDIF: below which entry; empty: "dc=load,dc=test" for the domain load.test
};

/// What was listed.
struct MailboxList {
    std::uint64_t mailboxes = 0; ///< of the plan's largest mix
    std::string first, last; ///< names
    bool passwords = false; ///< they are in the list
    std::string without; ///< why not, for a person; empty: they are, or the format has none
};

/// Lists the mailboxes of a plan of mail, piece by piece: `write` gets whole lines, and an Error of it ends the list. Nothing is kept in
/// memory but one piece. An Error where the plan cannot be used, names no such target, has names that the format cannot have, or where
/// the format needs a password and none may be written. Any thread.
Result<MailboxList> listMailboxes(const PlanInput& plan, const MailboxListOptions& options,
    const std::function<Result<void>(std::string_view)>& write);

/// The same into a new file that only its owner may read. An Error where there is a file of that name.
Result<MailboxList> listMailboxes(
    const PlanInput& plan, const MailboxListOptions& options, const std::filesystem::path& file);

} // namespace loadstone

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ask_password.h"
#include "commands.h"

#include <loadstone/mailbox_list.h>
#include <loadstone/report.h>

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

namespace loadstone::cli {

int mailboxes(const MailboxesCommand& command)
{
    MailboxListOptions options = command.options;
    const auto format = mailboxListFormatOf(command.format);
    if (!format)
        return complain(
            fmt::format(
                "\"{}\" is not a format; write csv, passwd-file, ldif, dovecot or postfix", command.format),
            kBadInput);
    options.format = *format;
    const auto plan = openPlan(command.plan);
    if (!plan)
        return kBadInput;
    if (options.withPasswords) {
        const auto password = askPassword(*plan);
        if (!password)
            return complain(password.error().message, kBadInput);
        options.password = *password;
    }
    const auto print = [](std::string_view lines) -> Result<void> {
        if (std::fwrite(lines.data(), 1, lines.size(), stdout) == lines.size() && std::fflush(stdout) == 0)
            return {};
        return fail("standard output: " + std::generic_category().message(errno));
    };
    const auto list = command.output.empty() ? listMailboxes(plan->file, options, print)
                                             : listMailboxes(plan->file, options, command.output);
    if (!list)
        return complain(list.error().message, kBadInput);
    say(fmt::format("{} mailboxes, {} to {}{}{}\n", list->mailboxes, list->first, list->last,
            list->passwords             ? ", with their passwords"
                : list->without.empty() ? ""
                                        : ", without passwords: ",
            list->passwords ? "" : list->without),
        stderr);
    return kGood;
}

} // namespace loadstone::cli

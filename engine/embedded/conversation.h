// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "embedded/mail_store.h"
#include "embedded/target_log.h"
#include "embedded/target_options.h"
#include "protocol/pop3/pop3_server.h"
#include "protocol/smtp/smtp_server.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::embedded {

/// Counted while serving, printed at the end.
struct Totals {
    std::uint64_t connections = 0, commands = 0, refused = 0;
    std::uint64_t accepted = 0; ///< messages
    std::uint64_t delivered = 0; ///< copies put into mailboxes, doubles included
    std::uint64_t retrieved = 0, deleted = 0;
    std::uint64_t lost = 0, duplicated = 0, damaged = 0, delayed = 0; ///< copies
};

/// What all sessions share. One thread.
struct MailHouse {
    explicit MailHouse(const TargetOptions& o);

    const TargetOptions& options;
    protocol::SmtpServer::Settings smtp, lmtp;
    protocol::Pop3Server::Settings pop3;
    MailStore store;
    TargetLog log;
    Totals totals;
};

enum class Service : std::uint8_t { Smtp, Lmtp, Pop3, Imap };
const char* nameOf(Service service) noexcept;
/// The mailbox of an address or login name: its local part, case ignored, whatever the domain.
std::string mailboxOf(std::string_view address);

/// One client's session, whatever the protocol, joined to the store: bytes in, turns out, replies appended.
class Conversation {
public:
    struct Turn {
        const char* verb = "";
        std::uint64_t end = 0; ///< bytes of the session up to and with the command's last one
        bool rejectable = false; ///< MAIL or RCPT
    };
    /// `number` is that of the connection, `client` its address for the Received line.
    static std::unique_ptr<Conversation> make(
        Service service, MailHouse& house, std::uint64_t number, std::string client, bool encrypted);

    Conversation() = default;
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;
    virtual ~Conversation() = default;

    virtual void greet(std::string& out) = 0;
    /// In place of the banner.
    virtual int turnAway(std::string& out) = 0;
    virtual void feed(std::string_view bytes) = 0;
    /// The oldest unanswered command; nothing when more bytes are needed.
    virtual std::optional<Turn> next() = 0;
    /// Carries the command out. Returns the reply's code as a CommandRecord has it.
    virtual int answer(std::string& out, std::int64_t nowNs) = 0;
    virtual int reject(std::string& out, int code) = 0;
    virtual bool takeTlsRequest() = 0;
    /// What the connection is called by when there is something to tell unasked.
    virtual void knownAs(std::uint64_t) { }
    /// Tells what may be told unasked now. Gives when to ask again at the latest; 0: when called.
    virtual std::int64_t tellUnasked(std::string&, std::int64_t) { return 0; }
    [[nodiscard]] virtual bool closing() const = 0;
    [[nodiscard]] virtual std::size_t backlog() const = 0;
};

} // namespace loadstone::embedded

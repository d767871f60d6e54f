// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/imap_conversation.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::embedded {

using protocol::ImapCommand;

namespace {

constexpr std::uint64_t kStrangersLiteral = 4096; // names and passwords, before login
constexpr const char* kGoAhead = "+ go ahead\r\n"; // a literal may come

/// The command's name for the log: one of a fixed list, for it outlives the command.
const char* verbOf(const std::string& name)
{
    for (const char* known : { "CAPABILITY", "NOOP", "LOGOUT", "STARTTLS", "AUTHENTICATE", "LOGIN", "SELECT",
             "EXAMINE", "CREATE", "DELETE", "LIST", "LSUB", "STATUS", "APPEND", "CHECK", "CLOSE", "UNSELECT",
             "EXPUNGE", "SEARCH", "FETCH", "STORE", "COPY", "MOVE", "IDLE", "ID", "ENABLE", "NAMESPACE",
             "SUBSCRIBE", "UNSUBSCRIBE", "COMPRESS" })
        if (name == known || (name.starts_with("UID ") && name.substr(4) == known))
            return known;
    return "?";
}

} // namespace

ImapConversation::ImapConversation(MailHouse& house, bool encrypted)
    : m_wire(house.store, std::min<std::uint64_t>(kStrangersLiteral, house.options.maxMessage))
    , m_session(house, m_wire, encrypted)
{
}

void ImapConversation::greet(std::string& out)
{
    out += fmt::format("* OK [CAPABILITY {}] Loadstone target ready\r\n", m_session.capabilities());
}

int ImapConversation::turnAway(std::string& out)
{
    out += "* BYE service not available\r\n";
    m_closing = true;
    return kReplyErr;
}

std::int64_t ImapConversation::tellUnasked(std::string& out, std::int64_t nowNs)
{
    std::string plain;
    const std::int64_t again = m_session.tellUnasked(plain, nowNs);
    m_wire.say(out, plain);
    return again;
}

std::optional<Conversation::Turn> ImapConversation::next()
{
    const ImapCommand* command = closing() ? nullptr : m_wire.next();
    if (command == nullptr)
        return std::nullopt;
    const char* verb = "?";
    switch (command->kind) {
    case ImapCommand::Kind::literal:
        verb = "LITERAL";
        break;
    case ImapCommand::Kind::line:
        verb = m_session.idles() ? "DONE" : "AUTHENTICATE";
        break;
    case ImapCommand::Kind::command:
        verb = verbOf(command->name);
        break;
    case ImapCommand::Kind::malformed:
        break;
    }
    return Turn { verb, m_wire.cameWith(command->end), false };
}

int ImapConversation::answer(std::string& out, std::int64_t nowNs)
{
    std::string plain;
    const bool good = act(m_wire.compressed() ? plain : out, *m_wire.next(), nowNs);
    m_wire.say(out, plain);
    m_wire.answered();
    if (m_session.wantsTls())
        m_wire.discard(); // what comes before the handshake is not the client's
    return good ? kReplyOk : kReplyErr;
}

int ImapConversation::reject(std::string& out, int)
{
    const ImapCommand& command = *m_wire.next();
    std::string plain;
    if (command.kind == ImapCommand::Kind::literal) // its command is refused once it is whole
        plain = kGoAhead;
    else
        m_session.reject(plain, command);
    m_wire.say(out, plain);
    m_wire.answered();
    return kReplyErr;
}

/// False: it was refused.
bool ImapConversation::act(std::string& out, const ImapCommand& command, std::int64_t nowNs)
{
    if (command.kind == ImapCommand::Kind::literal) {
        out += kGoAhead;
        return true;
    }
    if (command.kind == ImapCommand::Kind::malformed) {
        m_closing = m_wire.damaged();
        out += m_closing ? "* BYE the data is not deflate (RFC 1951)\r\n"
                         : fmt::format("{} BAD {}\r\n", command.tag, command.fault);
        return false;
    }
    return m_session.answer(out, command, nowNs);
}

} // namespace loadstone::embedded

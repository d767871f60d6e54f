// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/imap_conversation.h"

#include <fmt/format.h>

#include <algorithm>

/// The session's frame: what comes in, in turns, and what is answered.
namespace loadstone::embedded {

using protocol::ImapCommand;

namespace {
constexpr std::uint64_t kStrangersLiteral = 4096; // names and passwords, before login
}

ImapConversation::ImapConversation(MailHouse& house, bool encrypted)
    : m_house(house)
    , m_reader(std::min<std::uint64_t>(kStrangersLiteral, house.options.maxMessage))
    , m_encrypted(encrypted)
{
}

std::string ImapConversation::capabilities() const
{
    std::string text = "IMAP4rev1 LITERAL+ SASL-IR ID ENABLE NAMESPACE UIDPLUS MOVE UNSELECT IDLE ESEARCH "
                       "SPECIAL-USE CONDSTORE";
    if (m_state == State::stranger)
        text += " AUTH=PLAIN";
    else if (!m_compression)
        text += " COMPRESS=DEFLATE";
    if (m_house.options.tls && !m_encrypted)
        text += " STARTTLS";
    return text;
}

void ImapConversation::greet(std::string& out)
{
    out += fmt::format("* OK [CAPABILITY {}] Loadstone target ready\r\n", capabilities());
}

int ImapConversation::turnAway(std::string& out)
{
    out += "* BYE service not available\r\n";
    m_closing = true;
    return kReplyErr;
}

void ImapConversation::feed(std::string_view bytes)
{
    m_came += bytes.size();
    if (m_compression) {
        m_packed.emplace_back(bytes);
        m_packedBytes += bytes.size();
    } else
        hear(bytes);
    countHeld();
}

void ImapConversation::countHeld()
{
    const auto now = static_cast<std::int64_t>(m_reader.held() + m_packedBytes);
    m_house.store.addIncoming(now - m_incoming);
    m_incoming = now;
}

std::optional<Conversation::Turn> ImapConversation::next()
{
    const ImapCommand* command = m_closing ? nullptr : m_reader.next();
    while (command == nullptr && !m_closing && unpack())
        command = m_reader.next();
    countHeld();
    if (command == nullptr) { // the next one ends in what is still to come
        m_marks.clear();
        return std::nullopt;
    }
    const char* verb = "?";
    switch (command->kind) {
    case ImapCommand::Kind::literal:
        verb = "LITERAL";
        break;
    case ImapCommand::Kind::line:
        verb = m_idles ? "DONE" : "AUTHENTICATE";
        break;
    case ImapCommand::Kind::command:
        for (const char* known : { "CAPABILITY", "NOOP", "LOGOUT", "STARTTLS", "AUTHENTICATE", "LOGIN",
                 "SELECT", "EXAMINE", "CREATE", "DELETE", "LIST", "LSUB", "STATUS", "APPEND", "CHECK",
                 "CLOSE", "UNSELECT", "EXPUNGE", "SEARCH", "FETCH", "STORE", "COPY", "MOVE", "IDLE", "ID",
                 "ENABLE", "NAMESPACE", "SUBSCRIBE", "UNSUBSCRIBE", "COMPRESS" })
            if (command->name == known
                || (command->name.starts_with("UID ") && command->name.substr(4) == known))
                verb = known;
        break;
    case ImapCommand::Kind::malformed:
        break;
    }
    return Turn { verb, cameWith(command->end), false };
}

int ImapConversation::answer(std::string& out, std::int64_t nowNs)
{
    std::string plain;
    const int code = act(m_compression ? plain : out, *m_reader.next(), nowNs);
    say(out, plain);
    m_reader.answered();
    if (std::exchange(m_compressNext, false)) {
        m_compression = std::make_unique<Compression>();
        m_reader.discard(); // RFC 4978, 3: nothing may come before the answer
    }
    if (m_tlsRequested)
        m_reader.discard();
    countHeld();
    return code;
}

int ImapConversation::reject(std::string& out, int)
{
    const ImapCommand& command = *m_reader.next();
    if (command.kind == ImapCommand::Kind::literal) // its command is refused once it is whole
        say(out, "+ go ahead\r\n");
    else
        say(out,
            (command.kind == ImapCommand::Kind::line ? m_tag : command.tag)
                + " NO [UNAVAILABLE] try again later\r\n");
    m_answersChallenge = false;
    stopIdling();
    m_reader.answered();
    return kReplyErr;
}

int ImapConversation::act(std::string& out, const ImapCommand& command, std::int64_t nowNs)
{
    if (command.kind == ImapCommand::Kind::literal) {
        out += "+ go ahead\r\n";
        return kReplyOk;
    }
    if (command.kind == ImapCommand::Kind::malformed) {
        m_closing = m_damaged;
        out += m_damaged ? "* BYE the data is not deflate (RFC 1951)\r\n"
                         : fmt::format("{} BAD {}\r\n", command.tag, command.fault);
        return kReplyErr;
    }
    m_code.clear();
    Outcome outcome;
    std::string tag = command.tag;
    std::string name = command.name;
    if (command.kind == ImapCommand::Kind::line) {
        tag = m_tag;
        if (m_idles) {
            stopIdling();
            name = "IDLE";
            if (!protocol::equalsIgnoringCase(command.name, "DONE"))
                outcome = Rejected { "BAD", "DONE was expected" };
        } else {
            m_answersChallenge = false;
            name = "AUTHENTICATE";
            const auto credentials = protocol::parsePlainMessage(command.name);
            outcome = credentials ? logIn(credentials->user, credentials->password)
                                  : Outcome(Rejected { "BAD", "not a PLAIN message" });
        }
    } else {
        m_tag = tag;
        outcome = carryOut(out, command, nowNs);
    }
    if (m_answersChallenge || m_idles) { // it goes on with a line
        m_reader.expectLine();
        out += m_idles ? "+ idling\r\n" : "+ \r\n";
        return kReplyOk;
    }
    // RFC 9051, 7.5.1: no message is renumbered while its number may be on its way in one of these.
    tellNews(out, nowNs, name != "FETCH" && name != "STORE" && name != "SEARCH");
    if (outcome)
        out += fmt::format("{} {} {}\r\n", tag, outcome->condition, outcome->text);
    else
        out += fmt::format("{} OK {}{}{} completed\r\n", tag, m_code, m_code.empty() ? "" : " ", name);
    return outcome ? kReplyErr : kReplyOk;
}

} // namespace loadstone::embedded

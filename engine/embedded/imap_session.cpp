// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/imap_session.h"

#include "embedded/imap_search.h"
#include "protocol/common/server_line.h"
#include "protocol/imap/imap_response.h"
#include "protocol/sasl/sasl.h"

#include <fmt/format.h>

namespace loadstone::embedded {

using protocol::ImapCommand;
using protocol::ImapScanner;

ImapSession::ImapSession(MailHouse& house, ImapWire& wire, bool encrypted)
    : m_house(house)
    , m_wire(wire)
    , m_folders(house)
    , m_view(house.store)
    , m_messages(house, m_folders, m_view)
    , m_idling(house.store.bell())
    , m_encrypted(encrypted)
{
}

std::string ImapSession::capabilities() const
{
    std::string text = "IMAP4rev1 LITERAL+ SASL-IR ID ENABLE NAMESPACE UIDPLUS MOVE UNSELECT IDLE ESEARCH "
                       "SPECIAL-USE CONDSTORE";
    if (!m_loggedIn)
        text += " AUTH=PLAIN";
    else if (!m_wire.compressed())
        text += " COMPRESS=DEFLATE";
    if (m_house.options.tls && !m_encrypted)
        text += " STARTTLS";
    return text;
}

bool ImapSession::answer(std::string& out, const ImapCommand& command, std::int64_t nowNs)
{
    const bool line = command.kind == ImapCommand::Kind::line;
    const std::string name = !line ? command.name : m_idling.on() ? "IDLE" : "AUTHENTICATE";
    if (!line)
        m_tag = command.tag;
    const ImapOutcome outcome = line ? takeLine(command.name) : carryOut(out, command, nowNs);
    if (m_challenged || m_idling.on()) { // it goes on with a line
        m_wire.expectLine();
        out += m_idling.on() ? "+ idling\r\n" : "+ \r\n";
        return true;
    }
    // RFC 9051, 7.5.1: no message is renumbered while its number may be on its way in one of these.
    if (m_view.isOpen())
        m_view.takeNews(out, nowNs, name != "FETCH" && name != "STORE" && name != "SEARCH");
    using Status = ImapOutcome::Status;
    if (outcome.status == Status::ok)
        out += fmt::format(
            "{} OK {}{}{} completed\r\n", m_tag, outcome.text, outcome.text.empty() ? "" : " ", name);
    else
        out += fmt::format("{} {} {}\r\n", m_tag, outcome.status == Status::no ? "NO" : "BAD", outcome.text);
    return outcome.status == Status::ok;
}

void ImapSession::reject(std::string& out, const ImapCommand& command)
{
    out += (command.kind == ImapCommand::Kind::line ? m_tag : command.tag)
        + " NO [UNAVAILABLE] try again later\r\n";
    m_challenged = false;
    m_idling.stop();
}

std::int64_t ImapSession::tellUnasked(std::string& out, std::int64_t nowNs)
{
    if (!m_idling.on() || !m_view.isOpen())
        return 0;
    m_view.takeFlags(out, nowNs);
    m_view.takeNews(out, nowNs, true);
    return m_house.store.nextVisible(m_view.key(), nowNs);
}

ImapOutcome ImapSession::carryOut(std::string& out, const ImapCommand& command, std::int64_t nowNs)
{
    const std::string& name = command.name;
    ImapScanner words(command.text, command.arguments);
    if (m_view.isOpen())
        m_view.takeFlags(out, nowNs);
    if (Known done = inAnyState(out, name))
        return *std::move(done);
    if (!m_loggedIn)
        return beforeLogin(name, words);
    if (Known done = withoutFolder(out, name, words, nowNs))
        return *std::move(done);
    if (!m_view.isOpen())
        return ImapOutcome::bad("no folder is selected, or there is no such command");
    return inFolder(out, name, words);
}

ImapSession::Known ImapSession::inAnyState(std::string& out, const std::string& name)
{
    if (name == "NOOP" || name == "CHECK")
        return ImapOutcome();
    if (name == "CAPABILITY") {
        out += "* CAPABILITY " + capabilities() + "\r\n";
        return ImapOutcome();
    }
    if (name == "LOGOUT") {
        out += "* BYE good bye\r\n";
        m_over = true;
        m_view.close();
        return ImapOutcome();
    }
    if (name == "ID") {
        out += "* ID (\"name\" \"Loadstone target\")\r\n";
        return ImapOutcome();
    }
    return std::nullopt;
}

ImapOutcome ImapSession::beforeLogin(const std::string& name, ImapScanner& words)
{
    if (name == "STARTTLS") {
        if (m_encrypted || !m_house.options.tls)
            return ImapOutcome::bad("TLS is not available now");
        m_wantsTls = m_encrypted = true;
        return {};
    }
    if (name == "LOGIN") {
        const std::string user = words.string().text;
        words.expect(' ');
        const std::string password = words.string().text;
        return words.failed() ? ImapOutcome::bad() : logIn(user, password);
    }
    if (name == "AUTHENTICATE") {
        if (!protocol::equalsIgnoringCase(words.atom(), "PLAIN"))
            return ImapOutcome::no("only PLAIN is offered");
        m_challenged = !words.accept(' ');
        return m_challenged ? ImapOutcome() : authenticate(words.rest());
    }
    return ImapOutcome::bad("log in first");
}

ImapSession::Known ImapSession::withoutFolder(
    std::string& out, const std::string& name, ImapScanner& words, std::int64_t nowNs)
{
    if (name == "SUBSCRIBE" || name == "UNSUBSCRIBE")
        return ImapOutcome();
    if (name == "ENABLE")
        return enable(out, words);
    if (name == "COMPRESS") {
        if (m_wire.compressed() || !protocol::equalsIgnoringCase(words.rest(), "DEFLATE"))
            return ImapOutcome::no("[COMPRESSIONACTIVE] DEFLATE only, and once");
        m_wire.compressAfterAnswer();
        return ImapOutcome();
    }
    if (name == "NAMESPACE") {
        out += "* NAMESPACE ((\"\" NIL)) NIL NIL\r\n";
        return ImapOutcome();
    }
    if (name == "SELECT" || name == "EXAMINE")
        return select(out, words, name == "EXAMINE", nowNs);
    if (name == "LIST" || name == "LSUB")
        return m_folders.list(out, name.c_str(), words);
    if (name == "STATUS")
        return m_folders.status(out, words, nowNs);
    if (name == "APPEND")
        return m_folders.append(words);
    if (name == "CREATE")
        return m_folders.create(words);
    if (name == "DELETE")
        return m_folders.remove(words);
    if (name == "IDLE") {
        m_idling.start(m_view.key(), m_caller);
        return ImapOutcome();
    }
    return std::nullopt;
}

ImapOutcome ImapSession::inFolder(std::string& out, const std::string& name, ImapScanner& words)
{
    if (name == "CLOSE" || name == "UNSELECT") {
        if (name == "CLOSE" && !m_view.readOnly())
            m_messages.expunge();
        m_view.close();
        return {};
    }
    const bool uid = name.starts_with("UID ");
    const std::string_view verb = uid ? std::string_view(name).substr(4) : std::string_view(name);
    if (verb == "FETCH")
        return m_messages.fetch(out, words, uid);
    if (verb == "SEARCH")
        return search(out, m_view, words,
            { m_tag, uid, m_house.options.faults.ofMailbox(Fault::search, m_folders.user()) });
    if (m_view.readOnly() && (verb == "STORE" || verb == "EXPUNGE" || verb == "MOVE"))
        return ImapOutcome::no("[READ-ONLY] the folder was opened with EXAMINE");
    if (verb == "STORE")
        return m_messages.store(out, words, uid);
    if (verb == "COPY")
        return m_messages.copy(words, uid);
    if (verb == "MOVE")
        return m_messages.move(out, words, uid);
    if (verb == "EXPUNGE") {
        if (uid)
            return m_messages.expunge(words.rest());
        m_messages.expunge();
        return {};
    }
    return ImapOutcome::bad("there is no such command");
}

ImapOutcome ImapSession::takeLine(std::string_view line)
{
    if (m_idling.on()) {
        m_idling.stop();
        return protocol::equalsIgnoringCase(line, "DONE") ? ImapOutcome()
                                                          : ImapOutcome::bad("DONE was expected");
    }
    m_challenged = false;
    return authenticate(line);
}

ImapOutcome ImapSession::authenticate(std::string_view message)
{
    const auto credentials = protocol::parsePlainMessage(message);
    return credentials ? logIn(credentials->user, credentials->password)
                       : ImapOutcome::bad("this is not a PLAIN message");
}

ImapOutcome ImapSession::logIn(std::string_view user, std::string_view password)
{
    std::string mailbox = mailboxOf(user);
    const std::string& right = m_house.options.password;
    if (mailbox.empty() || !m_house.options.users.contains(mailbox) || (!right.empty() && password != right))
        return ImapOutcome::no("[AUTHENTICATIONFAILED] invalid name or password");
    m_folders.setUser(std::move(mailbox));
    m_loggedIn = true;
    m_wire.allow(m_house.options.maxMessage);
    return ImapOutcome::ok("[CAPABILITY " + capabilities() + "]");
}

ImapOutcome ImapSession::enable(std::string& out, ImapScanner& words)
{
    std::string enabled;
    while (!words.failed() && words.peek() != '\0') {
        if (protocol::equalsIgnoringCase(words.atom(), "CONDSTORE")) {
            m_view.tellChanges();
            enabled = " CONDSTORE";
        }
        words.skipBlanks();
    }
    if (words.failed())
        return ImapOutcome::bad();
    out += "* ENABLED" + enabled + "\r\n";
    return {};
}

ImapOutcome ImapSession::select(std::string& out, ImapScanner& words, bool readOnly, std::int64_t nowNs)
{
    const std::string folder = words.string().text;
    m_view.close(); // also where this one cannot be opened (RFC 9051, 6.3.2)
    words.skipBlanks();
    if (words.accept('(')) { // RFC 7162, 3.1.8
        if (protocol::equalsIgnoringCase(words.atom(), "CONDSTORE"))
            m_view.tellChanges();
        words.expect(')');
    }
    if (words.failed())
        return ImapOutcome::bad();
    if (!m_folders.has(folder))
        return ImapOutcome::no("[NONEXISTENT] there is no such folder");
    m_view.open(out, m_folders.keyOf(folder), readOnly, nowNs);
    return ImapOutcome::ok(readOnly ? "[READ-ONLY]" : "[READ-WRITE]");
}

} // namespace loadstone::embedded

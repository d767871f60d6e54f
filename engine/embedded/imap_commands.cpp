// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/imap_conversation.h"
#include "protocol/sasl/sasl.h"

/// Which command does what, and in which state of the session.
namespace loadstone::embedded {

using protocol::ImapCommand;
using protocol::ImapScanner;

ImapConversation::Outcome ImapConversation::carryOut(
    std::string& out, const ImapCommand& command, std::int64_t nowNs)
{
    const std::string& name = command.name;
    ImapScanner words(command.text, command.arguments);
    if (m_state == State::selected)
        takeFlags(out, nowNs);
    const bool uid = name.starts_with("UID ");
    const std::string_view verb = uid ? std::string_view(name).substr(4) : std::string_view(name);
    const Rejected bad { "BAD", "the arguments are wrong" };
    if (name == "CAPABILITY") {
        out += "* CAPABILITY " + capabilities() + "\r\n";
        return {};
    }
    if (name == "NOOP" || name == "CHECK")
        return {};
    if (name == "LOGOUT") {
        out += "* BYE good bye\r\n";
        m_closing = true;
        m_state = State::stranger;
        return {};
    }
    if (name == "ID") {
        out += "* ID (\"name\" \"Loadstone target\")\r\n";
        return {};
    }
    if (m_state == State::stranger) {
        if (name == "STARTTLS") {
            if (m_encrypted || !m_house.options.tls)
                return Rejected { "BAD", "TLS is not available now" };
            m_tlsRequested = m_encrypted = true;
            return {};
        }
        if (name == "LOGIN") {
            const std::string user = words.string().text;
            words.expect(' ');
            const std::string password = words.string().text;
            return words.failed() ? Outcome(bad) : logIn(user, password);
        }
        if (name == "AUTHENTICATE") {
            if (!protocol::equalsIgnoringCase(words.atom(), "PLAIN"))
                return Rejected { "NO", "only PLAIN is offered" };
            m_answersChallenge = !words.accept(' ');
            if (m_answersChallenge)
                return {};
            const auto credentials = protocol::parsePlainMessage(words.rest());
            return credentials ? logIn(credentials->user, credentials->password) : Outcome(bad);
        }
        return Rejected { "BAD", "log in first" };
    }
    if (name == "SUBSCRIBE" || name == "UNSUBSCRIBE")
        return {};
    if (name == "ENABLE")
        return enable(out, words);
    if (name == "COMPRESS") {
        if (m_compression || !protocol::equalsIgnoringCase(words.rest(), "DEFLATE"))
            return Rejected { "NO", "[COMPRESSIONACTIVE] DEFLATE only, and once" };
        m_compressNext = true;
        return {};
    }
    if (name == "NAMESPACE") {
        out += "* NAMESPACE ((\"\" NIL)) NIL NIL\r\n";
        return {};
    }
    if (name == "SELECT" || name == "EXAMINE")
        return select(out, words, name == "EXAMINE", nowNs);
    if (name == "LIST" || name == "LSUB")
        return list(out, name == "LIST" ? "LIST" : "LSUB", words);
    if (name == "STATUS")
        return status(out, words, nowNs);
    if (name == "APPEND")
        return append(words);
    if (name == "CREATE" || name == "DELETE") {
        const std::string folder = words.string().text;
        if (words.failed() || folder.empty() || folder.size() > 200 || folder.find('\n') != std::string::npos)
            return bad;
        if (protocol::equalsIgnoringCase(folder, "INBOX"))
            return Rejected { "NO", "INBOX is always there" };
        if (name == "CREATE")
            return !m_house.store.hasRoom(1024) ? Outcome(Rejected { "NO", "[OVERQUOTA] no room" })
                : m_house.store.createFolder(m_user, folder)
                ? Outcome()
                : Outcome(Rejected { "NO", "[ALREADYEXISTS] the folder exists already" });
        return m_house.store.removeFolder(m_user, folder)
            ? Outcome()
            : Outcome(Rejected { "NO", "[NONEXISTENT] there is no such folder" });
    }
    if (name == "IDLE") {
        m_idles = true;
        m_house.store.bell().watch(m_key, m_caller);
        return {};
    }
    if (m_state != State::selected)
        return Rejected { "BAD", "no folder is selected, or there is no such command" };
    if (name == "CLOSE" || name == "UNSELECT") {
        std::string silent;
        Outcome outcome = name == "CLOSE" && !m_readOnly ? expunge(silent, nullptr) : Outcome();
        m_state = State::user;
        m_view.clear();
        return outcome;
    }
    if (verb == "FETCH")
        return fetch(out, words, uid);
    if (verb == "SEARCH")
        return search(out, words, uid);
    if (m_readOnly && (verb == "STORE" || verb == "EXPUNGE" || verb == "MOVE"))
        return Rejected { "NO", "[READ-ONLY] the folder was opened with EXAMINE" };
    if (verb == "STORE")
        return store(out, words, uid);
    if (verb == "COPY" || verb == "MOVE")
        return copyOrMove(out, words, uid, verb == "MOVE");
    if (verb == "EXPUNGE") {
        if (!uid)
            return expunge(out, nullptr);
        const auto only = messagesOf(words.rest(), true);
        return only ? expunge(out, &*only) : Outcome(bad);
    }
    return Rejected { "BAD", "there is no such command" };
}

ImapConversation::Outcome ImapConversation::logIn(std::string_view user, std::string_view password)
{
    std::string mailbox = mailboxOf(user);
    const std::string& right = m_house.options.password;
    if (mailbox.empty() || !m_house.options.users.contains(mailbox) || (!right.empty() && password != right))
        return Rejected { "NO", "[AUTHENTICATIONFAILED] invalid name or password" };
    m_user = std::move(mailbox);
    m_state = State::user;
    m_reader.allow(m_house.options.maxMessage);
    m_code = "[CAPABILITY " + capabilities() + "]";
    return {};
}

} // namespace loadstone::embedded

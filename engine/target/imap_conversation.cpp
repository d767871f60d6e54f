// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "target/imap_conversation.h"

#include "protocol/imap_client.h"
#include "protocol/sasl.h"
#include "target/imap_flags.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::target {

using protocol::ImapCommand;
using protocol::ImapScanner;

namespace {

constexpr std::uint64_t kStrangersLiteral = 4096; // names and passwords, before login

/// LIST's wildcards: "*" is any text, "%" any within one level; as there is one level only, both mean the same. Linear: on a
/// mismatch only the last wildcard can take more.
bool matches(std::string_view name, std::string_view pattern)
{
    std::size_t n = 0, p = 0, wildcard = std::string_view::npos, resume = 0;
    while (n < name.size()) {
        if (p < pattern.size() && (pattern[p] == '*' || pattern[p] == '%')) {
            wildcard = p++;
            resume = n;
        } else if (p < pattern.size() && pattern[p] == name[n]) {
            ++p;
            ++n;
        } else if (wildcard != std::string_view::npos) {
            p = wildcard + 1;
            n = ++resume;
        } else
            return false;
    }
    return pattern.find_first_not_of("*%", p) == std::string_view::npos;
}

} // namespace

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
    if (m_compression)
        m_packed += bytes;
    else
        m_reader.feed(bytes);
    countHeld();
}

void ImapConversation::countHeld()
{
    const auto now = static_cast<std::int64_t>(m_reader.held() + m_packed.size());
    m_house.store.addIncoming(now - m_incoming);
    m_incoming = now;
}

std::optional<Conversation::Turn> ImapConversation::next()
{
    const ImapCommand* command = m_closing ? nullptr : m_reader.next();
    while (command == nullptr && !m_closing && unpack())
        command = m_reader.next();
    countHeld();
    if (command == nullptr)
        return std::nullopt;
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
    return Turn { verb, command->end, false };
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
        out += m_damaged ? "* BYE what came is no deflate (RFC 1951)\r\n"
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
                                  : Outcome(Rejected { "BAD", "that is no PLAIN message" });
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
                : Outcome(Rejected { "NO", "[ALREADYEXISTS] it is there already" });
        return m_house.store.removeFolder(m_user, folder)
            ? Outcome()
            : Outcome(Rejected { "NO", "[NONEXISTENT] there is none" });
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

bool ImapConversation::exists(const std::string& folder) const
{
    return protocol::equalsIgnoringCase(folder, "INBOX") || m_house.store.hasFolder(m_user, folder);
}

ImapConversation::Outcome ImapConversation::select(
    std::string& out, ImapScanner& words, bool readOnly, std::int64_t nowNs)
{
    const std::string folder = words.string().text;
    m_state = State::user; // whatever comes of it, the old one is left (RFC 9051, 6.3.2)
    m_view.clear();
    words.skipBlanks();
    if (words.accept('(')) { // RFC 7162, 3.1.8
        m_condstore = protocol::equalsIgnoringCase(words.atom(), "CONDSTORE") || m_condstore;
        words.expect(')');
    }
    if (words.failed())
        return Rejected { "BAD", "the arguments are wrong" };
    if (!exists(folder))
        return Rejected { "NO", "[NONEXISTENT] there is no such folder" };
    m_key = keyOf(folder);
    m_view = m_house.store.view(m_key, nowNs);
    m_state = State::selected;
    m_readOnly = readOnly;
    const std::uint64_t next = m_house.store.nextUid(m_key, nowNs);
    out += fmt::format(
        "* {} EXISTS\r\n* 0 RECENT\r\n* FLAGS ({})\r\n* OK [PERMANENTFLAGS ({})] flags are kept\r\n"
        "* OK [UIDVALIDITY {}] while this process lives\r\n* OK [UIDNEXT {}] at least\r\n"
        "* OK [HIGHESTMODSEQ {}] changes are numbered\r\n",
        m_view.size(), kSystemFlags, readOnly ? "" : kSystemFlags, kUidValidity, next,
        m_house.store.highestChange(m_key));
    m_code = readOnly ? "[READ-ONLY]" : "[READ-WRITE]";
    return {};
}

ImapConversation::Outcome ImapConversation::list(std::string& out, const char* name, ImapScanner& words)
{
    const std::string reference = words.string().text;
    words.expect(' ');
    const std::string pattern = words.string().text;
    if (words.failed())
        return Rejected { "BAD", "the arguments are wrong" };
    if (pattern.empty()) { // RFC 3501, 6.3.8: asks for the delimiter
        out += fmt::format("* {} (\\Noselect) NIL \"\"\r\n", name);
        return {};
    }
    const auto tell = [&](const std::string& folder) {
        if (matches(folder, reference + pattern))
            out += fmt::format("* {} (\\HasNoChildren{}) NIL {}\r\n", name,
                folder == "Deleted Items"    ? " \\Trash" // RFC 6154
                    : folder == "Sent Items" ? " \\Sent"
                                             : "",
                protocol::imapQuoted(folder));
    };
    tell("INBOX");
    for (const std::string& folder : m_house.store.folders(m_user))
        tell(folder);
    return {};
}

ImapConversation::Outcome ImapConversation::status(std::string& out, ImapScanner& words, std::int64_t nowNs)
{
    const std::string folder = words.string().text;
    words.skipBlanks();
    words.expect('(');
    if (words.failed())
        return Rejected { "BAD", "the arguments are wrong" };
    if (!exists(folder))
        return Rejected { "NO", "[NONEXISTENT] there is no such folder" };
    const std::vector<Entry> entries = m_house.store.view(keyOf(folder), nowNs);
    std::string items;
    while (!words.failed() && !words.accept(')')) {
        const std::string_view item = words.atom();
        const auto add = [&](const char* name, std::uint64_t value) {
            if (protocol::equalsIgnoringCase(item, name))
                items += fmt::format("{}{} {}", items.empty() ? "" : " ", name, value);
        };
        add("MESSAGES", entries.size());
        add("UIDNEXT", m_house.store.nextUid(keyOf(folder), nowNs));
        add("UIDVALIDITY", kUidValidity);
        add("RECENT", 0);
        add("UNSEEN",
            static_cast<std::uint64_t>(std::count_if(entries.begin(), entries.end(),
                [](const Entry& entry) { return (entry.flags & protocol::kImapSeen) == 0; })));
        words.skipBlanks();
    }
    if (words.failed())
        return Rejected { "BAD", "the arguments are wrong" };
    out += fmt::format("* STATUS {} ({})\r\n", protocol::imapQuoted(folder), items);
    return {};
}

ImapConversation::Outcome ImapConversation::append(ImapScanner& words)
{
    const std::string folder = words.string().text;
    words.skipBlanks();
    std::optional<std::uint8_t> flags = std::uint8_t { 0 };
    if (words.peek() == '(')
        flags = readFlags(words);
    words.skipBlanks();
    if (words.peek() == '"') { // the internal date is taken and forgotten
        words.string();
        words.skipBlanks();
    }
    ImapScanner::String content = words.string();
    if (words.failed() || !flags)
        return Rejected { "BAD", "the arguments are wrong" };
    if (!exists(folder))
        return Rejected { "NO", "[TRYCREATE] there is no such folder" };
    if (!m_house.store.hasRoom(content.text.size() + 1024))
        return Rejected { "NO", "[OVERQUOTA] no room" };
    const std::uint64_t uid = m_house.store.append(keyOf(folder), std::move(content.text), *flags);
    m_code = fmt::format("[APPENDUID {} {}]", kUidValidity, uid);
    return {};
}

/// Other sessions may have changed flags.
void ImapConversation::takeFlags(std::string& out, std::int64_t nowNs)
{
    auto known = m_view.begin();
    for (const Entry& now : m_house.store.view(m_key, nowNs)) {
        while (known != m_view.end() && known->uid < now.uid)
            ++known;
        if (known == m_view.end() || known->uid != now.uid || known->flags == now.flags)
            continue;
        *known = now;
        out += fmt::format("* {} FETCH (UID {} FLAGS ({}){})\r\n", known - m_view.begin() + 1, now.uid,
            flagsText(now.flags), changeText(now));
    }
}

void ImapConversation::tellNews(std::string& out, std::int64_t nowNs, bool mayRenumber)
{
    if (m_state != State::selected)
        return;
    std::vector<Entry> now = m_house.store.view(m_key, nowNs);
    const auto there = [&](std::uint64_t uid) {
        const auto found = std::lower_bound(
            now.begin(), now.end(), uid, [](const Entry& entry, std::uint64_t id) { return entry.uid < id; });
        return found != now.end() && found->uid == uid;
    };
    if (mayRenumber)
        for (std::size_t i = m_view.size(); i-- > 0;) // from the end, so that the numbers stay right
            if (!there(m_view[i].uid)) {
                out += fmt::format("* {} EXPUNGE\r\n", i + 1);
                m_view.erase(m_view.begin() + static_cast<std::ptrdiff_t>(i));
            }
    const std::uint64_t last = m_view.empty() ? 0 : m_view.back().uid;
    const auto fresh = std::upper_bound(
        now.begin(), now.end(), last, [](std::uint64_t id, const Entry& entry) { return id < entry.uid; });
    if (fresh == now.end())
        return;
    m_view.insert(m_view.end(), fresh, now.end());
    out += fmt::format("* {} EXISTS\r\n", m_view.size());
}

} // namespace loadstone::target

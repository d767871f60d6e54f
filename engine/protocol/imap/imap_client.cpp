// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/imap/imap_client.h"

#include "protocol/common/server_line.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>

namespace loadstone::protocol {

namespace {

/// A command's tag as it is sent. No text is allocated: it is made for each command and each answer.
class Tag {
public:
    explicit Tag(std::uint32_t number)
        : m_end(std::to_chars(m_text.data() + 1, m_text.data() + m_text.size(), number).ptr)
    {
        m_text[0] = 'a';
    }
    [[nodiscard]] std::string_view text() const
    {
        return { m_text.data(), static_cast<std::size_t>(m_end - m_text.data()) };
    }

private:
    std::array<char, 1 + std::numeric_limits<std::uint32_t>::digits10 + 1> m_text;
    char* m_end;
};

} // namespace

std::string imapQuoted(std::string_view text)
{
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out.push_back('\\');
        out.push_back(c);
    }
    out.push_back('"');
    return out;
}

ImapClient::ImapClient(const ImapOptions& options, std::string_view login, std::string_view password)
    : m_options(options)
    , m_login(login)
    , m_password(password)
{
}

void ImapClient::open(MonoTime connected, bool secure)
{
    m_secure = secure;
    m_state = State::opening;
    m_pending.push_back({ ImapVerb::greeting, 0, connected, true });
}

std::uint32_t ImapClient::send(ImapVerb verb, std::string_view text, std::string_view shown)
{
    const Tag tag(++m_lastTag);
    const std::size_t begin = m_out.size();
    m_out.append(tag.text()).append(1, ' ').append(text).append("\r\n");
    if (shown == text)
        m_transcript.client(std::string_view(m_out).substr(begin));
    else
        m_transcript.client(std::string(tag.text()) + " " + std::string(shown));
    m_pending.push_back({ verb, m_lastTag, {}, false });
    return m_lastTag;
}

std::uint32_t ImapClient::command(ImapVerb verb, std::string_view text)
{
    return send(verb, text, text);
}

std::uint32_t ImapClient::append(std::string_view mailbox, std::string_view flags,
    std::span<const std::string_view> pieces, std::uint64_t size)
{
    // RFC 7888: with LITERAL+ any literal, with LITERAL- one of up to 4,096 bytes needs no leave.
    constexpr std::uint64_t kSmall = 4096;
    const bool atOnce = can("LITERAL+") || (size <= kSmall && can("LITERAL-"));
    std::string text = "APPEND " + imapQuoted(mailbox);
    if (!flags.empty())
        text.append(" (").append(flags).append(")");
    text.append(" {").append(std::to_string(size)).append(atOnce ? "+}" : "}");
    const std::uint32_t tag = send(ImapVerb::append, text, text);
    m_literal = pieces;
    m_literalDue = atOnce;
    m_waitsFor = atOnce ? Continuation::none : Continuation::literal;
    m_asking = tag;
    return tag;
}

std::uint32_t ImapClient::compress()
{
    return command(ImapVerb::compress, "COMPRESS DEFLATE");
}

std::uint32_t ImapClient::idle()
{
    m_waitsFor = Continuation::idle;
    m_asking = send(ImapVerb::idle, "IDLE", "IDLE");
    return m_asking;
}

void ImapClient::done()
{
    m_idling = false;
    for (Pending& pending : m_pending) // how long it idled says nothing about the server
        if (pending.verb == ImapVerb::idle)
            pending.stamped = false;
    m_out.append("DONE\r\n");
    m_transcript.client("DONE");
}

void ImapClient::logout()
{
    command(ImapVerb::logout, "LOGOUT");
}

void ImapClient::tlsEstablished()
{
    m_secure = true;
    m_state = State::opening;
    m_reader = {};
    m_capabilities.clear(); // RFC 9051, 6.2.1: what was said in the clear is forgotten
    m_transcript.note("[TLS established]");
    command(ImapVerb::capability, "CAPABILITY");
}

bool ImapClient::can(std::string_view capability) const
{
    const auto listed = [&](std::string_view name) {
        return m_capabilities.find(" " + capitals(name) + " ") != std::string::npos;
    };
    constexpr std::array<std::string_view, 12> kBuiltIn { "NAMESPACE", "UNSELECT", "UIDPLUS", "ESEARCH",
        "ENABLE", "IDLE", "SASL-IR", "LIST-EXTENDED", "LIST-STATUS", "MOVE", "LITERAL-",
        "SPECIAL-USE" }; // RFC 9051, appendix E
    const bool builtIn = std::any_of(kBuiltIn.begin(), kBuiltIn.end(),
        [&](std::string_view name) { return equalsIgnoringCase(name, capability); });
    return listed(capability) || (builtIn && listed("IMAP4REV2"));
}

std::span<const std::string_view> ImapClient::output()
{
    m_pieces.clear();
    if (!m_out.empty())
        m_pieces.emplace_back(m_out);
    if (m_literalDue) {
        m_pieces.insert(m_pieces.end(), m_literal.begin(), m_literal.end());
        m_pieces.emplace_back("\r\n");
    }
    if (m_compression && !m_pieces.empty()) {
        std::string& packed = m_compression->packed;
        if (packed.empty()) { // else it was asked for and is not written yet
            for (const std::string_view piece : m_pieces)
                m_compression->out.write(piece, packed);
            m_compression->out.flush(packed);
        }
        m_pieces.assign(1, packed);
    }
    return m_pieces;
}

void ImapClient::written(MonoTime when)
{
    m_out.clear();
    m_pieces.clear();
    if (m_compression)
        m_compression->packed = {};
    if (std::exchange(m_literalDue, false))
        m_literal = {};
    m_answerDue = false;
    for (auto it = m_pending.rbegin(); it != m_pending.rend() && !it->stamped; ++it) {
        it->sent = when;
        it->stamped = true;
    }
}

void ImapClient::received(std::string_view bytes, MonoTime when)
{
    if (!m_compression)
        hear(bytes, when);
    if (m_state == State::tls && !bytes.empty()) // somebody between may have put it there (CVE-2011-0411)
        return fail(FailureKind::tls, 0, "unencrypted bytes after the answer to STARTTLS");
    if (!m_compression)
        return;
    std::array<char, 4096> buffer;
    while (m_state != State::closed) {
        std::string_view plain;
        const DeflateReader::Status status = m_compression->in.read(bytes, buffer, plain);
        hear(plain, when);
        if (status == DeflateReader::Status::needMore)
            return;
        if (status == DeflateReader::Status::damaged)
            return fail(FailureKind::protocol, 0, "the server's compressed bytes are not deflate (RFC 1951)");
    }
}

/// Until all is taken, or what follows is of another kind: TLS, or compressed.
void ImapClient::hear(std::string_view& bytes, MonoTime when)
{
    const bool compressed = m_compression != nullptr;
    while (m_state != State::closed && m_state != State::tls && compressed == (m_compression != nullptr))
        switch (m_reader.feed(bytes)) {
        case ImapReader::Status::needMore:
            return;
        case ImapReader::Status::malformed:
            m_transcript.note("[the bytes that followed are not an IMAP response]");
            return fail(FailureKind::protocol, 0, "the server sent bytes that are not an IMAP response");
        case ImapReader::Status::body:
            if (m_listener != nullptr)
                m_listener->body(
                    m_reader.soFar(), m_reader.piece(), m_reader.bodyBegins(), m_reader.bodyEnds());
            break;
        case ImapReader::Status::response:
            if (m_state == State::opening)
                m_transcript.server(shown(m_reader.response().text));
            else
                m_transcript.server(m_reader.response().text);
            onResponse(when);
        }
}

void ImapClient::onResponse(MonoTime when)
{
    const std::string& text = m_reader.response().text;
    const auto response = parseImapResponse(text);
    if (!response)
        return fail(FailureKind::protocol, 0,
            "the server sent a line that is not an IMAP response: " + text.substr(0, 200));
    if (!m_pending.empty() && m_pending.front().verb == ImapVerb::greeting)
        return onGreeting(*response, when);
    if (response->kind == ImapResponse::Kind::continuation)
        return onContinuation(response->text);
    if (response->kind == ImapResponse::Kind::condition)
        return onCondition(*response, when);
    if (equalsIgnoringCase(response->name, "CAPABILITY"))
        m_capabilities = " " + capitals(std::string_view(text).substr(response->rest)) + " ";
    if (m_listener != nullptr && m_loggedIn)
        m_listener->data(m_reader.response(), *response);
}

void ImapClient::onGreeting(const ImapResponse& response, MonoTime when)
{
    const Pending greeting = m_pending.front();
    m_pending.pop_front();
    const bool condition = response.kind == ImapResponse::Kind::condition && response.tag.empty();
    const bool welcome = condition
        && (response.condition == ImapCondition::ok || response.condition == ImapCondition::preauth);
    m_timings.push_back({ ImapVerb::greeting, greeting.sent, when, welcome });
    if (!welcome)
        return end(condition ? FailureKind::refused : FailureKind::protocol, ImapVerb::greeting,
            condition ? std::string(response.text) : "the server's first line is not a greeting");
    m_loggedIn = response.condition == ImapCondition::preauth;
    if (!equalsIgnoringCase(response.code, "CAPABILITY")) {
        command(ImapVerb::capability, "CAPABILITY");
        return;
    }
    m_capabilities = " " + capitals(response.codeArguments) + " ";
    afterCapabilities();
}

void ImapClient::afterCapabilities()
{
    if (m_loggedIn) {
        if (m_options.startTls && !m_secure) // RFC 9051, 11: no way back from PREAUTH to a secure session
            return end(
                FailureKind::tls, ImapVerb::greeting, "the server logs the client in before TLS (PREAUTH)");
        m_state = State::ready;
    } else if (m_options.startTls && !m_secure) {
        if (!can("STARTTLS"))
            return end(FailureKind::tls, ImapVerb::capability, "the server offers no STARTTLS");
        command(ImapVerb::startTls, "STARTTLS");
    } else
        logIn();
}

void ImapClient::onContinuation(std::string_view text)
{
    switch (std::exchange(m_waitsFor, Continuation::none)) {
    case Continuation::none:
        return fail(FailureKind::protocol, 0, "a continuation request that no command expects");
    case Continuation::challenge:
        if (const auto response = m_sasl->answer(text)) {
            m_out.append(*response).append("\r\n");
            m_transcript.client("***");
            m_waitsFor = Continuation::challenge;
            m_answerDue = true;
            return;
        }
        return endLogin();
    case Continuation::literal:
        m_literalDue = true;
        return;
    case Continuation::idle:
        m_idling = true;
        return;
    }
}

/// What the server has not got yet of a command that it answers: an answer must not come before it, but a refusal may come
/// instead of the leave that the command waits for. Null: nothing.
const char* ImapClient::dueBefore(const Pending& command, bool good) const
{
    if (command.tag != m_asking)
        return nullptr;
    const bool tooEarly = good && m_waitsFor != Continuation::none;
    switch (command.verb) {
    case ImapVerb::append:
        return m_literalDue || tooEarly ? "the message" : nullptr;
    case ImapVerb::idle:
        return m_idling || tooEarly ? "DONE" : nullptr;
    default: // whether a login needs a further challenge is the exchange's to say
        return m_answerDue ? "the answer to its challenge" : nullptr;
    }
}

void ImapClient::onCondition(const ImapResponse& response, MonoTime when)
{
    if (equalsIgnoringCase(response.code, "CAPABILITY"))
        m_capabilities = " " + capitals(response.codeArguments) + " ";
    if (response.tag.empty()) {
        const bool leaving = std::any_of(m_pending.begin(), m_pending.end(),
            [](const Pending& pending) { return pending.verb == ImapVerb::logout; });
        if (response.condition == ImapCondition::bye && !leaving)
            return fail(FailureKind::connectionLost, 0, "the server says BYE: " + std::string(response.text));
        if (m_listener != nullptr && m_loggedIn) // "* OK [UIDNEXT 4]" and the like
            m_listener->data(m_reader.response(), response);
        return;
    }
    const auto pending = std::find_if(m_pending.begin(), m_pending.end(),
        [&](const Pending& p) { return response.tag == Tag(p.tag).text(); });
    if (pending == m_pending.end() || !pending->stamped)
        return fail(FailureKind::protocol, 0,
            "an answer to a command that was not sent: " + m_reader.response().text.substr(0, 200));
    const Pending command = *pending;
    const bool good = response.condition == ImapCondition::ok;
    if (const char* const due = dueBefore(command, good))
        return fail(FailureKind::protocol, 0,
            std::string(toString(command.verb)) + ": the server answers before it has received " + due + ": "
                + m_reader.response().text.substr(0, 200));
    m_pending.erase(pending);
    m_timings.push_back({ command.verb, command.sent, when, good });
    const bool opening = m_state == State::opening;
    onEnd(command.verb, response);
    if (!opening && m_listener != nullptr)
        m_listener->ended({ command.verb, command.tag, response.condition, response.code,
                              response.codeArguments, response.text },
            when);
}

void ImapClient::onEnd(ImapVerb verb, const ImapResponse& response)
{
    const bool good = response.condition == ImapCondition::ok;
    switch (verb) {
    case ImapVerb::startTls:
        if (!good)
            return end(FailureKind::tls, verb, std::string(response.text));
        m_state = State::tls;
        return;
    case ImapVerb::login:
    case ImapVerb::authenticate:
        m_waitsFor = Continuation::none;
        if (m_sasl) {
            if (!good)
                m_sasl->refused(response.text);
            if (!good || !m_sasl->accepted())
                return endLogin();
            m_sasl.reset();
        } else if (!good)
            return end(FailureKind::authentication, verb, shown(response.text));
        m_loggedIn = true;
        if (!equalsIgnoringCase(response.code, "CAPABILITY")) { // those of before may be fewer
            command(ImapVerb::capability, "CAPABILITY");
            return;
        }
        m_state = State::ready;
        return;
    case ImapVerb::capability:
        if (m_state == State::opening)
            return afterCapabilities();
        break;
    case ImapVerb::logout:
        return close();
    case ImapVerb::compress:
        if (good)
            m_compression = std::make_unique<Compression>();
        break;
    case ImapVerb::append:
    case ImapVerb::idle:
        m_waitsFor = Continuation::none; // refused before the literal or the idling began
        m_literal = {};
        m_idling = false;
        break;
    default:
        break;
    }
    if (!good && !m_failure)
        m_failure = { FailureKind::noReply, 0, static_cast<std::uint8_t>(verb), std::string(response.text) };
}

void ImapClient::end(FailureKind kind, ImapVerb verb, std::string text)
{
    m_failure = { kind, 0, static_cast<std::uint8_t>(verb), std::move(text) };
    close();
}

void ImapClient::fail(FailureKind kind, int code, std::string text)
{
    if (m_state == State::closed)
        return;
    if (m_state == State::opening)
        text = shown(text);
    const ImapVerb verb = m_state == State::tls ? ImapVerb::tlsHandshake
        : m_pending.empty()                     ? ImapVerb::connect
                                                : m_pending.front().verb;
    const bool leaving = m_pending.size() == 1 && verb == ImapVerb::logout;
    m_transcript.note("[" + text + "]");
    if (!m_failure && !(leaving && kind == FailureKind::connectionLost)) // it may close at once after its BYE
        m_failure = { kind, code, static_cast<std::uint8_t>(verb), std::move(text) };
    close();
}

void ImapClient::close()
{
    m_state = State::closed;
    m_pending.clear();
    m_out.clear();
    m_pieces.clear();
    m_literal = {};
    m_literalDue = m_answerDue = m_idling = false;
    m_waitsFor = Continuation::none;
}

} // namespace loadstone::protocol

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/conversation.h"

#include "embedded/imap_conversation.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <time.h>
#include <unistd.h>

namespace loadstone::embedded {

namespace {

/// "Sat, 21 Nov 2026 00:23:39 +0000"
std::string mailDate()
{
    const time_t now = ::time(nullptr);
    tm parts {};
    gmtime_r(&now, &parts);
    constexpr std::array kDays { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
    constexpr std::array kMonths { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct",
        "Nov", "Dec" };
    return fmt::format("{}, {:02} {} {} {:02}:{:02}:{:02} +0000",
        kDays[static_cast<std::size_t>(parts.tm_wday)], parts.tm_mday,
        kMonths[static_cast<std::size_t>(parts.tm_mon)], parts.tm_year + 1900, parts.tm_hour, parts.tm_min,
        parts.tm_sec);
}

class SmtpConversation final : public Conversation {
public:
    SmtpConversation(MailHouse& house, bool lmtp, std::string client, bool encrypted)
        : m_house(house)
        , m_server(lmtp ? house.lmtp : house.smtp, encrypted)
        , m_client(std::move(client))
        , m_lmtp(lmtp)
    {
    }
    SmtpConversation(const SmtpConversation&) = delete;
    SmtpConversation& operator=(const SmtpConversation&) = delete;
    ~SmtpConversation() override { m_house.store.addIncoming(-m_incoming); }

    void greet(std::string& out) override { m_server.greet(out); }
    int turnAway(std::string& out) override
    {
        out += "421 4.3.2 Service not available\r\n";
        return 421;
    }
    void feed(std::string_view bytes) override
    {
        m_server.feed(bytes);
        countIncoming();
    }
    std::optional<Turn> next() override
    {
        const protocol::SmtpRequest* request = m_server.next();
        countIncoming();
        if (request == nullptr)
            return std::nullopt;
        const bool rejectable =
            request->verb == protocol::SmtpCommand::Mail || request->verb == protocol::SmtpCommand::Rcpt;
        return Turn { protocol::nameOf(request->verb), request->end, rejectable };
    }
    int answer(std::string& out, std::int64_t nowNs) override
    {
        const int code = act(out, *m_server.next(), nowNs);
        countIncoming();
        return code;
    }
    int reject(std::string& out, int code) override
    {
        return m_server.refuse(out,
            fmt::format(
                "{} {}.3.0 {}", code, code / 100, code < 500 ? "Try again later" : "Not accepted here"));
    }
    bool takeTlsRequest() override { return m_server.takeTlsRequest(); }
    [[nodiscard]] bool closing() const override { return m_server.closing(); }
    [[nodiscard]] std::size_t backlog() const override { return m_server.backlog(); }

private:
    static constexpr const char* kNoRoom = "452 4.3.1 Insufficient system storage";

    int act(std::string& out, const protocol::SmtpRequest& request, std::int64_t nowNs)
    {
        if (request.valid) {
            switch (request.verb) {
            case protocol::SmtpCommand::Auth:
                if (request.credentials
                    && (!m_house.options.users.contains(mailboxOf(request.credentials->user))
                        || (!m_house.options.password.empty()
                            && request.credentials->password != m_house.options.password)))
                    return m_server.refuse(out, "535 5.7.8 Authentication credentials invalid");
                break;
            case protocol::SmtpCommand::Mail:
                if (!m_house.store.hasRoom(0))
                    return m_server.refuse(out, kNoRoom);
                break;
            case protocol::SmtpCommand::Rcpt:
                if (!m_house.options.users.contains(mailboxOf(request.address)))
                    return m_server.refuse(out, "550 5.1.1 No such mailbox");
                break;
            case protocol::SmtpCommand::EndOfData:
                // The text itself is counted as incoming until it is handed over.
                if (!m_house.store.hasRoom(1024 + 256 * m_server.recipients().size()))
                    return m_server.refuse(out, kNoRoom);
                deliver(nowNs);
                break;
            default:
                break;
            }
        }
        return m_server.accept(out);
    }

    void deliver(std::int64_t nowNs)
    {
        Totals& totals = m_house.totals;
        const std::uint64_t id = ++totals.accepted;
        const char* const protocol = m_lmtp ? "LMTP" : m_server.extended() ? "ESMTP" : "SMTP";
        std::string content = fmt::format(
            "Return-Path: <{}>\r\nReceived: from {} ([{}])\r\n\tby {} with {}{} id {:x};\r\n\t{}\r\n",
            m_server.sender(), m_server.clientName(), m_client, m_house.options.domain, protocol,
            m_server.encrypted() && m_server.extended() ? "S" : "", id, mailDate());
        content.reserve(content.size() + m_server.text().size());
        content += m_server.text();
        std::vector<std::string> mailboxes;
        mailboxes.reserve(m_server.recipients().size());
        for (const std::string& recipient : m_server.recipients())
            if (std::string name = mailboxOf(recipient);
                std::find(mailboxes.begin(), mailboxes.end(), name) == mailboxes.end())
                mailboxes.push_back(std::move(name));
        std::string token;
        for (CopyFate& fate : m_house.store.deliver(std::move(content), mailboxes, nowNs, &token)) {
            totals.lost += fate.fault == Fault::lose;
            totals.duplicated += fate.fault == Fault::duplicate;
            totals.damaged += fate.fault == Fault::damage;
            totals.delayed += fate.fault == Fault::delay;
            totals.delivered += fate.fault == Fault::lose ? 0 : fate.fault == Fault::duplicate ? 2 : 1;
            m_house.log.add(
                MessageRecord { token, std::move(fate.mailbox), nowNs, fate.visibleNs, fate.fault });
        }
    }

    void countIncoming()
    {
        auto now = static_cast<std::int64_t>(m_server.text().size());
        m_house.store.addIncoming(now - m_incoming);
        m_incoming = now;
        if (now > 0 && !m_house.store.hasRoom(0)) {
            m_server.refuseForSpace();
            m_house.store.addIncoming(-m_incoming);
            m_incoming = 0;
        }
    }

    MailHouse& m_house;
    protocol::SmtpServer m_server;
    std::string m_client;
    std::int64_t m_incoming = 0; // bytes of text counted in the store
    bool m_lmtp;
};

class Pop3Conversation final : public Conversation {
public:
    Pop3Conversation(MailHouse& house, std::uint64_t number, bool encrypted)
        : m_house(house)
        , m_server(house.pop3,
              house.options.password.empty()
                  ? std::string()
                  : fmt::format("<{}.{}.{}@{}>", ::getpid(), number, ::time(nullptr), house.options.domain),
              encrypted)
    {
    }
    Pop3Conversation(const Pop3Conversation&) = delete;
    Pop3Conversation& operator=(const Pop3Conversation&) = delete;
    ~Pop3Conversation() override { release(); }

    void greet(std::string& out) override { m_server.greet(out); }
    int turnAway(std::string& out) override
    {
        out += "-ERR [SYS/TEMP] service not available\r\n";
        return kReplyErr;
    }
    void feed(std::string_view bytes) override { m_server.feed(bytes); }
    std::optional<Turn> next() override
    {
        const protocol::Pop3Request* request = m_server.next();
        if (request == nullptr)
            return std::nullopt;
        return Turn { protocol::nameOf(request->verb), request->end, false };
    }
    int answer(std::string& out, std::int64_t nowNs) override
    {
        return act(out, *m_server.next(), nowNs) ? kReplyOk : kReplyErr;
    }
    int reject(std::string& out, int) override
    {
        m_server.refuse(out, "[SYS/TEMP] try again later");
        return kReplyErr;
    }
    bool takeTlsRequest() override { return m_server.takeTlsRequest(); }
    [[nodiscard]] bool closing() const override { return m_server.closing(); }
    [[nodiscard]] std::size_t backlog() const override { return m_server.backlog(); }

private:
    bool act(std::string& out, const protocol::Pop3Request& request, std::int64_t nowNs)
    {
        using Needs = protocol::Pop3Request::Needs;
        if (request.needs == Needs::Login)
            return logIn(out, request.user, nowNs);
        if (request.needs == Needs::Content) {
            const auto text = m_house.store.content(m_mailbox, request.uid);
            if (!text)
                return m_server.refuse(out, "no such message");
            m_house.totals.retrieved += request.verb == protocol::Pop3Command::Retr;
            return m_server.acceptContent(out, *text);
        }
        const bool ok = m_server.accept(out);
        if (m_server.updating())
            release();
        return ok;
    }

    bool logIn(std::string& out, const std::string& user, std::int64_t nowNs)
    {
        std::string mailbox = mailboxOf(user);
        const std::string& password = m_house.options.password;
        if (mailbox.empty() || !m_house.options.users.contains(mailbox)
            || (!password.empty() && !m_server.proves(password)))
            return m_server.refuse(out, "[AUTH] invalid name or password");
        const auto entries = m_house.store.open(mailbox, nowNs);
        if (!entries)
            return m_server.refuse(out, "[IN-USE] another session has this mailbox");
        m_mailbox = std::move(mailbox);
        std::vector<protocol::Pop3Message> messages;
        messages.reserve(entries->size());
        for (const MailStore::Entry& entry : *entries)
            messages.push_back({ entry.uid, entry.size, false });
        return m_server.acceptLogin(out, std::move(messages));
    }

    /// Gives the mailbox back; removes what was marked only after an orderly QUIT (RFC 1939, section 6).
    void release()
    {
        if (m_mailbox.empty())
            return;
        if (m_server.updating()) {
            std::vector<std::uint64_t> uids;
            for (const protocol::Pop3Message& message : m_server.messages())
                if (message.deleted)
                    uids.push_back(message.uid);
            if (!uids.empty())
                m_house.totals.deleted += m_house.store.erase(m_mailbox, uids);
        }
        m_house.store.close(m_mailbox);
        m_mailbox.clear();
    }

    MailHouse& m_house;
    protocol::Pop3Server m_server;
    std::string m_mailbox; // locked by this session; empty: none
};

} // namespace

std::string mailboxOf(std::string_view address)
{
    const auto at = address.rfind('@');
    std::string name(address.substr(0, at));
    for (char& c : name)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c + 32);
    return name;
}

MailHouse::MailHouse(const TargetOptions& o)
    : options(o)
    , store(o.maxMemory, o.deliveryDelay, o.faults)
{
    smtp.domain = o.domain;
    smtp.startTls = o.tls;
    smtp.maxSize = o.maxMessage;
    lmtp = smtp;
    lmtp.lmtp = true;
    pop3.domain = o.domain;
    pop3.startTls = o.tls;
}

const char* nameOf(Service service) noexcept
{
    switch (service) {
    case Service::Smtp:
        return "smtp";
    case Service::Lmtp:
        return "lmtp";
    case Service::Pop3:
        return "pop3";
    case Service::Imap:
        return "imap";
    }
    return "?";
}

std::unique_ptr<Conversation> Conversation::make(
    Service service, MailHouse& house, std::uint64_t number, std::string client, bool encrypted)
{
    if (service == Service::Pop3)
        return std::make_unique<Pop3Conversation>(house, number, encrypted);
    if (service == Service::Imap)
        return std::make_unique<ImapConversation>(house, encrypted);
    return std::make_unique<SmtpConversation>(house, service == Service::Lmtp, std::move(client), encrypted);
}

} // namespace loadstone::embedded

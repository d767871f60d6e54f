// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/message_factory.h"

#include "base/random.h"
#include "mail/message_check.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace loadstone::mail {

namespace {

/// "Sat, 21 Nov 2026 14:03:05 +0000" (RFC 5322, 3.3).
void appendDate(std::string& out, WallTime date)
{
    const auto day = std::chrono::floor<std::chrono::days>(date);
    const std::chrono::year_month_day calendar(day);
    const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(date - day));
    constexpr std::array kDays { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
    constexpr std::array kMonths { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct",
        "Nov", "Dec" };
    const auto two = [&](auto value) {
        out.push_back(static_cast<char>('0' + value / 10));
        out.push_back(static_cast<char>('0' + value % 10));
    };
    out.append(kDays[std::chrono::weekday(day).c_encoding()]).append(", ");
    two(static_cast<unsigned>(calendar.day()));
    out.append(" ").append(kMonths[static_cast<unsigned>(calendar.month()) - 1]).append(" ");
    out.append(std::to_string(static_cast<int>(calendar.year()))).append(" ");
    two(clock.hours().count());
    out.push_back(':');
    two(clock.minutes().count());
    out.push_back(':');
    two(clock.seconds().count());
    out.append(" +0000");
}

constexpr std::size_t kShortest = 750; // what is left below this is cut to fit
constexpr std::size_t kHeadReserve = 640; // a head with one recipient is 400 to 500 bytes
constexpr std::size_t kStretch = 4000; // bytes taken from one place of the corpus

} // namespace

MessageFactory::MessageFactory(std::uint64_t seed, std::uint32_t run, std::string domain)
    : m_seed(seed)
    , m_run(run)
    , m_domain(std::move(domain))
    , m_ascii(seed, false)
    , m_eightBit(seed, true)
{
}

void MessageFactory::make(const MessageOrder& order, Message& message) const
{
    Random random(hashOf({ m_seed, 0x6d657373, order.id }));
    const Corpus& corpus = order.eightBit ? m_eightBit : m_ascii;
    message.token = { m_run, order.id, 0 };

    std::string& head = message.head;
    head.reserve(kHeadReserve);
    head.assign(kTokenHeader);
    head.append(kTokenSize, '0'); // filled in when the digest is known
    head.append("\r\n");
    const std::size_t digested = head.size();
    head.append("From: <").append(order.sender).append(">\r\nTo: ");
    for (std::size_t i = 0; i < order.recipients.size(); ++i)
        head.append(i == 0 ? "<" : ",\r\n <").append(order.recipients[i]).append(">");
    head.append("\r\nSubject: ").append(corpus.subject(random()));
    head.append("\r\nDate: ");
    appendDate(head, order.date);
    head.append("\r\nMessage-ID: <");
    appendMessageId(head, m_run, order.id);
    head.append("@").append(m_domain).append(
        ">\r\nUser-Agent: Loadstone\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset=");
    head.append(order.eightBit ? "utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
                               : "us-ascii\r\nContent-Transfer-Encoding: 7bit\r\n\r\n");

    message.pieces.clear();
    message.pieces.emplace_back(); // the head, once it moves no more
    std::size_t left = order.size > head.size() + 4 ? order.size - head.size() : 4;
    while (left > kShortest) {
        const std::string_view text = corpus.lines(random(), std::min<std::size_t>(kStretch, left - 4));
        message.pieces.push_back(text);
        left -= std::min(text.size(), left);
    }
    // The rest to the byte: lines cut short, never so that a single byte is left over.
    std::string& tail = message.tail;
    tail.clear();
    while (left > 0) {
        std::string_view line = corpus.lines(random(), 1);
        line.remove_suffix(2);
        std::size_t n = std::min(std::max<std::size_t>(line.size(), 1), left - 2);
        if (left - n - 2 == 1)
            --n;
        tail.append(line.substr(0, n)).append(n > line.size() ? "-" : "").append("\r\n");
        left -= n + 2;
    }
    message.pieces.emplace_back(tail);

    message.pieces[0] = std::string_view(head).substr(digested);
    message.token.digest = digestOf(message.pieces);
    message.token.write(head.data() + kTokenHeader.size());
    message.pieces[0] = head;
    message.size = 0;
    for (const std::string_view piece : message.pieces)
        message.size += piece.size();
}

} // namespace loadstone::mail

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/message/message_factory.h"

#include "base/random.h"
#include "mail/message/message_check.h"
#include "protocol/sasl/sasl.h"

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
    constexpr std::array kWeekdays { "Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat" };
    constexpr std::array kMonths { "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct",
        "Nov", "Dec" };
    const auto two = [&](auto value) {
        out.push_back(static_cast<char>('0' + value / 10));
        out.push_back(static_cast<char>('0' + value % 10));
    };
    out.append(kWeekdays[std::chrono::weekday(day).c_encoding()]).append(", ");
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
constexpr std::size_t kStretchLines = 128; // of an attachment's
constexpr std::string_view kBoundary =
    "=_loadstone"; // "_" is in no base64, and no line of the corpus begins with dashes
constexpr std::string_view kRtfBegin = "{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0\\fswiss Arial;}}\\f0\\fs20\r\n";
constexpr std::string_view kRtfEnd = "\\par}\r\n";

} // namespace

MessageFactory::MessageFactory(
    std::uint64_t seed, std::uint32_t run, std::string domain, std::string_view tokenHeader)
    : m_seed(seed)
    , m_run(run)
    , m_domain(std::move(domain))
    , m_tokenHeader(tokenHeader)
    , m_ascii(seed, false)
    , m_eightBit(seed, true)
{
    using enum plan::ContentKind;
    for (const plan::ContentKind kind : { text, rtf, bitmap, document, sheet })
        m_attachments.emplace_back(kind, seed, m_ascii);
}

void MessageFactory::make(const MessageOrder& order, Message& message) const
{
    Random random(hashOf({ m_seed, 0x6d657373, order.id }));
    const plan::MessageKind* kind = order.kind;
    const Corpus& corpus = order.eightBit && kind == nullptr ? m_eightBit : m_ascii;
    message.token = { m_run, order.id, 0 };

    std::string& head = message.head;
    startHead(order, corpus, random, head);
    const std::size_t digested = m_tokenHeader.size() + kTokenSize + 2;
    if (kind != nullptr && kind->attachment)
        head.append("Content-Type: multipart/mixed; boundary=\"")
            .append(kBoundary)
            .append("\"\r\n\r\n--")
            .append(kBoundary)
            .append("\r\n");
    const std::string_view type =
        kind != nullptr && kind->body == plan::ContentKind::rtf ? "text/rtf" : "text/plain";
    head.append("Content-Type: ").append(type);
    head.append(&corpus == &m_eightBit ? "; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n"
                                       : "; charset=us-ascii\r\nContent-Transfer-Encoding: 7bit\r\n\r\n");

    message.pieces.clear();
    message.pieces.emplace_back(); // the head, once it moves no more
    std::size_t body = order.size > head.size() + 4 ? order.size - head.size() : 4;
    if (kind != nullptr) {
        body = kind->bodySize;
        if (kind->body == plan::ContentKind::rtf) { // the lines stand within its braces
            head.append(kRtfBegin);
            body = std::max(body, kRtfBegin.size() + kRtfEnd.size() + 4) - kRtfBegin.size() - kRtfEnd.size();
        }
    }
    appendBody(corpus, random, body, message);
    if (kind != nullptr && kind->body == plan::ContentKind::rtf)
        message.pieces.push_back(kRtfEnd);
    if (kind != nullptr && kind->attachment)
        appendAttachment(*kind, corpus, random, message);

    message.pieces[0] = std::string_view(head).substr(digested);
    message.token.digest = digestOf(message.pieces);
    message.token.write(head.data() + m_tokenHeader.size());
    message.pieces[0] = head;
    message.size = 0;
    for (const std::string_view piece : message.pieces)
        message.size += piece.size();
}

/// All header fields but those that tell of the content.
void MessageFactory::startHead(
    const MessageOrder& order, const Corpus& corpus, Random& random, std::string& head) const
{
    head.reserve(kHeadReserve);
    head.assign(m_tokenHeader);
    head.append(kTokenSize, '0'); // filled in when the digest is known
    head.append("\r\nFrom: <").append(order.sender).append(">\r\nTo: ");
    for (std::size_t i = 0; i < order.recipients.size(); ++i)
        head.append(i == 0 ? "<" : ",\r\n <").append(order.recipients[i]).append(">");
    head.append("\r\nSubject: ").append(corpus.subject(random()));
    head.append("\r\nDate: ");
    appendDate(head, order.date);
    head.append("\r\nMessage-ID: <");
    appendMessageId(head, m_run, order.id);
    head.append("@").append(m_domain).append(">\r\nUser-Agent: Loadstone\r\nMIME-Version: 1.0\r\n");
}

/// Lines of text, to the byte.
void MessageFactory::appendBody(
    const Corpus& corpus, Random& random, std::size_t bytes, Message& message) const
{
    std::size_t left = bytes;
    while (left > kShortest) {
        const std::string_view text = corpus.lines(random(), std::min<std::size_t>(kStretch, left - 4));
        message.pieces.push_back(text);
        left -= std::min(text.size(), left);
    }
    // The rest: lines cut short, never so that a single byte is left over.
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
}

/// A file as a part of its own, in base64. It begins as files of its kind do; a line of its own makes it unique.
void MessageFactory::appendAttachment(
    const plan::MessageKind& kind, const Corpus& corpus, Random& random, Message& message) const
{
    const AttachmentCorpus& files = m_attachments[static_cast<std::size_t>(*kind.attachment)];
    std::string& begin = message.attached;
    begin.assign("--").append(kBoundary).append("\r\nContent-Type: ").append(files.mediaType());
    begin.append("\r\nContent-Transfer-Encoding: base64\r\nContent-Disposition: ");
    begin.append(kind.embedded ? "inline" : "attachment").append("; filename=\"");
    std::string_view name = corpus.subject(random());
    name = name.substr(0, name.find(' '));
    begin.append(name).append(".").append(files.extension()).append("\"\r\n\r\n");

    std::size_t lines = kind.attachmentSize / AttachmentCorpus::kLineBytes;
    if (lines >= 2) {
        begin.append(files.firstLine());
        --lines;
    }
    std::string bytes(AttachmentCorpus::kLineBytes, '\0');
    const auto fill = [&](std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            bytes[i] = static_cast<char>(random());
        return protocol::base64Encode(std::string_view(bytes).substr(0, count));
    };
    if (lines >= 1) {
        begin.append(fill(AttachmentCorpus::kLineBytes)).append("\r\n");
        --lines;
    }
    message.pieces.emplace_back(begin);
    while (lines > 0) {
        const std::string_view stretch = files.lines(random(), std::min(lines, kStretchLines));
        message.pieces.push_back(stretch);
        lines -= stretch.size() / AttachmentCorpus::kLineLength;
    }
    std::string& end = message.end;
    end.clear();
    if (const std::size_t rest = kind.attachmentSize % AttachmentCorpus::kLineBytes; rest > 0)
        end.append(fill(rest)).append("\r\n");
    end.append("--").append(kBoundary).append("--\r\n");
    message.pieces.emplace_back(end);
}

} // namespace loadstone::mail

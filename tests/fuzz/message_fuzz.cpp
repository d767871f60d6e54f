// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whatever is ordered, the message factory makes what SMTP can carry, of the sizes that were asked for, and what
// arrives is recognised as whole; changed anywhere behind its token, as damaged.

#include "mail/message/message_check.h"
#include "mail/message/message_factory.h"
#include "protocol/sasl/sasl.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace loadstone;
using namespace loadstone::mail;

namespace {

constexpr std::uint32_t kRun = 0x1234abcd;

void require(bool condition)
{
    if (!condition)
        std::abort();
}

/// Takes numbers off the front of the input; zeros where it is at its end.
struct Input {
    const std::uint8_t* data;
    std::size_t size;
    std::uint64_t number(std::size_t bytes)
    {
        std::uint64_t value = 0;
        for (; bytes > 0; --bytes) {
            value = value << 8U | (size > 0 ? *data : 0U);
            data += size > 0 ? 1 : 0;
            size -= size > 0 ? 1 : 0;
        }
        return value;
    }
};

RetrievedMessage check(std::string_view text, std::size_t piece)
{
    MessageCheck check(kRun);
    check.begin();
    while (!text.empty()) {
        check.data(text.substr(0, piece));
        text.remove_prefix(std::min(piece, text.size()));
    }
    check.end({});
    return check.take().at(0);
}

void requireWireForm(const std::string& text)
{
    require(text.ends_with("\r\n"));
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = text.find("\r\n", at);
        const std::string_view line = std::string_view(text).substr(at, end - at);
        require(line.size() <= 998 && line.find_first_of("\r\n") == std::string_view::npos);
        require(!line.starts_with(".") && !line.starts_with("From "));
        at = end + 2;
    }
}

/// The file behind the last header of a message with an attachment.
void requireFile(const std::string& text, const plan::MessageKind& kind)
{
    const std::size_t header = text.find("Content-Disposition: ");
    require(header != std::string::npos);
    const std::size_t begin = text.find("\r\n\r\n", header) + 4;
    const std::size_t end = text.find("\r\n--", begin);
    require(end != std::string::npos);
    std::string lines = text.substr(begin, end - begin);
    std::erase_if(lines, [](char c) { return c == '\r' || c == '\n'; });
    const auto file = protocol::base64Decode(lines);
    require(file && file->size() == kind.attachmentSize);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const MessageFactory factory(3, kRun, "load.test");
    static Message message;
    Input input { data, size };
    plan::MessageKind kind;
    kind.body = input.number(1) % 2 == 0 ? plan::ContentKind::text : plan::ContentKind::rtf;
    kind.bodySize = 128 + input.number(2);
    if (const auto attachment = input.number(1) % 6; attachment < 5) {
        kind.attachment = static_cast<plan::ContentKind>(attachment);
        kind.attachmentSize = 64 + input.number(3) % 200'000;
        kind.embedded = input.number(1) % 2 == 0;
    }
    MessageOrder order;
    order.id = input.number(8);
    if (input.number(1) % 3 != 0)
        order.kind = &kind;
    else
        order.size = 1024 + input.number(3) % 200'000;
    order.eightBit = input.number(1) % 2 == 0;
    order.date = WallTime(std::chrono::seconds(input.number(4)));
    std::vector<std::string> recipients(1 + input.number(1) % 40);
    for (std::size_t i = 0; i < recipients.size(); ++i)
        recipients[i] = "u" + std::to_string(input.number(2)) + "@load.test";
    order.sender = "sender@load.test";
    order.recipients = recipients;
    factory.make(order, message);
    std::string text;
    for (const std::string_view piece : message.pieces)
        text += piece;
    require(text.size() == message.size);
    requireWireForm(text);
    if (order.kind == nullptr)
        require(text.size() == std::max<std::size_t>(order.size, text.find("\r\n\r\n") + 8));
    else if (kind.attachment)
        requireFile(text, kind);
    else
        require(text.size() - text.find("\r\n\r\n") - 4 == kind.bodySize);

    const RetrievedMessage whole = check("Received: by a server\r\n" + text, 1 + input.number(2));
    require(whole.kind == RetrievedMessage::Kind::whole && whole.id == order.id);
    const std::size_t begin = kTokenHeader.size() + kTokenSize + 2;
    const std::size_t place = begin + input.number(4) % (text.size() - begin);
    if (text[place] != '\r' && text[place] != '\n') {
        text[place] = static_cast<char>(text[place] == 'x' ? 'y' : 'x');
        require(check(text, text.size()).kind == RetrievedMessage::Kind::damaged);
    }
    return 0;
}

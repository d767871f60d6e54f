// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whatever an IMAP server says, in whatever pieces: the reader cuts it the same way, hands every body out whole and holds
// no more than its limit; what the parsers give lies within the text; a session ends or waits for more.

#include "protocol/imap/imap_client.h"
#include "protocol/imap/imap_extensions.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace loadstone;
using namespace loadstone::protocol;

namespace {

void require(bool condition)
{
    if (!condition)
        std::abort();
}

void within(std::string_view part, const std::string& text)
{
    require(part.empty()
        || (part.data() >= text.data() && part.data() + part.size() <= text.data() + text.size()));
}

void parse(const ImapText& text)
{
    const auto response = parseImapResponse(text.text);
    if (!response)
        return;
    for (const std::string_view part :
        { response->tag, response->code, response->codeArguments, response->text, response->name })
        within(part, text.text);
    require(response->rest <= text.text.size());
    if (const auto fetch = parseImapFetch(text, *response)) {
        for (const std::string_view part : { fetch->internalDate, fetch->envelope, fetch->structure })
            within(part, text.text);
        std::size_t streamed = 0;
        for (const ImapFetch::Body& body : fetch->bodies) {
            within(body.section, text.text);
            require(body.content.streamed ? body.content.text.empty()
                                          : body.content.size == body.content.text.size());
            streamed += body.content.streamed ? 1 : 0;
        }
        require(streamed <= text.streamed.size());
    }
    if (const auto mailbox = parseImapList(text, *response))
        for (const std::string_view attribute : mailbox->attributes)
            within(attribute, text.text);
    if (const auto numbers = parseImapNumbers(std::string_view(text.text).substr(response->rest), 1000))
        require(numbers->size() <= 1000
            && std::none_of(numbers->begin(), numbers->end(), [](std::uint32_t n) { return n == 0; }));
    if (const auto search = parseImapEsearch(text, *response, 1000))
        require(search->all.size() <= 1000);
    if (const auto quota = parseImapQuota(text, *response))
        require(quota->resources.size() <= 1000);
    if (const auto roots = parseImapQuotaRoots(text, *response))
        require(roots->roots.size() <= 1000);
    if (const auto spaces = parseImapNamespace(text, *response))
        require(spaces->size() <= 1000);
    if (const auto number = numberOfCode(*response))
        require(*number > 0);
    ImapScanner scan(text, response->rest);
    while (!scan.failed() && scan.peek() != '\0')
        scan.value();
}

/// All that a reader gives of `stream` in pieces of `size` bytes, in one line of text.
std::string hear(std::string_view stream, std::size_t size)
{
    std::string all;
    ImapReader reader;
    bool open = false;
    while (!stream.empty()) {
        std::string_view piece = stream.substr(0, size);
        stream.remove_prefix(piece.size());
        for (bool more = true; more;)
            switch (reader.feed(piece)) {
            case ImapReader::Status::needMore:
                require(piece.empty());
                more = false;
                break;
            case ImapReader::Status::response:
                require(!open && reader.response().text.size() <= ImapReader::kMaxText);
                parse(reader.response());
                all += "R" + reader.response().text + std::to_string(reader.response().streamed.size());
                break;
            case ImapReader::Status::body:
                require(reader.bodyBegins() == !open);
                all += reader.bodyBegins() ? "B" : "";
                all += reader.piece();
                open = !reader.bodyEnds();
                break;
            case ImapReader::Status::malformed:
                return all + "M";
            }
    }
    return all;
}

class Listener final : public ImapListener {
public:
    void data(const ImapText& text, const ImapResponse& response) override
    {
        require(!m_open && response.rest <= text.text.size());
    }
    void body(std::string_view, std::string_view, bool begins, bool ends) override
    {
        require(begins == !m_open);
        m_open = !ends;
    }
    void ended(const ImapEnd& end, MonoTime) override { require(!m_open && end.tag > 0); }

private:
    bool m_open = false;
};

void session(std::string_view stream, unsigned choices, std::size_t size)
{
    ImapOptions options;
    options.startTls = (choices & 1U) != 0;
    options.auth = static_cast<ImapAuth>((choices >> 1U & 3U) % 3);
    options.sasl.mechanism = static_cast<SaslMechanism>((choices >> 3U) % kSaslMechanisms);
    options.sasl.nonce = "n";
    ImapClient client(options, "user", "a secret");
    Listener listener;
    client.listen(&listener);
    const std::array<std::string_view, 1> pieces { "Subject: x\r\n\r\n" };
    MonoTime now { std::chrono::seconds(1) };
    client.open(now, false);
    int commands = 0;
    while (!client.closed()) {
        if (client.wantsTls())
            client.tlsEstablished();
        if (client.idling())
            client.done();
        else if (client.ready() && (choices & 64U) != 0 && !client.compressed() && commands == 0) {
            client.compress();
            commands = 1;
        } else if (client.ready())
            switch (commands++) {
            case 0:
                client.append("Sent", "\\Seen", pieces, 14);
                break;
            case 1:
                client.command(ImapVerb::fetch, "FETCH 1 BODY[]");
                client.command(ImapVerb::noop, "NOOP");
                break;
            case 2:
                client.idle();
                break;
            default:
                client.logout();
            }
        now += std::chrono::microseconds(1);
        if (!client.output().empty())
            client.written(now);
        require(client.output().empty());
        require(client.waiting()); // else a shell would wait for ever
        if (stream.empty()) {
            client.fail(FailureKind::connectionLost, 0, "gone");
            break;
        }
        const std::string_view piece = stream.substr(0, size);
        client.received(piece, now);
        stream.remove_prefix(piece.size());
    }
    require(client.closed() && !client.waiting() && client.output().empty());
    for (const ImapTiming& timing : client.timings())
        require(timing.sent <= timing.done && timing.sent >= MonoTime(std::chrono::seconds(1)));
    const std::string transcript = client.transcript().text();
    require(transcript.size() <= 16384);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 2)
        return 0;
    const std::string stream(reinterpret_cast<const char*>(data) + 2, size - 2);
    const std::size_t piece = data[1] == 0 ? stream.size() + 1 : data[1];
    require(hear(stream, piece) == hear(stream, stream.size() + 1));
    session(stream, data[0], piece);
    return 0;
}

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whatever a CalDAV or CardDAV server says, in whatever pieces: the session ends or waits for more, and comes to the same;
// what the multistatus reader gives keeps to its limits; content lines survive writing and reading.

#include "protocol/dav/content_lines.h"
#include "protocol/dav/dav_client.h"
#include "protocol/dav/dav_response.h"

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

void read(std::string_view xml)
{
    const auto resources = readMultistatus(xml);
    if (!resources) {
        require(!resources.error().message.empty() && resources.error().message.size() < 1000);
        return;
    }
    require(resources->size() <= kMostDavResources);
    for (const DavResource& resource : *resources) {
        require(resource.href.size() <= kMostDavText && resource.data.size() <= kMostDavText);
        require(resource.name().find('/') == std::string_view::npos);
        require(resource.status >= 0 && resource.status <= 999);
        require(resource.types.size() <= 100 && resource.reports.size() <= 100);
    }
}

/// What a session that reads `stream` in pieces of `size` bytes makes of the first answer. What follows an answer at once, unasked,
/// ends the connection, so that the others depend on the pieces.
std::string session(std::string_view stream, std::size_t size)
{
    DavClient client("host", "user", "hush-hush");
    MonoTime now { std::chrono::seconds(1) };
    std::string first;
    for (int requests = 0; !client.closed() && requests < 20; ++requests) {
        client.send(
            requests % 2 == 0 ? lookAtCollection("/user/calendar/") : getObject("/user/calendar/a.ics"));
        require(!client.output().empty());
        client.written(now);
        require(client.output().empty() && client.waiting());
        while (client.waiting()) {
            now += std::chrono::microseconds(1);
            if (stream.empty()) {
                client.fail(FailureKind::connectionLost, 0, "gone");
                break;
            }
            const std::string_view piece = stream.substr(0, size);
            stream.remove_prefix(piece.size());
            client.received(piece, now);
        }
        require(client.closed() || client.ready());
        // What is no HTTP may be noticed at once, or when it has come to its end: a failure either way.
        if (requests == 0)
            first = client.failure() ? "failed " : "good ";
        if (requests == 0 && client.answered() == 1)
            first += std::to_string(client.reply().status) + client.reply().etag + "|" + client.reply().body;
        require(client.reply().body.size() <= kMostDavBytes);
        read(client.reply().body);
        client.forgetFailure();
    }
    for (const DavTiming& timing : client.timings())
        require(timing.sent <= timing.done);
    const std::string transcript = client.transcript().text();
    require(transcript.size() <= 16384);
    for (const char* secret : { "dXNlcjpodXNoLWh1c2g", "hush-hush", "%68%75%73%68%2D%68%75%73%68" })
        require(transcript.find(secret) == std::string::npos);
    return first;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 1)
        return 0;
    const std::string stream(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::size_t piece = data[0] == 0 ? stream.size() + 1 : data[0];
    read(stream);
    require(session(stream, piece) == session(stream, stream.size() + 1));
    require(session(stream, 1) == session(stream, stream.size() + 1));
    const std::string lines = unfolded(stream);
    (void)contentValue(lines, "UID");
    std::string clean;
    for (const char c : stream)
        if (c != '\r')
            clean += c;
    require(unescapedText(escapedText(clean)) == clean);
    ContentLines written;
    written.text("N", clean);
    require(unfolded(written.take()) == "N:" + escapedText(clean) + "\n");
    return 0;
}

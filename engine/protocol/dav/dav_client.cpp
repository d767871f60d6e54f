// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/dav/dav_client.h"

#include "protocol/dav/dav_response.h"

#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>

#include <algorithm>
#include <optional>

namespace loadstone::protocol {

namespace http = boost::beast::http;

namespace {

constexpr std::size_t kMostHeader = 32U * 1024;
constexpr unsigned kMostInterim = 8; // 1xx before an answer
constexpr std::size_t kShownBody = 1000; // in transcripts
constexpr std::size_t kLongestReason = 200;
constexpr std::string_view kAgent = "Loadstone";

} // namespace

struct DavClient::Parser {
    Parser()
    {
        parser.header_limit(kMostHeader);
        parser.body_limit(kMostDavBytes);
        parser.eager(true);
    }
    http::response_parser<http::string_body> parser;
};

DavClient::DavClient(std::string host, std::string_view login, std::string_view password)
    : m_host(std::move(host))
{
    if (!login.empty())
        m_secrets = HttpSecrets(login, password);
}

DavClient::~DavClient() = default;

/// At most `most` bytes, without secrets: some servers repeat the request.
std::string DavClient::shown(std::string_view said, std::size_t most) const
{
    std::string text = m_secrets.masked(said, most);
    if (said.size() > most)
        text += "[" + std::to_string(said.size() - most) + " bytes more]";
    return text;
}

void DavClient::send(const DavRequest& request)
{
    std::string head =
        request.method + " " + request.path + " HTTP/1.1\r\nHost: " + m_host + "\r\nUser-Agent: ";
    head.append(kAgent).append("\r\n");
    for (const std::string& header : request.headers)
        head.append(header).append("\r\n");
    if (!request.body.empty())
        head.append("Content-Length: ").append(std::to_string(request.body.size())).append("\r\n");
    m_transcript.client(m_secrets.masked(head));
    m_out = head;
    if (!m_secrets.authorization().empty()) {
        m_transcript.client("Authorization: ***");
        m_out.append("Authorization: ").append(m_secrets.authorization()).append("\r\n");
    }
    m_out.append("\r\n").append(request.body);
    if (!request.body.empty())
        m_transcript.client(shown(request.body, kShownBody));
    m_verb = request.verb;
    m_accepts = request.accepts;
    m_pending = m_unanswered = true;
    m_interim = 0;
    m_reply = {};
    m_in.clear();
    beginAnswer();
}

void DavClient::beginAnswer()
{
    m_parser = std::make_unique<Parser>();
}

std::span<const std::string_view> DavClient::output()
{
    m_pieces.clear();
    if (!m_out.empty())
        m_pieces.emplace_back(m_out);
    return m_pieces;
}

void DavClient::written(MonoTime when)
{
    m_sent = m_lastBytes = when;
    std::string().swap(m_out); // thousands of clients are idle at any time: they hold little
}

void DavClient::received(std::string_view bytes, MonoTime when)
{
    if (!m_pending) { // an answer to nothing
        m_closed = true;
        return;
    }
    if (!m_out.empty() && !bytes.empty())
        return end(FailureKind::protocol, 0, "an answer to a request that was not sent yet");
    m_unanswered = m_unanswered && bytes.empty();
    m_lastBytes = when;
    m_in.append(bytes);
    while (m_pending && !m_in.empty()) {
        auto& parser = m_parser->parser;
        boost::system::error_code error;
        const std::size_t used = parser.put(boost::asio::buffer(m_in), error);
        m_in.erase(0, used);
        if (error == http::error::need_more) {
            constexpr std::size_t kMostPending =
                64U * 1024; // of a chunk's header or a trailer, which nothing else bounds
            if (used == 0 && m_in.size() > kMostPending)
                return end(FailureKind::protocol, 0, "not an HTTP answer: a line of more than 64 KB");
            if (used == 0)
                return;
            continue;
        }
        if (error)
            return end(FailureKind::protocol, 0, "not an HTTP answer: " + error.message());
        if (!parser.is_done()) {
            if (used == 0)
                return;
            continue;
        }
        if (parser.get().result_int() / 100 == 1) { // RFC 9110, 15.2: the answer is still to come
            if (++m_interim > kMostInterim)
                return end(FailureKind::protocol, 0,
                    "the server sends too many interim answers (1xx) and no final one");
            beginAnswer();
            continue;
        }
        finish(when);
    }
}

void DavClient::finish(MonoTime when)
{
    auto& parser = m_parser->parser;
    auto& answer = parser.get();
    m_reply.status = static_cast<int>(answer.result_int());
    m_reply.etag = std::string(answer[http::field::etag]);
    m_reply.contentType = std::string(answer[http::field::content_type]);
    const std::string location = shown(answer[http::field::location], kLongestReason);
    const std::string reason = shown(answer.reason(), kLongestReason);
    m_reply.body = std::move(answer.body());
    m_pending = false;
    m_closed = !parser.keep_alive() || !m_in.empty(); // more than was asked for: nothing to go on with
    ++m_answered;
    std::string().swap(m_in);
    m_timings.push_back({ m_verb, m_sent, when, m_reply.status });
    m_parser.reset();

    const std::string line = std::to_string(m_reply.status) + " " + reason;
    m_transcript.server(
        "HTTP " + line + (m_reply.etag.empty() ? "" : ", ETag " + shown(m_reply.etag, kLongestReason)));
    const bool good = std::find(m_accepts.begin(), m_accepts.end(), m_reply.status) != m_accepts.end();
    m_transcript.server(
        good ? "[" + std::to_string(m_reply.body.size()) + " bytes]" : shown(m_reply.body, kShownBody));
    if (good)
        return;
    m_reply.body = {};
    m_failure.code = m_reply.status;
    m_failure.verb = static_cast<std::uint8_t>(m_verb);
    m_failure.text = line;
    switch (m_reply.status / 100) {
    case 3:
        m_failure.kind = FailureKind::protocol;
        m_failure.text += ": the collection lies at " + location + "; name that path in the plan";
        break;
    case 4:
        m_failure.kind = m_reply.status == 401 ? FailureKind::authentication : FailureKind::transientReply;
        break;
    case 5:
        m_failure.kind = FailureKind::permanentReply;
        break;
    default:
        m_failure.kind = FailureKind::protocol;
        m_failure.text += ": not an answer to this request";
    }
}

void DavClient::fail(FailureKind kind, int code, std::string text)
{
    if (m_pending && kind == FailureKind::connectionLost && code == 0 && m_parser
        && m_parser->parser.is_header_done() && m_parser->parser.need_eof()) {
        boost::system::error_code error;
        m_parser->parser.put_eof(error);
        if (!error) {
            finish(m_lastBytes);
            m_closed = true;
            return;
        }
    }
    end(kind, code, std::move(text));
}

void DavClient::end(FailureKind kind, int code, std::string text)
{
    if (!m_failure)
        m_failure = { kind, code, static_cast<std::uint8_t>(m_verb), std::move(text) };
    m_pending = false;
    m_closed = true;
    m_out.clear();
    m_in.clear();
    m_parser.reset();
}

} // namespace loadstone::protocol

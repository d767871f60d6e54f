// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "protocol/common/failure.h"
#include "protocol/common/transcript.h"
#include "protocol/dav/dav_request.h"
#include "protocol/dav/http_secrets.h"

#include <loadstone/time.h>

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::protocol {

struct DavTiming {
    DavVerb verb;
    MonoTime sent, done;
    int code; ///< HTTP status
};

struct DavReply {
    int status = 0;
    std::string etag, contentType, body;
};

/// The client side of HTTP/1.1 (RFC 9112) for CalDAV and CardDAV, without sockets; see SmtpClient for how a shell drives it.
/// One request at a time. It is closed() when the server wants no more requests on the connection, which is no failure.
class DavClient {
public:
    /// `host`: for the Host header, with its port. `login` empty: nobody is named. None of it reaches a transcript.
    DavClient(std::string host, std::string_view login, std::string_view password);
    ~DavClient();
    DavClient(const DavClient&) = delete;
    DavClient& operator=(const DavClient&) = delete;

    /// Only when ready().
    void send(const DavRequest& request);
    /// Of the last request that was answered. The caller may move it away.
    [[nodiscard]] DavReply& reply() noexcept { return m_reply; }

    std::span<const std::string_view> output();
    void written(MonoTime when);
    void received(std::string_view bytes, MonoTime when);
    /// A closed connection (connectionLost without an errno) is the end of an answer that has no other.
    void fail(FailureKind kind, int code, std::string text);

    [[nodiscard]] bool ready() const noexcept { return !m_pending && !m_closed; }
    [[nodiscard]] bool waiting() const noexcept { return m_pending; }
    [[nodiscard]] bool closed() const noexcept { return m_closed; }
    [[nodiscard]] static bool wantsTls() noexcept { return false; }
    static void tlsEstablished() noexcept { }
    /// Nothing of the answer under way has come.
    [[nodiscard]] bool unanswered() const noexcept { return m_unanswered; }
    /// Requests that were answered on this connection.
    [[nodiscard]] unsigned answered() const noexcept { return m_answered; }

    [[nodiscard]] const Failure& failure() const noexcept { return m_failure; }
    void forgetFailure() { m_failure = {}; }
    [[nodiscard]] Transcript& transcript() noexcept { return m_transcript; }
    [[nodiscard]] const std::vector<DavTiming>& timings() const noexcept { return m_timings; }
    void clearTimings() noexcept { m_timings.clear(); }

private:
    struct Parser;
    void beginAnswer();
    void finish(MonoTime when);
    [[nodiscard]] std::string shown(std::string_view said, std::size_t most) const;
    void end(FailureKind kind, int code, std::string text);

    std::string m_host;
    HttpSecrets m_secrets;
    std::unique_ptr<Parser> m_parser;
    DavVerb m_verb = DavVerb::get;
    std::vector<int> m_accepts;
    MonoTime m_sent {}, m_lastBytes {};
    unsigned m_interim = 0, m_answered = 0;
    bool m_pending = false, m_closed = false, m_unanswered = true;
    std::string m_out, m_in;
    std::vector<std::string_view> m_pieces;
    DavReply m_reply;
    Failure m_failure;
    Transcript m_transcript;
    std::vector<DavTiming> m_timings;
};

} // namespace loadstone::protocol

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/action/imap_link.h"

#include "mail/action/converse.h"

namespace loadstone::mail {

using protocol::ImapVerb;

namespace {
constexpr ConnectNames kImapNames = connectNames<ImapVerb>("IMAP connect", "IMAP TLS handshake");
// What the plan asks for and does not get.
constexpr const char* kNoCondstore = "IMAP: the plan asks for condstore, and the server offers no CONDSTORE: "
                                     "flags that changed in the meantime are not fetched";
constexpr const char* kNoCompress = "IMAP: the plan asks for compress, and the server offers no "
                                    "COMPRESS=DEFLATE: sessions are not compressed";
constexpr const char* kCompressRefused = "IMAP: the plan asks for compress, and the server refuses COMPRESS, "
                                         "which it offers: sessions are not compressed";

/// What the two agree on after the login.
Task<bool> introduce(ActionShell& shell, ImapLink& link)
{
    const plan::ImapEndpoint& endpoint = shell.setup().plan.target.imap;
    protocol::ImapClient& client = link.client;
    // A mere NO to something that nobody needs is counted, and no failure of the logon.
    const auto goesOn = [&](bool good) {
        const bool merely =
            !good && !client.closed() && shell.outcome().failure.kind == protocol::FailureKind::noReply;
        if (merely)
            shell.outcome().failure = {};
        return good || merely;
    };
    bool good = true;
    if (endpoint.condstore && !client.can("CONDSTORE"))
        shell.warn(kNoCondstore);
    if (endpoint.compress && !client.can("COMPRESS=DEFLATE"))
        shell.warn(kNoCompress);
    if (client.can("ID")) // RFC 2971
        client.command(ImapVerb::id, "ID (\"name\" \"Loadstone\")");
    if (endpoint.condstore && client.can("CONDSTORE") && client.can("ENABLE")) { // RFC 7162, 3.1
        if (!endpoint.pipelining && client.waiting()) {
            good = co_await link.exchange(shell);
            good = goesOn(good);
        }
        if (good)
            client.command(ImapVerb::enable, "ENABLE CONDSTORE");
    }
    if (good && client.waiting()) {
        good = co_await link.exchange(shell);
        good = goesOn(good);
    }
    if (good && endpoint.compress
        && client.can("COMPRESS=DEFLATE")) { // RFC 4978: nothing else may be under way
        client.compress();
        good = co_await link.exchange(shell);
        good = goesOn(good);
        if (good && !client.compressed())
            shell.warn(kCompressRefused);
    }
    co_return good;
}

} // namespace

ImapLink::ImapLink(
    const MailSetup& setup, const Executor& executor, ConnectionSet& set, const std::string& login)
    : connection(executor, set)
    , client(setup.imapOptions, login, setup.password)
{
}

Task<bool> ImapLink::open(ActionShell& shell)
{
    TlsSettings tls;
    tls.context = shell.setup().imapTls.get();
    tls.serverName = shell.setup().plan.target.imap.nameInTls();
    const bool connected = co_await shell.connect(
        connection, shell.setup().plan.target.imap, shell.setup().imap, tls, kImapNames);
    if (!connected)
        co_return false;
    port = shell.setup().commandTrace.empty() ? std::uint16_t { 0 } : connection.localPort();
    client.open(monoNow(), connection.secure());
    bool good = co_await exchange(shell);
    if (good)
        good = co_await introduce(shell, *this);
    co_return good;
}

Task<bool> ImapLink::exchange(ActionShell& shell, bool mayBeOver)
{
    TlsSettings tls; // for STARTTLS
    if (!connection.secure() && shell.setup().imapTls) {
        tls.context = shell.setup().imapTls.get();
        tls.serverName = shell.setup().plan.target.imap.nameInTls();
    }
    co_await shell.converse(connection, client, tls, commands, port);
    const protocol::Failure& why = client.failure();
    if (!why)
        co_return true;
    if (!mayBeOver || why.kind != protocol::FailureKind::connectionLost)
        shell.report(why, toString(static_cast<ImapVerb>(why.verb)), &client.transcript());
    client.forgetFailure();
    co_return false;
}

} // namespace loadstone::mail

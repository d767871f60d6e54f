// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// The same logins by SASL within SMTP, POP3 and IMAP.
#include "conversation.h"
#include "protocol/imap/imap_client.h"
#include "protocol/sasl/sasl.h"

#include <vector>

using namespace loadstone;
using namespace loadstone::protocol;
using loadstone::test::Delivery;
using loadstone::test::serverBytes;

namespace {

using M = SaslMechanism;
constexpr const char* kLogin = "user";
constexpr const char* kPassword = "pencil";

struct Outcome {
    bool ready = false, closed = false;
    FailureKind kind = FailureKind::none;
    std::string text, transcript;
    bool operator==(const Outcome&) const = default;
};

/// One protocol's words around a login.
struct Words {
    std::string command; ///< "AUTH"
    std::string challenge; ///< before each
    std::string yes, no, echo; ///< its verdicts; echo: repeats what it was sent
    std::string (*opening)(const std::string& offer);
    Outcome (*run)(const SaslOptions&, bool automatic, std::string_view script, const Delivery&);
};

template <class Client, class Options, class Auth>
Outcome runWith(const SaslOptions& sasl, bool automatic, std::string_view script, const Delivery& delivery)
{
    Options options;
    options.auth = automatic ? Auth::automatic : Auth::sasl;
    options.sasl = sasl;
    Client client(options, kLogin, kPassword);
    test::play(client, script, delivery);
    return { client.ready(), client.closed(), client.failure().kind, client.failure().text,
        client.transcript().text() };
}

const std::vector<Words> kProtocols {
    { "AUTH", "S: 334 ", "S: 235 in\n", "S: 535 no\n", "S: 535 no such thing: ",
        [](const std::string& offer) {
            return "S: 220 mx\nC: EHLO loadstone.invalid\nS: 250-mx\nS: 250 "
                + (offer.empty() ? std::string("HELP") : "AUTH " + offer) + "\n";
        },
        runWith<SmtpClient, SmtpOptions, SmtpAuth> },
    { "AUTH", "S: + ", "S: +OK in\n", "S: -ERR no\n", "S: -ERR no such thing: ",
        [](const std::string& offer) {
            return "S: +OK\nC: CAPA\nS: +OK\n" + (offer.empty() ? std::string() : "S: SASL " + offer + "\n")
                + "S: .\n";
        },
        runWith<Pop3Client, Pop3Options, Pop3Auth> },
    { "a1 AUTHENTICATE", "S: + ", "S: a1 OK [CAPABILITY IMAP4rev1] in\n", "S: a1 NO no\n",
        "S: a1 BAD no such thing: ",
        [](const std::string& offer) {
            std::string text = "S: * OK [CAPABILITY IMAP4rev1 SASL-IR LOGINDISABLED";
            for (std::size_t at = 0; at < offer.size(); at = offer.find(' ', at) + 1) {
                text += " AUTH=" + offer.substr(at, offer.find(' ', at) - at);
                if (offer.find(' ', at) == std::string::npos)
                    break;
            }
            return text + "] hello\n";
        },
        runWith<ImapClient, ImapOptions, ImapAuth> },
};

Outcome runEverySplit(const Words& words, const SaslOptions& sasl, bool automatic, const std::string& script)
{
    const Outcome whole = words.run(sasl, automatic, script, {});
    CHECK(words.run(sasl, automatic, script, { .bytewise = true }) == whole);
    for (std::size_t split = 1; split < serverBytes(script); split += 3)
        REQUIRE(words.run(sasl, automatic, script, { .split = split }) == whole);
    return whole;
}

// RFC 7677, section 3.
constexpr const char* kNonce = "rOprNGfwEbeRWgbNEkqO";
const std::string kFirst = "n,,n=user,r=rOprNGfwEbeRWgbNEkqO";
const std::string kServerFirst =
    "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
const std::string kLast = "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+"
                          "Ute9ytag9zjfMHgsqmmiz7AndVQ=";
const std::string kServerFinal = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=";

} // namespace

TEST_CASE("a SCRAM login is the same in every protocol, and its transcript gives nothing to try passwords on")
{
    SaslOptions options;
    options.mechanism = M::scramSha256;
    options.nonce = kNonce;
    for (const Words& words : kProtocols) {
        CAPTURE(words.yes);
        const std::string challenged = words.opening("PLAIN SCRAM-SHA-256") + "C: " + words.command
            + " SCRAM-SHA-256 " + base64Encode(kFirst) + "\n" + words.challenge + base64Encode(kServerFirst)
            + "\nC: " + base64Encode(kLast) + "\n";
        const std::string proven = challenged + words.challenge + base64Encode(kServerFinal) + "\nC: \n";
        for (const bool automatic : { false, true }) { // in the clear it is the best of the two
            const Outcome in = runEverySplit(words, options, automatic, proven + words.yes);
            CHECK(in.ready);
            CHECK(in.kind == FailureKind::none);
            for (const std::string& part : { kFirst, kServerFirst, kLast, kServerFinal })
                CHECK_THAT(in.transcript, !ContainsSubstring(base64Encode(part).substr(0, 20)));
            CHECK_THAT(in.transcript, ContainsSubstring("SCRAM-SHA-256 ***") && ContainsSubstring("C: ***"));
        }
        const Outcome refused = runEverySplit(words, options, false, challenged + words.no);
        CHECK(refused.closed);
        CHECK(refused.kind == FailureKind::authentication);
        CHECK(refused.text == "no");
        const Outcome unproven = runEverySplit(words, options, false, challenged + words.yes);
        CHECK(unproven.closed);
        CHECK(unproven.kind == FailureKind::authentication);
        CHECK_THAT(unproven.text, ContainsSubstring("signature"));
        const Outcome forged = runEverySplit(
            words, options, false, challenged + words.challenge + base64Encode("v=AAAA") + "\n");
        CHECK(forged.kind == FailureKind::authentication);
        const Outcome garbled = runEverySplit(words, options, false, challenged + words.challenge + "?\n");
        CHECK(garbled.kind == FailureKind::protocol);
    }
}

TEST_CASE("a refused OAuth token gets its dummy answer, and the reason is told")
{
    SaslOptions options;
    options.host = "mail";
    options.port = 1;
    for (const Words& words : kProtocols)
        for (const M mechanism : { M::xoauth2, M::oauthBearer }) {
            options.mechanism = mechanism;
            const std::string initial = mechanism == M::xoauth2 ? "user=user\x01"
                                                                  "auth=Bearer pencil\x01\x01"
                                                                : "n,a=user,\x01host=mail\x01port=1\x01"
                                                                  "auth=Bearer pencil\x01\x01";
            const std::string script = words.opening("XOAUTH2 OAUTHBEARER") + "C: " + words.command + " "
                + toString(mechanism) + " " + base64Encode(initial) + "\n";
            CHECK(runEverySplit(words, options, false, script + words.yes).ready);
            const Outcome refused = runEverySplit(words, options, false,
                script + words.challenge + base64Encode("{\"status\":\"invalid_token\"}")
                    + "\nC: " + (mechanism == M::xoauth2 ? "" : "AQ==") + "\n" + words.no);
            CHECK(refused.kind == FailureKind::authentication);
            CHECK(refused.text == "no: {\"status\":\"invalid_token\"}");
            CHECK_THAT(refused.transcript,
                !ContainsSubstring(kPassword) && !ContainsSubstring(base64Encode(initial)));
        }
}

TEST_CASE("a mechanism that is not offered is a failure that names what is")
{
    SaslOptions options;
    options.mechanism = M::cramMd5;
    for (const Words& words : kProtocols) {
        const Outcome other = runEverySplit(words, options, false, words.opening("PLAIN GSSAPI"));
        CHECK(other.closed);
        CHECK(other.kind == FailureKind::authentication);
        CHECK(other.text == "the server offers no CRAM-MD5 without TLS; it offers PLAIN, GSSAPI");
        const Outcome none = runEverySplit(words, options, false, words.opening(""));
        CHECK(none.kind == FailureKind::authentication);
        CHECK_THAT(none.text, ContainsSubstring("no mechanism at all"));
        const Outcome tokens = runEverySplit(words, options, true, words.opening("XOAUTH2"));
        CHECK(tokens.kind == FailureKind::authentication);
        CHECK_THAT(tokens.text, ContainsSubstring("it offers XOAUTH2"));
    }
    // In the clear LOGINDISABLED means: no password that can be seen. Asked for by name it goes all the same.
    const Words& imap = kProtocols.back();
    CHECK(imap.run(options, true, imap.opening("PLAIN"), {}).kind == FailureKind::authentication);
    options.mechanism = M::plain;
    CHECK(imap.run(options, false,
                  imap.opening("PLAIN") + "C: a1 AUTHENTICATE PLAIN "
                      + plainMessage({ {}, kLogin, kPassword }) + "\n" + imap.yes,
                  {})
              .ready);
}

TEST_CASE("a server that repeats a login does not bring its secrets into transcript or message")
{
    SaslOptions options;
    const std::string message = plainMessage({ {}, kLogin, kPassword });
    for (const Words& words : kProtocols) {
        const Outcome echoed = runEverySplit(words, options, false,
            words.opening("PLAIN") + "C: " + words.command + " PLAIN " + message + "\n" + words.echo
                + "PLAIN " + message + ", " + kPassword + "\n");
        CHECK(echoed.kind == FailureKind::authentication);
        for (const std::string& text : { echoed.text, echoed.transcript })
            CHECK_THAT(text,
                !ContainsSubstring(kPassword) && !ContainsSubstring(message)
                    && ContainsSubstring("no such thing"));
    }
    const Pop3Options pop3;
    Pop3Client client(pop3, kLogin, kPassword);
    test::play(client, "S: +OK\nC: USER user\nS: +OK\nC: PASS pencil\nS: -ERR what is PASS pencil?\n");
    CHECK(client.failure().text == "what is PASS ***?");
    CHECK_THAT(client.transcript().text(), !ContainsSubstring(kPassword));
    ImapOptions imap;
    imap.auth = ImapAuth::login;
    ImapClient byCommand(imap, kLogin, "pen\"cil");
    test::play(byCommand,
        "S: * OK [CAPABILITY IMAP4rev1] hello\nC: a1 LOGIN \"user\" \"pen\\\"cil\"\nS: a1 BAD LOGIN \"user\" "
        "\"pen\\\"cil\"?\n");
    CHECK(byCommand.failure().text == "LOGIN \"user\" ***?");
    CHECK_THAT(byCommand.transcript().text(), !ContainsSubstring("cil"));
}

TEST_CASE("a token too long for a command's line follows the empty challenge")
{
    const std::string token(900, 't');
    SaslOptions options;
    options.mechanism = M::xoauth2;
    const std::string message = base64Encode("user=user\x01"
                                             "auth=Bearer "
        + token + "\x01\x01");
    SmtpOptions smtp;
    smtp.auth = SmtpAuth::sasl;
    smtp.sasl = options;
    SmtpClient sender(smtp, kLogin, token);
    test::play(sender,
        kProtocols[0].opening("XOAUTH2") + "C: AUTH XOAUTH2\nS: 334\nC: " + message + "\nS: 235 in\n");
    CHECK(sender.ready());
    Pop3Options pop3;
    pop3.auth = Pop3Auth::sasl;
    pop3.sasl = options;
    Pop3Client reader(pop3, kLogin, token);
    test::play(
        reader, kProtocols[1].opening("XOAUTH2") + "C: AUTH XOAUTH2\nS: +\nC: " + message + "\nS: +OK in\n");
    CHECK(reader.ready());
}

TEST_CASE("where somebody may listen, a login without TLS never shows the password by itself")
{
    SaslOptions hiding;
    hiding.hidesPassword = true;
    for (const Words& words : kProtocols) { // nothing is sent but what opens the session
        CAPTURE(words.yes);
        const Outcome refused = runEverySplit(words, hiding, true, words.opening("PLAIN LOGIN"));
        CHECK(refused.closed);
        CHECK(refused.kind == FailureKind::authentication);
        CHECK_THAT(refused.text, ContainsSubstring("it offers PLAIN, LOGIN"));
        CHECK_THAT(refused.transcript, !ContainsSubstring("***"));
        const std::string encoded = base64Encode(std::string("\0user\0pencil", 12));
        hiding.mechanism = M::plain; // but where the plan names it
        const std::string stated =
            words.opening("PLAIN LOGIN") + "C: " + words.command + " PLAIN " + encoded + "\n";
        CHECK(runEverySplit(words, hiding, false, stated + words.yes).ready);
    }
    const auto pop3 = [&](const std::string& script) {
        return runWith<Pop3Client, Pop3Options, Pop3Auth>(hiding, true, script, {});
    };
    for (const char* offer : { "S: +OK\nS: USER\nS: .\n", "S: +OK\nS: .\n", "S: -ERR what?\n" }) {
        const Outcome refused = pop3(std::string("S: +OK\nC: CAPA\n") + offer);
        CHECK(refused.closed);
        CHECK(refused.kind == FailureKind::authentication);
    }
    const auto imap = [&](const std::string& script) {
        return runWith<ImapClient, ImapOptions, ImapAuth>(hiding, true, script, {});
    };
    CHECK(imap("S: * OK [CAPABILITY IMAP4rev1] hello\n").kind == FailureKind::authentication);
}

TEST_CASE("a POP3 login takes USER and PASS, APOP or a mechanism, whichever fits what is offered")
{
    const std::string greeting = "S: +OK <1896.697170952@dbc.mtview.ca.us>\nC: CAPA\nS: +OK\n";
    const std::string digest =
        "C: APOP user " + apopDigest("<1896.697170952@dbc.mtview.ca.us>", kPassword) + "\n";
    const auto automatic = [](const std::string& script) {
        return runWith<Pop3Client, Pop3Options, Pop3Auth>({}, true, script, {});
    };
    CHECK(automatic(greeting + "S: SASL PLAIN LOGIN\nS: .\n" + digest + "S: +OK\n").ready);
    CHECK(automatic(greeting + "S: USER\nS: .\n" + digest + "S: +OK\n").ready);
    const std::string cram = "C: AUTH CRAM-MD5\nS: + PHhAeT4=\nC: ";
    SaslExchange exchange(M::cramMd5, SaslOptions(), kLogin, kPassword);
    exchange.begin("AUTH", true, 255);
    CHECK(automatic(greeting + "S: SASL PLAIN CRAM-MD5\nS: .\n" + cram + exchange.answer("PHhAeT4=").value()
        + "\nS: +OK\n")
              .ready);
    const std::string plain = "S: +OK\nC: CAPA\nS: +OK\n";
    CHECK(automatic(plain + "S: USER\nS: SASL LOGIN\nS: .\nC: USER user\nS: +OK\nC: PASS pencil\nS: +OK\n")
              .ready);
    CHECK(automatic(plain + "S: SASL LOGIN\nS: .\nC: AUTH LOGIN\nS: + " + std::string(kLoginUserChallenge)
        + "\nC: " + base64Encode(kLogin) + "\nS: + " + std::string(kLoginPasswordChallenge)
        + "\nC: " + base64Encode(kPassword) + "\nS: +OK\n")
              .ready);
}

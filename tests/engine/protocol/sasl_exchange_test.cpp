// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/sasl/sasl.h"
#include "protocol/sasl/sasl_exchange.h"
#include "support/catch.h"

#include <vector>

using namespace loadstone;
using namespace loadstone::protocol;

namespace {

using M = SaslMechanism;
constexpr std::size_t kNoLimit = 10'000;

/// A server's messages and the client's answers, none in base64; the last server's message has the answer "".
struct Scram {
    M mechanism;
    const char *nonce, *first, *serverFirst, *last, *serverFinal;
};

const Scram kSha1 { M::scramSha1, "fyko+d2lbbFgONRv9qkxdawL", "n,,n=user,r=fyko+d2lbbFgONRv9qkxdawL",
    "r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,s=QSXCR+Q6sek8bf92,i=4096",
    "c=biws,r=fyko+d2lbbFgONRv9qkxdawL3rfcNHYJY1ZVvWVs7j,p=v0X8v3Bz2T0CJGbJQyF0X+HI4Ts=",
    "v=rmF9pqV8S7suAoZWja4dJRkFsKQ=" }; // RFC 5802, section 5
const Scram kSha256 { M::scramSha256, "rOprNGfwEbeRWgbNEkqO", "n,,n=user,r=rOprNGfwEbeRWgbNEkqO",
    "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096",
    "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+"
    "Ute9ytag9zjfMHgsqmmiz7AndVQ=",
    "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=" }; // RFC 7677, section 3

/// What becomes of a login in which the server says `challenges` (not in base64) and then yes.
Failure outcomeOf(M mechanism, const std::vector<std::string>& challenges, const std::string& nonce = {})
{
    SaslOptions options;
    options.nonce = nonce;
    SaslExchange exchange(mechanism, options, "user", "pencil");
    REQUIRE(exchange.begin("AUTH", true, kNoLimit).has_value());
    for (const std::string& challenge : challenges)
        if (!exchange.answer(base64Encode(challenge)))
            return exchange.failure();
    exchange.accepted();
    return exchange.failure();
}

} // namespace

TEST_CASE("PLAIN and LOGIN say what servers wait for")
{
    const SaslOptions options;
    SaslExchange plain(M::plain, options, "tim", "tanstaaftanstaaf");
    const auto line = plain.begin("AUTH", true, kNoLimit);
    REQUIRE(line);
    CHECK(line->text == "AUTH PLAIN AHRpbQB0YW5zdGFhZnRhbnN0YWFm"); // RFC 4616, section 4
    CHECK(line->shown == "AUTH PLAIN ***");
    CHECK(plain.accepted());

    SaslExchange login(M::login, options, "tim", "tanstaaf");
    CHECK(login.begin("AUTHENTICATE", true, kNoLimit)->text == "AUTHENTICATE LOGIN");
    CHECK(login.answer(kLoginUserChallenge) == base64Encode("tim"));
    CHECK(login.answer(kLoginPasswordChallenge) == base64Encode("tanstaaf"));
    CHECK(login.accepted());
}

TEST_CASE("an initial response that does not fit the command's line waits for the empty challenge")
{
    const SaslOptions options;
    for (const bool takesIt : { false, true }) {
        SaslExchange plain(M::plain, options, "tim", "tanstaaftanstaaf");
        const auto line = plain.begin("AUTH", takesIt, 40); // the whole has 39 bytes and its end
        REQUIRE(line);
        CHECK(line->text == "AUTH PLAIN");
        CHECK(line->shown == "AUTH PLAIN");
        CHECK(plain.answer("") == "AHRpbQB0YW5zdGFhZnRhbnN0YWFm");
        CHECK(plain.accepted());
    }
    SaslExchange fits(M::plain, options, "tim", "tanstaaftanstaaf");
    CHECK(fits.begin("AUTH", true, 41)->text.size() == 39);
}

TEST_CASE("CRAM-MD5 answers the standard's challenge with the standard's digest")
{
    // RFC 2195, section 2.
    const SaslOptions options;
    SaslExchange exchange(M::cramMd5, options, "tim", "tanstaaftanstaaf");
    CHECK(exchange.begin("AUTH", true, kNoLimit)->text == "AUTH CRAM-MD5");
    CHECK(exchange.answer("PDE4OTYuNjk3MTcwOTUyQHBvc3RvZmZpY2UucmVzdG9uLm1jaS5uZXQ+")
        == "dGltIGI5MTNhNjAyYzdlZGE3YTQ5NWI0ZTZlNzMzNGQzODkw");
    CHECK(exchange.accepted());
}

TEST_CASE("SCRAM says what the standards' examples say, and believes their servers")
{
    for (const Scram& example : { kSha1, kSha256 }) {
        SaslOptions options;
        options.nonce = example.nonce;
        SaslExchange exchange(example.mechanism, options, "user", "pencil");
        CHECK(exchange.begin("AUTH", true, kNoLimit)->text
            == std::string("AUTH ") + toString(example.mechanism) + " " + base64Encode(example.first));
        CHECK(exchange.answer(base64Encode(example.serverFirst)) == base64Encode(example.last));
        CHECK(exchange.answer(base64Encode(example.serverFinal)) == std::string());
        CHECK(exchange.accepted());
    }
}

TEST_CASE("a server that does not prove that it knows the password logs nobody in")
{
    const std::string start = "r=fyko+d2lbbFgONRv9qkxdawL";
    const std::string rest = ",s=QSXCR+Q6sek8bf92,i=4096";
    const std::vector<std::pair<std::vector<std::string>, const char*>> hostile {
        { { kSha1.serverFirst }, "without the signature" },
        { { kSha1.serverFirst, "v=rmF9pqV8S7suAoZWja4dJRkFsKR=" }, "signature is wrong" }, // stray bits
        { { kSha1.serverFirst, "v=" + base64Encode(std::string(20, 'x')) }, "signature is wrong" },
        { { kSha1.serverFirst, "v=" }, "signature is wrong" },
        { { kSha1.serverFirst, "" }, "signature is wrong" },
        { { kSha1.serverFirst, "e=invalid-proof" }, "invalid-proof" },
        { { kSha1.serverFirst, kSha1.serverFinal, "" }, "more challenges than SCRAM-SHA-1 has" },
        { { start + rest }, "nonce" }, // nothing of its own
        { { "r=other" + rest }, "nonce" },
        { { "r=" + rest }, "nonce" },
        { { start + "x,s=QSXCR+Q6sek8bf92,i=0" }, "iteration count" },
        { { start + "x,s=QSXCR+Q6sek8bf92,i=-1" }, "iteration count" },
        { { start + "x,s=QSXCR+Q6sek8bf92,i=4096x" }, "iteration count" },
        { { start + "x,s=QSXCR+Q6sek8bf92,i=1000001" }, "iteration count" },
        { { start + "x,s=QSXCR+Q6sek8bf92,i=99999999999999999999" }, "iteration count" },
        { { start + "x,s=QSXCR+Q6sek8bf92,i=" }, "iteration count" },
        { { start + "x,s=,i=4096" }, "not of the form" },
        { { start + "x,s=!,i=4096" }, "not of the form" },
        { { start + "x,i=4096,s=QSXCR+Q6sek8bf92" }, "not of the form" },
        { { start + "x" }, "not of the form" },
        { { "m=2," + start + "x" + rest }, "extension" },
        { { "" }, "not of the form" },
    };
    for (const auto& [challenges, why] : hostile) {
        CAPTURE(challenges);
        const Failure failure = outcomeOf(M::scramSha1, challenges, kSha1.nonce);
        CHECK(failure.kind == FailureKind::authentication);
        CHECK_THAT(failure.text, ContainsSubstring(why));
    }
    CHECK(outcomeOf(M::scramSha1, { kSha1.serverFirst, kSha1.serverFinal }, kSha1.nonce).kind
        == FailureKind::none);
    // Extensions behind what is known are left alone.
    CHECK(outcomeOf(M::scramSha1, { kSha1.serverFirst, std::string(kSha1.serverFinal) + ",x=y" }, kSha1.nonce)
              .kind
        == FailureKind::none);
}

TEST_CASE("a salted password is made once for each salt")
{
    ScramKeys keys;
    SaslOptions options;
    options.keys = &keys;
    options.nonce = kSha256.nonce;
    for (int login = 0; login < 3; ++login) {
        SaslExchange exchange(M::scramSha256, options, "user", "pencil");
        exchange.begin("AUTH", true, kNoLimit);
        CHECK(exchange.answer(base64Encode(kSha256.serverFirst)) == base64Encode(kSha256.last));
    }
    CHECK(keys.made() == 1);
    options.nonce = kSha1.nonce; // another hash
    SaslExchange exchange(M::scramSha1, options, "user", "pencil");
    exchange.begin("AUTH", true, kNoLimit);
    CHECK(exchange.answer(base64Encode(kSha1.serverFirst)) == base64Encode(kSha1.last));
    CHECK(keys.made() == 2);
}

TEST_CASE("each SCRAM login has a nonce of its own, and names are escaped")
{
    const SaslOptions options;
    std::vector<std::string> firsts;
    for (int i = 0; i < 2; ++i) {
        SaslExchange exchange(M::scramSha256, options, "a=b,c", "pencil");
        const auto line = exchange.begin("AUTH", true, kNoLimit);
        REQUIRE(line);
        firsts.push_back(base64Decode(line->text.substr(std::string("AUTH SCRAM-SHA-256 ").size())).value());
        CHECK(firsts.back().starts_with("n,,n=a=3Db=2Cc,r="));
        CHECK(firsts.back().size() >= std::string("n,,n=a=3Db=2Cc,r=").size() + 24);
    }
    CHECK(firsts[0] != firsts[1]);
}

TEST_CASE("OAuth's messages are the standards', and a refused token's reason becomes the outcome")
{
    SaslOptions options;
    options.host = "server.example.com";
    options.port = 143;
    // RFC 7628, section 4.1.
    SaslExchange bearer(
        M::oauthBearer, options, "user@example.com", "vF9dft4qmTc2Nvb3RlckBhbHRhdmlzdGEuY29tCg==");
    CHECK(bearer.begin("AUTH", true, kNoLimit)->text
        == "AUTH OAUTHBEARER "
           "bixhPXVzZXJAZXhhbXBsZS5jb20sAWhvc3Q9c2VydmVyLmV4YW1wbGUuY29tAXBvcnQ9MTQzAWF1dGg9Q"
           "mVhcmVyIHZGOWRmdDRxbVRjMk52YjNSbGNrQmhiSFJoZG1semRHRXVZMjl0Q2c9PQEB");
    CHECK(bearer.accepted());
    // Section 4.3.
    SaslExchange refused(
        M::oauthBearer, options, "user@example.com", "vF9dft4qmTc2Nvb3RlckBhbHRhdmlzdGEuY29tCg==");
    refused.begin("AUTH", true, kNoLimit);
    CHECK(refused.answer(
              "eyJzdGF0dXMiOiJpbnZhbGlkX3Rva2VuIiwic2NvcGUiOiJleGFtcGxlX3Njb3BlIiwib3BlbmlkLWNvbmZpZ3V"
              "yYXRpb24iOiJodHRwczovL2V4YW1wbGUuY29tLy53ZWxsLWtub3duL29wZW5pZC1jb25maWd1cmF0aW9uIn0=")
        == "AQ==");
    refused.refused("SASL authentication failed");
    CHECK(refused.failure().kind == FailureKind::authentication);
    CHECK_THAT(refused.failure().text,
        ContainsSubstring("SASL authentication failed: ")
            && ContainsSubstring("\"status\":\"invalid_token\""));

    SaslExchange google(
        M::xoauth2, options, "someuser@example.com", "ya29.vF9dft4qmTc2Nvb3RlckBhdHRhdmlzdGEuY29tCg");
    CHECK(google.begin("AUTH", true, kNoLimit)->text
        == "AUTH XOAUTH2 "
           "dXNlcj1zb21ldXNlckBleGFtcGxlLmNvbQFhdXRoPUJlYXJlciB5YTI5LnZGOWRmdDRxbVRjMk52YjNSbGNrQ"
           "mhkSFJoZG1semRHRXVZMjl0Q2cBAQ==");
    CHECK(google.answer(base64Encode("{\"status\":\"401\"}")) == std::string());
    CHECK_FALSE(google.accepted()); // it has just said no
    CHECK(google.failure().kind == FailureKind::protocol);
}

TEST_CASE("a server that asks on, or says what is no challenge, ends the login")
{
    for (const M mechanism : { M::plain, M::login, M::cramMd5, M::xoauth2, M::oauthBearer }) {
        CAPTURE(toString(mechanism));
        const Failure asked = outcomeOf(mechanism, { "a", "b", "c", "d" });
        CHECK(asked.kind == FailureKind::authentication);
        CHECK_THAT(asked.text, ContainsSubstring("more challenges than"));
        const SaslOptions options;
        SaslExchange exchange(mechanism, options, "user", "pencil");
        exchange.begin("AUTH", true, kNoLimit);
        CHECK_FALSE(exchange.answer("not base64").has_value());
        CHECK(exchange.failure().kind == FailureKind::protocol);
    }
    for (const M mechanism : { M::login, M::cramMd5 })
        CHECK(outcomeOf(mechanism, {}).kind == FailureKind::protocol); // in without a word from us
}

TEST_CASE("what a server repeats of a login is shown without the secrets")
{
    const SaslOptions options;
    for (const M mechanism : { M::plain, M::login, M::xoauth2, M::oauthBearer }) {
        SaslExchange exchange(mechanism, options, "user", "pencil");
        std::string sent = exchange.begin("AUTH", true, kNoLimit)->text;
        if (mechanism == M::login) {
            exchange.answer(kLoginUserChallenge);
            sent = exchange.answer(kLoginPasswordChallenge).value();
        }
        const std::string encoded = sent.substr(sent.rfind(' ') + 1);
        exchange.refused("what is " + sent + ", I mean pencil, my dear pencil?");
        CHECK_THAT(exchange.failure().text,
            !ContainsSubstring("pencil") && !ContainsSubstring(encoded) && ContainsSubstring("what is"));
    }
    const Failure scram = outcomeOf(M::scramSha1, { kSha1.serverFirst, "e=\tpencil?" }, kSha1.nonce);
    CHECK(scram.text == "the server refuses:  ***?");
}

TEST_CASE(
    "the best mechanism shows no password to the server, with TLS or without; PLAIN and LOGIN come last")
{
    SaslOffer all;
    all.add("LOGIN plain XOAUTH2 OAUTHBEARER CRAM-MD5  scram-sha-1 SCRAM-SHA-256 GSSAPI plain");
    CHECK(all.best(true) == M::scramSha256);
    CHECK(all.best(false) == M::scramSha256);
    SaslOffer older;
    older.add("PLAIN LOGIN CRAM-MD5 SCRAM-SHA-1");
    CHECK(older.best(true) == M::scramSha1);
    SaslOffer login;
    login.add("LOGIN CRAM-MD5");
    CHECK(login.best(true) == M::cramMd5);
    SaslOffer plain;
    plain.add("LOGIN PLAIN");
    CHECK(plain.best(true) == M::plain);
    CHECK_FALSE(plain.best(false).has_value());
    CHECK_THAT(plain.missing({}, false), ContainsSubstring("offers LOGIN, PLAIN; write tls = \"starttls\""));
    SaslOffer tokens; // a password is none
    tokens.add("XOAUTH2 GSSAPI");
    CHECK_FALSE(tokens.best(true).has_value());
    CHECK(tokens.missing(M::cramMd5, true) == "the server offers no CRAM-MD5; it offers XOAUTH2, GSSAPI");
    CHECK(SaslOffer().missing(M::plain, false)
        == "the server offers no PLAIN without TLS; it offers no mechanism at all");
    SaslOffer endless;
    for (int i = 0; i < 10'000; ++i)
        endless.add("X-" + std::to_string(i));
    CHECK(endless.missing({}, true).size() < 400);
}

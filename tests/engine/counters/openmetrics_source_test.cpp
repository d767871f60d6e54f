// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Counters over HTTP from a server that behaves, and from one that does not: a gap or a message, never a wrong rate.
#include "counters/live/http_client.h"
#include "counters/live/make_source.h"
#include "embedded/tls_identity.h"
#include "support/catch.h"
#include "support/metrics_server.h"
#include "support/program.h"

#include <fmt/format.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <zlib.h>

using namespace loadstone;
using namespace loadstone::counters;
using namespace std::chrono_literals;
using test::MetricsServer;

namespace {

plan::CounterSourceSpec specOf(const std::string& url, Nanoseconds limit = 20s)
{
    plan::CounterSourceSpec spec;
    spec.name = "ex1";
    spec.timeLimit = limit;
    plan::OpenMetricsSource from;
    from.url = url;
    spec.from = from;
    return spec;
}

std::unique_ptr<LiveSource> sourceOf(const plan::CounterSourceSpec& spec, SourceSecrets secrets = {})
{
    auto source = makeOpenMetricsSource(spec, std::move(secrets));
    INFO((source ? "" : source.error().message));
    REQUIRE(source);
    return *std::move(source);
}

LiveReading readingOf(LiveSource& source)
{
    auto reading = source.read({});
    INFO((reading ? "" : reading.error().message));
    REQUIRE(reading);
    return *std::move(reading);
}

std::string faultOf(LiveSource& source)
{
    const auto reading = source.read({});
    REQUIRE_FALSE(reading);
    return reading.error().message;
}

double valueOf(const LiveSource& source, const LiveReading& reading, Quantity quantity)
{
    Subject subject;
    subject.host = "ex1";
    const auto& all = source.counters();
    const auto found = std::ranges::find(all, SeriesKey(quantity, subject), &CounterInfo::key);
    REQUIRE(found != all.end());
    return reading.values.at(static_cast<std::size_t>(found - all.begin()));
}

std::string switches(double total)
{
    return fmt::format("# TYPE node_context_switches_total counter\nnode_context_switches_total {}\n"
                       "node_sockstat_TCP_tw 7\n",
        total);
}

MetricsServer::Answer page(const std::string& body)
{
    return { MetricsServer::page(body) };
}

std::string zipped(const std::string& text)
{
    z_stream stream {};
    REQUIRE(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY) == Z_OK);
    std::string packed(deflateBound(&stream, static_cast<uLong>(text.size())), '\0');
    std::string copy = text;
    stream.next_in = reinterpret_cast<Bytef*>(copy.data());
    stream.avail_in = static_cast<uInt>(copy.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

std::string zippedPage(const std::string& body)
{
    const std::string packed = zipped(body);
    return "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: gzip\r\nContent-Length: "
        + std::to_string(packed.size()) + "\r\n\r\n" + packed;
}

/// The certificate that a server shows, as a PEM file; its path.
std::string writtenCertificate(SSL_CTX* tls, const std::filesystem::path& path)
{
    std::FILE* const file = std::fopen(path.c_str(), "w");
    REQUIRE(file != nullptr);
    REQUIRE(PEM_write_X509(file, SSL_CTX_get0_certificate(tls)) == 1);
    std::fclose(file);
    return path;
}

} // namespace

TEST_CASE("an exporter is read over one connection, and a rate is over the time between the answers")
{
    double total = 1000;
    std::string request;
    MetricsServer server([&](const std::string& head) {
        request = head;
        return page(switches(total += 500));
    });
    const auto source = sourceOf(specOf(server.url()));
    const LiveReading first = readingOf(*source);
    CHECK(first.begin == first.end);
    CHECK(std::isnan(valueOf(*source, first, Quantity::contextSwitches)));
    CHECK(valueOf(*source, first, Quantity::tcpTimeWait) == 7);
    const LiveReading second = readingOf(*source);
    CHECK(second.begin == first.end);
    CHECK(valueOf(*source, second, Quantity::contextSwitches)
        == Approx(500 / seconds(second.end - second.begin)));
    CHECK(server.connections() == 1);
    CHECK(request.starts_with("GET /metrics HTTP/1.1\r\n"));
    CHECK(request.find("Accept: text/plain;version=0.0.4") != std::string::npos);
    CHECK(request.find("Accept-Encoding: gzip") != std::string::npos);
    CHECK(request.find("Authorization") == std::string::npos);
}

TEST_CASE("an exporter that is stopped and started again is a gap, and no rate is over the gap")
{
    double total = 1000;
    const auto handler = [&](const std::string&) { return page(switches(total += 500)); };
    auto server = std::make_unique<MetricsServer>(handler);
    const std::uint16_t port = server->port();
    const auto source = sourceOf(specOf(server->url()));
    readingOf(*source);
    server.reset();
    CHECK(faultOf(*source) == fmt::format("127.0.0.1:{}: connection refused", port));
    total = 1e9;
    server = std::make_unique<MetricsServer>(handler, port);
    const LiveReading back = readingOf(*source);
    CHECK(back.begin == back.end);
    CHECK(std::isnan(valueOf(*source, back, Quantity::contextSwitches)));
    CHECK(valueOf(*source, back, Quantity::tcpTimeWait) == 7);
    const LiveReading next = readingOf(*source);
    CHECK(valueOf(*source, next, Quantity::contextSwitches) == Approx(500 / seconds(next.end - next.begin)));
}

TEST_CASE("an answer that does not come is given up at the time limit, and when the run ends")
{
    MetricsServer server([](const std::string&) {
        return MetricsServer::Answer { .bytes = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nnode_",
            .stalls = true };
    });
    const auto hasty = sourceOf(specOf(server.url(), 100ms));
    CHECK(faultOf(*hasty) == fmt::format("127.0.0.1:{}: no whole answer within 0.1 s", server.port()));

    MetricsServer silent(
        [](const std::string&) { return MetricsServer::Answer { .bytes = "", .stalls = true }; });
    const auto patient = sourceOf(specOf(silent.url(), 1h));
    std::stop_source stop;
    std::jthread ends([&] {
        silent.waitForStall();
        stop.request_stop();
    });
    const auto stopped = patient->read(stop.get_token());
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().message == fmt::format("127.0.0.1:{}: the question was stopped", silent.port()));
}

TEST_CASE(
    "an answer of 200 MB is given up at 16 MB, whether it says its length, goes on for ever, or is packed")
{
    std::string answer, more;
    MetricsServer server(
        [&](const std::string&) { return MetricsServer::Answer { .bytes = answer, .more = more }; });
    const std::string said = fmt::format("127.0.0.1:{}: the answer is larger than 16 MB", server.port());
    const auto source = sourceOf(specOf(server.url()));
    answer = "HTTP/1.1 200 OK\r\nContent-Length: 200000000\r\n\r\n";
    more = std::string(1 << 20, 'x');
    CHECK(faultOf(*source) == said);
    answer = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n";
    CHECK(faultOf(*source) == said);
    answer = zippedPage(std::string(200'000'000, '\n'));
    more.clear();
    CHECK(answer.size() < 1'000'000);
    CHECK(faultOf(*source) == said);
}

TEST_CASE("an answer that is packed is read as any other")
{
    MetricsServer server(
        [](const std::string&) { return MetricsServer::Answer { .bytes = zippedPage(switches(5)) }; });
    const auto source = sourceOf(specOf(server.url()));
    CHECK(valueOf(*source, readingOf(*source), Quantity::tcpTimeWait) == 7);
}

TEST_CASE("what is no text of metrics is a message that says what came instead")
{
    std::string answer;
    MetricsServer server(
        [&](const std::string&) { return MetricsServer::Answer { .bytes = answer, .closes = true }; });
    const std::string where = fmt::format("127.0.0.1:{}: ", server.port());
    const auto source = sourceOf(specOf(server.url("/")));
    answer = MetricsServer::page("<!DOCTYPE html>\n<html><body>Node Exporter</body></html>\n", "text/html");
    CHECK(faultOf(*source)
        == where
            + "the answer is HTML, not metrics: \"<!DOCTYPE html>\"; most exporters have their metrics at "
              "/metrics");
    answer = MetricsServer::page("{\"ok\":true}\n");
    CHECK(faultOf(*source)
        == where + "this is not the text format of Prometheus: it begins with \"{\"ok\":true}\"");
    answer = MetricsServer::page("");
    CHECK(faultOf(*source) == where + "the answer is empty");
    answer = MetricsServer::page("# nothing\n");
    CHECK(faultOf(*source) == where + "the answer has no metrics");
    answer = MetricsServer::page("up 1\n", "application/openmetrics-text; version=1.0.0");
    CHECK(faultOf(*source) == where + "the answer is cut off: OpenMetrics ends with # EOF");
    answer = MetricsServer::page("up 1\nup 2\n").substr(0, 60);
    CHECK(faultOf(*source).starts_with(where));
    answer = "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nup 1\n";
    CHECK(faultOf(*source).starts_with(where + "the answer is cut off"));
    answer = "220 mail.example.com ESMTP\r\n";
    CHECK(faultOf(*source) == where + "this is no HTTP server");
    answer.clear();
    CHECK(faultOf(*source) == where + "the server closed the connection without an answer");
    answer = MetricsServer::page(switches(1));
    readingOf(*source);
}

TEST_CASE("statuses other than 200 are messages that say what to do, and redirections are not followed")
{
    unsigned others = 0;
    MetricsServer other([&](const std::string&) {
        ++others;
        return page(switches(1));
    });
    std::string answer;
    MetricsServer server([&](const std::string&) { return MetricsServer::Answer { .bytes = answer }; });
    const std::string where = fmt::format("127.0.0.1:{}: ", server.port());
    const auto source = sourceOf(specOf(server.url()));
    const auto status = [&](const std::string& line, const std::string& header = "") {
        answer = "HTTP/1.1 " + line + "\r\nContent-Length: 0\r\n" + header + "\r\n";
        return faultOf(*source);
    };
    CHECK(status("401 Unauthorized") == where + "401: a user and a password, or a token, are wanted");
    CHECK(status("404 Not Found") == where + "404: there is no such page; most exporters have /metrics");
    CHECK(status("503 Service Unavailable") == where + "the server answers with status 503");
    CHECK(status("302 Found", "Location: " + other.url() + "\r\n")
        == where + "302: the page is at another address; the plan has to name that one");
    CHECK(others == 0);
}

TEST_CASE("users and tokens are sent as HTTP has them, and stand in no message")
{
    std::string request;
    MetricsServer server([&](const std::string& head) {
        request = head;
        return MetricsServer::Answer { .bytes = "HTTP/1.1 401 No\r\nContent-Length: 0\r\n\r\n" };
    });
    const std::string where = fmt::format("127.0.0.1:{}: ", server.port());
    plan::CounterSourceSpec spec = specOf(server.url());
    std::get<plan::OpenMetricsSource>(spec.from).user = "scrape";
    CHECK(faultOf(*sourceOf(spec, { .password = "sesame", .token = "" }))
        == where + "401: the user or the password is refused");
    CHECK(request.find("Authorization: Basic c2NyYXBlOnNlc2FtZQ==\r\n") != std::string::npos);
    CHECK(faultOf(*sourceOf(specOf(server.url()), { .password = "", .token = "t0ken" }))
        == where + "401: the token is refused");
    CHECK(request.find("Authorization: Bearer t0ken\r\n") != std::string::npos);
}

TEST_CASE("no proxy of the environment is asked")
{
    unsigned asked = 0;
    MetricsServer proxy([&](const std::string&) {
        ++asked;
        return page(switches(1));
    });
    MetricsServer server([](const std::string&) { return page(switches(1)); });
    ::setenv("http_proxy", proxy.url("").c_str(), 1);
    const auto source = sourceOf(specOf(server.url()));
    readingOf(*source);
    ::unsetenv("http_proxy");
    CHECK(asked == 0);
}

TEST_CASE("a certificate that is not trusted is refused, unless the plan says that it is not looked at")
{
    const auto tls = embedded::makeTlsContext("", "", "ex1.example.com");
    REQUIRE(tls);
    MetricsServer server([](const std::string&) { return page(switches(1)); }, 0, tls->get());
    const std::string where = fmt::format("127.0.0.1:{}: ", server.port());
    plan::CounterSourceSpec spec = specOf(server.url());
    const std::string refused = faultOf(*sourceOf(spec));
    CHECK(refused.starts_with(where + "the certificate is not trusted: "));
    CHECK(refused.ends_with("; ca_file names the authority"));
    auto& from = std::get<plan::OpenMetricsSource>(spec.from);
    from.caFile = "/nonexistent/ca.pem";
    CHECK(faultOf(*sourceOf(spec)).starts_with(where + "ca_file cannot be used"));
    from.caFile.clear();
    from.verifyCertificate = false;
    const auto source = sourceOf(spec);
    CHECK(valueOf(*source, readingOf(*source), Quantity::tcpTimeWait) == 7);
}

TEST_CASE("an authority of the plan's own is trusted, for the host that its certificate names alone")
{
    const auto tls = embedded::makeTlsContext("", "", "ex1.example.com"); // for the loopback addresses, too
    REQUIRE(tls);
    const test::ScratchFolder folder;
    plan::OpenMetricsSource from;
    from.caFile = writtenCertificate(tls->get(), folder / "ca.pem");
    plan::CounterSourceSpec spec = specOf("");
    const auto handler = [](const std::string&) { return page(switches(1)); };

    MetricsServer named(handler, 0, tls->get());
    from.url = named.url();
    spec.from = from;
    const auto source = sourceOf(spec);
    CHECK(valueOf(*source, readingOf(*source), Quantity::tcpTimeWait) == 7);

    MetricsServer unnamed(handler, 0, tls->get(), "127.0.0.2");
    from.url = unnamed.url();
    spec.from = from;
    CHECK(faultOf(*sourceOf(spec))
              .starts_with(fmt::format("127.0.0.2:{}: the certificate is not trusted: ", unnamed.port())));
}

TEST_CASE("URLs and patterns that cannot be used are refused before anything is asked")
{
    const auto refusal = [](const std::string& url) {
        const auto source = makeOpenMetricsSource(specOf(url), {});
        return source ? "none" : source.error().message;
    };
    CHECK(refusal("file:///etc/passwd")
        == "openmetrics: the URL begins with http:// or https://, not with file://");
    CHECK(refusal("http://user:secret@ex1/metrics")
        == "openmetrics: the URL has a user or a password in it; they are keys of their own: user and "
           "password");
    CHECK(refusal("ex1 9100") == "openmetrics: this is no URL such as http://10.0.0.5:9100/metrics");
    plan::CounterSourceSpec spec = specOf("http://ex1/metrics");
    std::get<plan::OpenMetricsSource>(spec.from).metrics = { "node load" };
    const auto source = makeOpenMetricsSource(spec, {});
    REQUIRE_FALSE(source);
    CHECK(source.error().message.starts_with("metrics: \"node load\" is no name of a metric"));
}

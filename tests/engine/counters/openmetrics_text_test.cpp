// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/metric_pattern.h"
#include "counters/live/openmetrics_text.h"
#include "support/catch.h"

#include <cmath>

using namespace loadstone;
using namespace loadstone::counters;

namespace {

struct Read {
    std::string series, family, unit, help;
    std::vector<std::pair<std::string, std::string>> labels;
    double value = 0;
    MetricType type = MetricType::unknown;
};

Result<std::vector<Read>> readAll(const std::string& text)
{
    OpenMetricsText reader(text);
    std::vector<Read> all;
    MetricSample sample;
    for (;;) {
        const auto more = reader.next(sample);
        if (!more)
            return more.error();
        if (!*more)
            return all;
        Read one { std::string(sample.series), std::string(sample.family), std::string(sample.unit),
            std::string(sample.help), {}, sample.value, sample.type };
        for (const MetricLabel& label : sample.labels)
            one.labels.emplace_back(label.key, unescapedLabel(label.escaped));
        all.push_back(std::move(one));
    }
}

std::string faultOf(const std::string& text)
{
    const auto all = readAll(text);
    return all ? "none" : all.error().message;
}

} // namespace

TEST_CASE("a sample has its metric, labels, value, type and unit")
{
    const auto all = readAll("# HELP node_cpu_seconds_total Seconds the CPUs spent in each mode.\n"
                             "# TYPE node_cpu_seconds_total counter\n"
                             "# UNIT node_cpu_seconds_total seconds\n"
                             "node_cpu_seconds_total{cpu=\"0\",mode=\"idle\"} 3.6288e+06\n"
                             "node_load1 0.21\n");
    REQUIRE(all);
    REQUIRE(all->size() == 2);
    const Read& cpu = all->front();
    CHECK(cpu.series == "node_cpu_seconds_total{cpu=\"0\",mode=\"idle\"}");
    CHECK(cpu.labels
        == std::vector<std::pair<std::string, std::string>> { { "cpu", "0" }, { "mode", "idle" } });
    CHECK(cpu.value == 3628800);
    CHECK(cpu.type == MetricType::counter);
    CHECK(cpu.unit == "seconds");
    CHECK(cpu.help == "Seconds the CPUs spent in each mode.");
    CHECK(all->back().type == MetricType::unknown);
    CHECK(all->back().labels.empty());
    CHECK(all->back().value == 0.21);
}

TEST_CASE("samples of histograms and counters belong to the family that was announced")
{
    const auto all =
        readAll("# TYPE dovecot_smtp_command histogram\n"
                "dovecot_smtp_command_bucket{cmd_name=\"LHLO\",status_code=\"250\",le=\"0.000010\"} 0\n"
                "dovecot_smtp_command_count{cmd_name=\"LHLO\"} 12\n"
                "# TYPE requests counter\n"
                "requests_total 5 # {trace_id=\"KOO5S4vxi0o\"} 0.67\n"
                "requests_more 7\n"
                "# TYPE queue gauge\n"
                "queue_count 3\n"
                "# EOF\n");
    REQUIRE(all);
    REQUIRE(all->size() == 5);
    CHECK((*all)[0].family == "dovecot_smtp_command");
    CHECK((*all)[1].family == "dovecot_smtp_command");
    CHECK((*all)[1].type == MetricType::histogram);
    CHECK((*all)[2].family == "requests");
    CHECK((*all)[2].value == 5);
    CHECK((*all)[3].type == MetricType::unknown);
    CHECK((*all)[4].type == MetricType::unknown);
}

TEST_CASE("values may be infinite or not a number, and be followed by a time")
{
    const auto all = readAll("a NaN\nb +Inf\nc -Inf 1395066363000\nd 1e3 1520879607.789\ne +5\n"
                             "f 9007199254740993\n g{} 1\nh {x=\"1\",} 2\r\n");
    REQUIRE(all);
    REQUIRE(all->size() == 8);
    CHECK(std::isnan((*all)[0].value));
    CHECK(std::isinf((*all)[1].value));
    CHECK((*all)[2].value < 0);
    CHECK((*all)[3].value == 1000);
    CHECK((*all)[4].value == 5);
    CHECK((*all)[5].value == 0x1p53);
    CHECK((*all)[6].labels.empty());
    CHECK((*all)[7].labels.front().second == "1");
}

TEST_CASE("backslashes, quotes and line feeds in a label's value are escaped")
{
    const auto all = readAll("file{path=\"C:\\\\DIR\\\\\\\"x\\\"\\n, }\",other=\"a b\"} 1\n");
    REQUIRE(all);
    CHECK(all->front().labels.front().second == "C:\\DIR\\\"x\"\n, }");
    CHECK(all->front().labels.back().second == "a b");
}

TEST_CASE("lines that end in CR LF, blank lines and comments are read over")
{
    const auto all = readAll("\r\n# a comment\r\n#another\r\n   \nup 1\r\n\r\n# EOF");
    REQUIRE(all);
    CHECK(all->size() == 1);
}

TEST_CASE("what is no text of metrics is refused with the line and what is wrong in it")
{
    CHECK(faultOf("<!DOCTYPE html>\n<title>Node Exporter</title>\n")
        == "this is not the text format of Prometheus: it begins with \"<!DOCTYPE html>\"");
    CHECK(faultOf("{\"status\": 200}\n").find("it begins with \"{\"status\": 200}\"") != std::string::npos);
    CHECK(faultOf("up 1\nup{job=\"a\" 2\n") == "line 2: a comma is missing after label \"job\"");
    CHECK(faultOf("up 1\nup{job=\"a} 2\n") == "line 2: the value of label \"job\" has no closing quote");
    CHECK(faultOf("up 1\nup{job=a} 2\n") == "line 2: the value of label \"job\" is not in quotes");
    CHECK(faultOf("up 1\nup{job=\"a\"\n") == "line 2: the labels have no closing brace");
    CHECK(faultOf("up 1\ndown\n") == "line 2: a value is missing after \"down\"");
    CHECK(faultOf("up 1\ndown one\n") == "line 2: the value of \"down\" is no number: \"one\"");
    CHECK(faultOf("up 1\ndown 1 x\n") == "line 2: the time stamp is no number: \"x\"");
    CHECK(faultOf("up 1\ndown 1 2 3\n") == "line 2: something stands behind the value: \"3\"");
    CHECK(faultOf("up 1\n# TYPE up speed\n").starts_with("line 2: \"speed\" is no type"));
    CHECK(faultOf("up 1\n# EOF\nup 2\n") == "line 3: the text goes on after # EOF");
    CHECK(faultOf("up 1\n\x01\x02 2\n").find("not with \"?? 2\"") != std::string::npos);
    CHECK(faultOf("up 1\nup{job=\"\xff\"} 2\n") == "line 2: it is not UTF-8");
}

TEST_CASE("a number that is cut off is not taken for a smaller one")
{
    CHECK(faultOf("up 1\nrequests_total 1234") == "line 2: the text is cut off: this line has no end");
    CHECK(faultOf("up 1\n# TYPE requests_to") == "line 2: the text is cut off: this line has no end");
}

TEST_CASE("lines, labels and samples have limits")
{
    CHECK(faultOf("up 1\n# " + std::string(70'000, 'x') + "\n") == "line 2: it is longer than 64 KB");
    std::string labels;
    for (int i = 0; i < 65; ++i)
        labels += "l" + std::to_string(i) + "=\"\",";
    CHECK(faultOf("up 1\nup{" + labels + "} 1\n") == "line 2: there are more than 64 labels");
    std::string many;
    for (int i = 0; i <= 1'000'000; ++i)
        many += "a 1\n";
    CHECK(faultOf(many) == "line 1000001: there are more than 1,000,000 samples");
}

TEST_CASE("a pattern names a metric, parts of it by stars, and labels")
{
    const auto matches = [](const char* text, const std::string& line) {
        const auto pattern = MetricPattern::parse(text);
        REQUIRE(pattern);
        const std::string whole = line + " 1\n";
        OpenMetricsText reader(whole);
        MetricSample sample;
        REQUIRE(reader.next(sample));
        return pattern->matches(sample);
    };
    CHECK(matches("node_load1", "node_load1"));
    CHECK_FALSE(matches("node_load1", "node_load15"));
    CHECK(matches("node_load*", "node_load15"));
    CHECK(matches("*_total", "dovecot_logins_total"));
    CHECK(matches("d*_*_total", "dovecot_imap_total{x=\"1\"}"));
    CHECK_FALSE(matches("d*_*_total", "dovecot_total"));
    CHECK(matches("up{job=\"x\"}", "up{instance=\"1\",job=\"x\"}"));
    CHECK_FALSE(matches("up{job=\"x\"}", "up{job=\"xy\"}"));
    CHECK_FALSE(matches("up{job=\"x\"}", "up"));
    CHECK_FALSE(MetricPattern::parse(""));
    CHECK_FALSE(MetricPattern::parse("up{job=x}"));
    CHECK_FALSE(MetricPattern::parse("up{job=\"x\"} 1"));
    CHECK_FALSE(MetricPattern::parse("node load"));
    CHECK_FALSE(MetricPattern::parse("a{}\nb{}"));
}

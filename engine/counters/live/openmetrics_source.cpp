// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/http_client.h"
#include "counters/live/make_source.h"
#include "counters/live/metric_pattern.h"
#include "counters/live/metrics_reader.h"
#include "counters/live/openmetrics_text.h"

#include <utility>

namespace loadstone::counters {

namespace {

// In the older format the names are those that the exporters' documentation has; OpenMetrics adds suffixes to some.
constexpr const char* kAccept =
    "text/plain;version=0.0.4,application/openmetrics-text;version=1.0.0;q=0.5,*/*;q=0.1";

std::string_view firstLine(std::string_view text)
{
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    if (begin == std::string_view::npos)
        return {};
    text.remove_prefix(begin);
    return text.substr(0, text.find_first_of("\r\n"));
}

/// What is wrong with an answer whatever its lines say.
Result<void> checkAnswer(const HttpAnswer& answer)
{
    const std::string_view begin = firstLine(answer.body);
    if (begin.empty())
        return fail("the answer is empty");
    if (begin.starts_with('<'))
        return fail("the answer is HTML, not metrics: " + quotedLine(begin)
            + "; most exporters have their metrics at /metrics");
    if (answer.contentType.starts_with("application/openmetrics-text")) {
        const std::size_t end = answer.body.find_last_not_of(" \t\r\n");
        if (!std::string_view(answer.body).substr(0, end + 1).ends_with("# EOF"))
            return fail("the answer is cut off: OpenMetrics ends with # EOF");
    }
    return {};
}

class OpenMetricsOverHttp final : public LiveSource {
public:
    OpenMetricsOverHttp(const plan::CounterSourceSpec& spec, HttpClient client)
        : m_client(std::move(client))
        , m_reader(spec)
    {
    }

    [[nodiscard]] const std::vector<CounterInfo>& counters() const override { return m_reader.counters(); }

    Result<LiveReading> read(std::stop_token stop) override
    {
        const auto answer = m_client.get(std::move(stop));
        if (!answer) {
            m_reader.miss();
            return answer.error();
        }
        const MonoTime received = monoNow();
        if (const auto usable = checkAnswer(*answer); !usable) {
            m_reader.miss();
            return usable.error().within(m_client.address());
        }
        auto reading = m_reader.read(answer->body, received);
        if (!reading)
            return reading.error().within(m_client.address());
        return reading;
    }

private:
    HttpClient m_client;
    MetricsReader m_reader;
};

} // namespace

Result<std::unique_ptr<LiveSource>> makeOpenMetricsSource(
    const plan::CounterSourceSpec& spec, SourceSecrets secrets)
{
    const auto& from = std::get<plan::OpenMetricsSource>(spec.from);
    for (const std::string& pattern : from.metrics)
        if (!MetricPattern::parse(pattern))
            return fail("metrics: " + quotedLine(pattern)
                + " is no name of a metric such as node_load1, up{job=\"mail\"} or dovecot_*");
    auto client = HttpClient::create({ .url = from.url,
        .accept = kAccept,
        .user = from.user,
        .password = std::move(secrets.password),
        .token = std::move(secrets.token),
        .caFile = from.caFile,
        .verifyCertificate = from.verifyCertificate,
        .timeLimit = spec.timeLimit,
        .mostBytes = OpenMetricsText::kMostBytes });
    if (!client)
        return client.error().within("openmetrics");
    return std::unique_ptr<LiveSource>(std::make_unique<OpenMetricsOverHttp>(spec, *std::move(client)));
}

} // namespace loadstone::counters

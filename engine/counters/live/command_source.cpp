// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/lines_reader.h"
#include "counters/live/make_source.h"
#include "counters/live/metrics_reader.h"
#include "counters/live/shell_command.h"

#include <variant>

namespace loadstone::counters {

namespace {

using OutputReader = std::variant<LinesReader, MetricsReader>;

OutputReader readerFor(const plan::CounterSourceSpec& spec)
{
    if (std::get<plan::CommandSource>(spec.from).format == plan::CommandSource::Format::lines)
        return LinesReader(spec);
    return MetricsReader(spec);
}

/// What a command of the plan prints, each time that it is run.
class PrintedCounters final : public LiveSource {
public:
    explicit PrintedCounters(const plan::CounterSourceSpec& spec)
        : m_command(std::get<plan::CommandSource>(spec.from).command)
        , m_reader(readerFor(spec))
    {
        m_limits.time = spec.timeLimit;
    }

    [[nodiscard]] const std::vector<CounterInfo>& counters() const override
    {
        return std::visit(
            [](const auto& reader) -> const auto& { return reader.counters(); }, m_reader);
    }

    Result<LiveReading> read(std::stop_token stop) override
    {
        auto output = runShellCommand(m_command, m_limits, stop);
        if (!output) {
            std::visit([](auto& reader) { reader.miss(); }, m_reader);
            return output.error();
        }
        return std::visit(
            [&](auto& reader) { return Result<LiveReading>(reader.read(output->text, output->ended)); },
            m_reader);
    }

private:
    std::string m_command;
    CommandLimits m_limits;
    OutputReader m_reader;
};

} // namespace

Result<std::unique_ptr<LiveSource>> makeCommandSource(const plan::CounterSourceSpec& spec)
{
    return std::unique_ptr<LiveSource>(std::make_unique<PrintedCounters>(spec));
}

} // namespace loadstone::counters

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any bytes are the answer of another machine's shell or are refused. Nothing is taken over that was not asked for, and whatever it says
// gives no counter a negative value.

#include "counters/host/control_group_usage.h"
#include "counters/host/mail_queues.h"
#include "counters/host/process_groups.h"
#include "counters/live/kernel_answer.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>

using namespace loadstone;
using namespace loadstone::counters;
using namespace std::chrono_literals;

namespace {

void require(bool condition)
{
    if (!condition)
        std::abort();
}

/// Answers each request with the same bytes.
class Answering final : public KernelReader {
public:
    explicit Answering(std::string_view answer)
        : m_answer(answer)
    {
    }
    Result<void> read(
        const KernelRequest& request, const ReadingLimits& /*limits*/, KernelSnapshot& into) override
    {
        KernelSnapshot given;
        static_cast<void>(readAnswer(m_answer, "t", request, given));
        const auto asked = [](const auto& things, const auto& wanted) {
            for (const auto& [path, value] : things)
                if (std::ranges::find(wanted, path) == wanted.end())
                    return false;
            return true;
        };
        require(asked(given.entries, request.entries));
        require(asked(given.folders, request.folders));
        require(asked(given.trees, request.trees));
        require(asked(given.firstArguments, request.firstArguments));
        require(request.everyProcess || given.processes.empty());
        return readAnswer(m_answer, "t", request, into);
    }

private:
    std::string_view m_answer;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size); // NOLINT: bytes are characters
    KernelRequest request = hostFiles();
    request.add(ProcessGroups::files());
    request.add(controlGroupFiles({ "a.slice" }));
    request.add(mailQueueTrees("/q"));
    // Two answers, for rates are of two.
    const std::size_t half = size / 2;
    Answering first(text.substr(0, half)), second(text.substr(half));
    KernelSnapshot kernel;
    if (!first.read(request, {}, kernel))
        return 0;
    HostChoice choice;
    choice.processors = { 0, 2 };
    choice.volumes = { { "Database", { "sda", "sdb" } } };
    ProcessGroups groups({ "master", "dovecot/imap", "service:postfix" });
    std::vector<std::unique_ptr<HostPart>> parts;
    parts.push_back(makeHostParts(kernel, choice));
    parts.push_back(makeHostParts(kernel));
    parts.push_back(makeControlGroupUsage({ "a.slice" }));
    parts.push_back(makeMailQueues("/q"));
    for (int turn = 0; turn < 2; ++turn) {
        const MonoTime now(std::chrono::seconds(1 + turn));
        Answering& from = turn == 0 ? first : second;
        if (turn == 1) {
            kernel = {};
            if (!from.read(request, {}, kernel))
                return 0;
        }
        std::vector<double> values;
        const auto check = [&] {
            for (const double value : values)
                require(!(value < 0));
        };
        for (const auto& part : parts) {
            values.assign(part->counters().size(), 0);
            part->sample(kernel, now, values);
            check();
            require(part->missing().size() <= 100);
        }
        values.assign(groups.counters().size(), 0);
        if (groups.sample(kernel, now, from, {}, values))
            check();
    }
    return 0;
}

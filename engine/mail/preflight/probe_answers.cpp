// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/preflight/probe_answers.h"

#include <algorithm>
#include <charconv>

namespace loadstone::mail {

std::string answerTo(const std::string& transcript, std::string_view command)
{
    std::string answer;
    bool within = command.empty();
    for (std::size_t begin = 0; begin < transcript.size();) {
        const std::size_t end = std::min(transcript.find('\n', begin), transcript.size());
        std::string_view line = std::string_view(transcript).substr(begin, end - begin);
        begin = end + 1;
        if (line.starts_with("C: ")) {
            if (within)
                break;
            within = line.substr(3).starts_with(command);
        } else if (within) {
            if (line.starts_with("S: "))
                line.remove_prefix(3);
            answer.append(line).append("\n");
        }
    }
    return answer;
}

std::optional<std::uint64_t> numberBehind(const std::string& text, std::string_view word)
{
    const std::size_t at = text.find(word);
    std::uint64_t value = 0;
    if (at == std::string::npos)
        return std::nullopt;
    const char* const begin = text.data() + at + word.size();
    const auto [end, error] = std::from_chars(begin, text.data() + text.size(), value);
    return error == std::errc() && end != begin ? std::optional(value) : std::nullopt;
}

std::uint64_t largestMessage(const plan::MailPlan& plan)
{
    std::uint64_t largest = 0;
    for (const plan::Step& step : plan.workload.steps)
        if (step.messages() > 0)
            largest = std::max(largest, step.size);
    if (plan.workload.profile)
        for (const plan::MessageKind& kind : plan.workload.profile->messages)
            largest = std::max(largest, kind.bodySize + kind.attachmentSize * 137 / 100 + 2048);
    return largest;
}

std::string firstLine(const std::string& text)
{
    constexpr std::size_t kMost = 300;
    return text.substr(0, std::min(text.find('\n'), kMost));
}

} // namespace loadstone::mail

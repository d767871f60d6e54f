// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/ssh_kernel.h"

#include "counters/live/kernel_answer.h"

#include <fmt/format.h>

#include <algorithm>
#include <random>

namespace loadstone::counters {

namespace {

/// A word that the other machine cannot know before it is used.
std::string randomToken()
{
    std::random_device device; // the system's own, getrandom() or the like
    std::string token = "loadstone-";
    for (int i = 0; i < 4; ++i)
        token += fmt::format("{:08x}", device());
    return token;
}

} // namespace

SshKernel::SshKernel(const std::string& destination)
    : m_session(destination, answerPreamble())
    , m_token(randomToken())
{
}

Result<void> SshKernel::read(const KernelRequest& request, const ReadingLimits& limits, KernelSnapshot& into)
{
    const std::string token = m_token + "-" + std::to_string(++m_asked);
    // What is left for all of it is shared among the trees, and leaves a quarter for the way there and back.
    const double left = std::clamp(seconds(limits.deadline - monoNow()), 0.0, 3600.0);
    const auto trees = static_cast<double>(std::max<std::size_t>(request.trees.size(), 1));
    const int treeSeconds = std::max(1, static_cast<int>(left * 0.75 / trees));
    const auto answer =
        m_session.exchange(askingScript(request, token, treeSeconds), lastLine(token), limits);
    if (!answer)
        return answer.error();
    auto read = readAnswer(*answer, token, request, into);
    if (!read)
        m_session.close();
    return read;
}

} // namespace loadstone::counters

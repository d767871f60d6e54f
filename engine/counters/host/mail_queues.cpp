// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/host/mail_queues.h"

#include "counters/host/rate.h"

#include <array>
#include <cmath>

namespace loadstone::counters {

namespace {

constexpr std::array<const char*, 5> kQueues { "incoming", "active", "deferred", "hold", "maildrop" };

std::string treeOf(const std::string& folder, const char* queue)
{
    return folder + (folder.ends_with('/') ? "" : "/") + queue;
}

class MailQueues final : public HostPart {
public:
    explicit MailQueues(std::string folder)
        : m_folder(std::move(folder))
    {
    }

    [[nodiscard]] std::vector<CounterInfo> counters() const override
    {
        std::vector<CounterInfo> all;
        for (const char* queue : kQueues)
            all.push_back(counterOf({ Quantity::mailQueueLength, Subject::ofDevice(queue) }));
        return all;
    }

    void sample(const KernelSnapshot& kernel, MonoTime /*now*/, std::span<double> values) override
    {
        m_missing.clear();
        for (std::size_t i = 0; i < kQueues.size(); ++i) {
            const std::string tree = treeOf(m_folder, kQueues[i]);
            const auto found = kernel.trees.find(tree);
            values[i] = found == kernel.trees.end() ? kMissing : found->second;
            if (found != kernel.trees.end())
                continue;
            std::string why = kernel.reason(tree);
            if (why.empty())
                why = "it was not counted in time";
            else if (why == "Permission denied")
                why = "permission denied; only root and Postfix' own user may look into it";
            m_missing.emplace_back("queue " + tree, why);
        }
    }

    [[nodiscard]] Missing missing() const override { return m_missing; }

private:
    std::string m_folder;
    Missing m_missing;
};

} // namespace

KernelRequest mailQueueTrees(const std::string& folder)
{
    KernelRequest request;
    for (const char* queue : kQueues)
        request.trees.push_back(treeOf(folder, queue));
    return request;
}

std::unique_ptr<HostPart> makeMailQueues(const std::string& folder)
{
    return std::make_unique<MailQueues>(folder);
}

} // namespace loadstone::counters

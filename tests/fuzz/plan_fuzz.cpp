// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any text is a plan or is refused, and its lines are lines of the text.

#include "plan/model/plan.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace loadstone;

namespace {

constexpr const char* kUsers =
    "format = 1\nkind = \"mail\"\n[target]\npassword = \"x\"\n[target.smtp]\nport = 25\n"
    "[target.imap]\nport = 143\n[workload]\npacing = \"users\"\nprofile = \"fuzz\"\n"
    "[[mixes]]\nusers = 3\nmeasurement = \"1 min\"\nquiet_time = \"1 s\"\n";

void require(bool condition)
{
    if (!condition)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto loaded = plan::parsePlan(text, "fuzz.toml");
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    for (const Problem& problem : loaded.problems) {
        require(problem.line >= 0 && problem.line <= lines && !problem.message.empty()
            && !problem.remedy.empty());
        (void)problem.format("fuzz.toml");
    }
    if (loaded.ok()) {
        require(!loaded.plan.loadPoints().empty());
        require(plan::parsePlan(loaded.textWithoutSecrets, "fuzz.toml").ok());
    }
    if (const plan::StoragePlan* storage = loaded.ok() ? loaded.plan.storage() : nullptr)
        require(!plan::spaceNeeded(storage->test).empty() && !plan::describe(storage->test).empty());
    if (const plan::MailPlan* mail = loaded.ok() ? loaded.plan.mail() : nullptr) {
        require(mail->workload.steps.empty() == mail->workload.profile.has_value());
        require(mail->length() > Nanoseconds::zero());
        require(!plan::mailboxName(mail->target, mail->mixes.back().mailboxes() - 1).empty());
    }
    // The same bytes as a profile: good or told, and carried by the plan that is stored.
    const auto users =
        plan::parsePlan(kUsers, "users.toml", [&](const std::string&) { return Result<std::string>(text); });
    require(users.ok() == (users.plan.profile() != nullptr) || !users.problems.empty());
    if (users.ok()) {
        const auto stored = plan::parsePlan(users.textWithoutSecrets, "stored.toml");
        require(stored.ok() && stored.plan.mail()->workload.profile == users.plan.mail()->workload.profile);
    }
    (void)plan::parseWeights(text);
    return 0;
}

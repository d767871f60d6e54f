// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any text is a plan or is refused, its lines are lines of the text, and whatever value of it is edited, the
// result is a document in which that value stands.

#include "plan/document.h"
#include "plan/plan.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>

using namespace loadstone;

namespace {

void require(bool condition)
{
    if (!condition)
        std::abort();
}

void editAll(const std::string& text, const plan::Node& node, const std::string& path, int& budget)
{
    if (--budget < 0)
        return;
    if (!path.empty()) {
        if (const auto edited = plan::editPlan(text, path, "\"x\"")) {
            const auto document = plan::parseDocument(*edited);
            const auto* root = std::get_if<plan::Node>(&document);
            require(root != nullptr);
            const auto* value = plan::follow(*root, plan::parsePath(path));
            require(value != nullptr && value->text == "x");
        }
    }
    if (node.kind == plan::Node::Kind::table)
        (void)plan::editPlan(text, path.empty() ? "fuzz" : path + ".fuzz", "1");
    for (const plan::Member& member : node.members)
        editAll(text, member.value, path.empty() ? member.key : path + "." + member.key, budget);
    for (std::size_t i = 0; i < node.items.size(); ++i)
        editAll(text, node.items[i], path + "[" + std::to_string(i) + "]", budget);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto loaded = plan::parsePlan(text, "fuzz.toml");
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    for (const PlanProblem& problem : loaded.problems) {
        require(problem.line >= 0 && problem.line <= lines && !problem.message.empty()
            && !problem.remedy.empty());
        (void)problem.format("fuzz.toml");
    }
    if (loaded.ok()) {
        require(!loaded.plan.mixes.empty() && !loaded.plan.workload.steps.empty());
        require(loaded.plan.length() > Nanoseconds::zero());
        require(!plan::mailboxName(loaded.plan.target, loaded.plan.mixes.back().mailboxes() - 1).empty());
        require(plan::parsePlan(loaded.textWithoutSecrets, "fuzz.toml").ok());
    }
    const auto document = plan::parseDocument(text);
    if (const auto* root = std::get_if<plan::Node>(&document)) {
        int budget = 20;
        editAll(text, *root, "", budget);
    }
    return 0;
}

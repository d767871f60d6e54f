// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/checks.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::lab {

namespace {

/// A number that is the product of others, all properties of one item.
struct Product {
    const char* key;
    std::vector<const char*> factors;
};

const std::vector<Product>& products()
{
    static const std::vector<Product> table {
        { "users", { "generators", "users_per_generator" } },
        { "users", { "processes", "users_per_process" } },
        { "mailboxes", { "hosts", "mailboxes_per_host" } },
        { "mailboxes", { "hosts", "groups", "stores", "mailboxes_per_store" } },
        { "mailboxes_per_host", { "groups", "stores", "mailboxes_per_store" } },
    };
    return table;
}

void checkProducts(const Draft& draft, const Items& items, std::size_t index, LabProblems& findings)
{
    const LabItem& item = items[index];
    for (const Product& product : products()) {
        const auto stated = Amount::of(item, product.key);
        if (!stated)
            continue;
        std::optional<Amount> computed(Amount(1));
        std::string terms;
        for (const char* factor : product.factors) {
            const auto value = Amount::of(item, factor);
            if (!value) {
                computed.reset();
                break;
            }
            computed = computed->times(*value);
            terms += fmt::format("{}{} {}", terms.empty() ? "" : " x ", item.text(factor), factor);
        }
        if (computed && !computed->agreesWith(*stated)) {
            double exact = 1;
            for (const char* factor : product.factors)
                exact *= item.number(factor).value_or(0);
            findings.flag(draft.pathOf(index, product.key),
                fmt::format(
                    "{} are {}, {} is {}", terms, countText(exact), product.key, item.text(product.key)),
                fmt::format("correct {} or one of the factors", product.key));
        }
    }
}

/// Whether it stands on, in or for a machine that makes the load.
bool isWithinGenerator(const Items& items, std::size_t index)
{
    for (std::optional<std::size_t> at = index; at; at = items.parent(*at))
        if (hasRole(items[*at], "generator") && items[*at].kind == ItemKind::machine)
            return true;
    return false;
}

/// The users of all generators together against those of the one deployment that states them.
void checkGenerators(const Draft& draft, const Items& items, LabProblems& findings)
{
    double users = 0, machines = 0;
    bool all = true, any = false;
    Terms terms, machineTerms;
    std::vector<std::size_t> deployments;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const LabItem& item = items[i];
        if (item.kind == ItemKind::machine && hasRole(item, "generator")) {
            machines += items.total(i);
            machineTerms.add(termOf(item, "", items.total(i)));
            const auto each = item.number("users");
            any = true;
            all = all && each;
            users += each.value_or(0) * items.total(i);
            if (each)
                terms.add(termOf(item, "users", items.total(i)));
        }
        if ((item.kind == ItemKind::cluster || item.kind == ItemKind::software)
            && !isWithinGenerator(items, i) && (item.number("users") || item.number("generators")))
            deployments.push_back(i);
    }
    // With several deployments nobody says which generator is for which.
    if (!any || deployments.size() != 1)
        return;
    const LabItem& deployment = items[deployments.front()];
    const auto stated = Amount::of(deployment, "users");
    if (all && stated && !stated->agreesWith(Amount(users)))
        findings.flag(draft.pathOf(deployments.front(), "users"),
            fmt::format("the generators have {} users together ({}), users is {}", countText(users),
                terms.text(), deployment.text("users")),
            "correct users here, or those of the generators");
    // Some machines of a lab may have stood by.
    if (const auto generators = deployment.number("generators"); generators && *generators > machines)
        findings.flag(draft.pathOf(deployments.front(), "generators"),
            fmt::format("{} machines have the role generator ({}), generators is {}", countText(machines),
                machineTerms.text(), countText(*generators)),
            "correct generators, or the machines and their roles");
}

} // namespace

void checkUsers(const Draft& draft, const Items& items, LabProblems& findings)
{
    for (std::size_t i = 0; i < items.size(); ++i)
        checkProducts(draft, items, i, findings);
    checkGenerators(draft, items, findings);
}

void checkSums(const Draft& draft, LabProblems& findings)
{
    const Items items(draft.lab);
    checkSpace(draft, items, findings);
    checkMachines(draft, items, findings);
    checkPorts(draft, items, findings);
    checkUsers(draft, items, findings);
}

} // namespace loadstone::lab

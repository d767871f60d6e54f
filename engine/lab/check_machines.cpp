// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/checks.h"

#include <fmt/format.h>

namespace loadstone::lab {

namespace {

/// Parts of one machine: of nothing that another machine in it contains.
std::vector<std::pair<std::size_t, double>> partsOf(const Items& items, std::size_t machine, ItemKind kind)
{
    std::vector<std::pair<std::size_t, double>> parts, open { { machine, 1.0 } };
    while (!open.empty()) {
        const auto [at, factor] = open.back();
        open.pop_back();
        for (const std::size_t child : items.below(at)) {
            if (items[child].kind == ItemKind::machine)
                continue;
            const double count = factor * static_cast<double>(items[child].count);
            if (items[child].kind == kind)
                parts.emplace_back(child, count);
            open.emplace_back(child, count);
        }
    }
    return parts;
}

bool isDetected(const LabItem& item, std::string_view key)
{
    const LabProperty* property = item.find(key);
    return property != nullptr && property->value.origin == ValueOrigin::detected;
}

class MachineCheck {
public:
    MachineCheck(const Draft& draft, const Items& items, LabProblems& findings, std::size_t machine)
        : m_draft(draft)
        , m_findings(findings)
        , m_items(items)
        , m_machine(machine)
    {
    }

    void run()
    {
        checkMemory();
        checkProcessors();
        const LabItem& item = m_items[m_machine];
        checkThreads(m_machine, item);
    }

    /// One thread of each core where Hyper-Threading is off.
    void checkThreads(std::size_t index, const LabItem& item)
    {
        const auto cores = item.number("cores"), threads = item.number("threads");
        if (!cores || !threads)
            return;
        if (*threads < *cores)
            m_findings.flag(m_draft.pathOf(index, "threads"),
                fmt::format("threads is {}, fewer than the {} cores", countText(*threads), countText(*cores)),
                "correct threads or cores");
        else if (item.number("hyper_threading") == 0.0 && *threads > *cores)
            m_findings.flag(m_draft.pathOf(index, "threads"),
                fmt::format("threads is {} with {} cores, and Hyper-Threading is off", countText(*threads),
                    countText(*cores)),
                "correct threads, cores or hyper_threading");
    }

private:
    void checkMemory()
    {
        const LabItem& item = m_items[m_machine];
        const auto modules = partsOf(m_items, m_machine, ItemKind::memory);
        Amount sum;
        Terms terms;
        double number = 0;
        bool all = !modules.empty();
        for (const auto& [module, count] : modules) {
            const auto size = Amount::exactly(m_items[module], "size");
            all = all && size;
            if (size)
                sum = sum.plus(size->times(count));
            terms.add(termOf(m_items[module], size ? "size" : "", count));
            number += count;
        }
        const auto stated = Amount::of(item, "memory");
        // An operating system sees less than the modules have.
        if (all && stated && !isDetected(item, "memory") && !stated->agreesWith(sum))
            m_findings.flag(m_draft.pathOf(m_machine, "memory"),
                fmt::format("the modules make {} together ({}), memory is {}",
                    sizeText(binaryValue(modules), document::ByteSteps::binary), terms.text(),
                    item.text("memory")),
                "correct memory, or the number and size of the modules");
        if (const auto slots = item.number("memory_slots"); slots && *slots < number)
            m_findings.flag(m_draft.pathOf(m_machine, "memory_slots"),
                fmt::format("{} modules are described ({}), memory_slots is {}", countText(number),
                    terms.text(), countText(*slots)),
                "correct memory_slots, or the counts of the modules");
    }

    [[nodiscard]] double binaryValue(const std::vector<std::pair<std::size_t, double>>& modules) const
    {
        double bytes = 0;
        for (const auto& [module, count] : modules)
            bytes += count * m_items[module].number("size").value_or(0);
        return bytes;
    }

    void checkProcessors()
    {
        const LabItem& item = m_items[m_machine];
        const auto processors = partsOf(m_items, m_machine, ItemKind::processor);
        if (processors.empty())
            return;
        double number = 0;
        Terms terms;
        for (const auto& [processor, count] : processors) {
            number += count;
            terms.add(termOf(m_items[processor], "", count));
        }
        if (const auto stated = item.number("processors"); stated && *stated != number)
            flag("processors", "processors are described", number, terms, *stated);
        if (const auto sockets = item.number("sockets"); sockets && *sockets < number)
            flag("sockets", "processors are described", number, terms, *sockets);
        for (const char* key : { "cores", "threads" }) {
            double sum = 0;
            bool all = true;
            Terms parts;
            for (const auto& [processor, count] : processors) {
                const auto each = m_items[processor].number(key);
                all = all && each;
                sum += count * each.value_or(0);
                parts.add(termOf(m_items[processor], key, count));
            }
            if (const auto stated = item.number(key); all && stated && *stated != sum)
                flag(key, fmt::format("{} are described", key), sum, parts, *stated);
        }
    }

    void flag(const std::string& key, const std::string& what, double sum, const Terms& terms, double stated)
    {
        m_findings.flag(m_draft.pathOf(m_machine, key),
            fmt::format("{} {} ({}), {} is {}", countText(sum), what, terms.text(), key, countText(stated)),
            fmt::format("correct {}, or the items of the processors", key));
    }

    const Draft& m_draft;
    LabProblems& m_findings;
    const Items& m_items;
    std::size_t m_machine;
};

} // namespace

void checkMachines(const Draft& draft, const Items& items, LabProblems& findings)
{
    for (std::size_t i = 0; i < items.size(); ++i) {
        MachineCheck check(draft, items, findings, i);
        if (items[i].kind == ItemKind::machine)
            check.run();
        else if (items[i].kind == ItemKind::processor)
            check.checkThreads(i, items[i]);
    }
}

} // namespace loadstone::lab

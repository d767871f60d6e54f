// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any text has tables of a lab or none: every row has a cell for each column, no cell is without end, and what is wrong stands at a
// line of the text. Fields of reports are counted of whatever could be read.

#include <loadstone/lab_tables.h>

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

void checkTables(const std::vector<ReportTable>& tables)
{
    for (const ReportTable& table : tables)
        for (const auto& row : table.rows) {
            require(row.size() == table.columns.size());
            for (const Cell& cell : row)
                require(cell.text().size() <= 70000);
        }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
    const LabTables printed = labTables(text, "fuzz.toml");
    for (const Problem& problem : printed.problems)
        require(problem.line >= 0 && problem.line <= lines && !problem.message.empty()
            && !problem.remedy.empty());
    checkTables(printed.tables);
    const CheckedLab base = readLab(text, "fuzz.toml");
    checkTables(defaultLabTables(base.lab));
    for (const LabReport report : { LabReport::storage, LabReport::mail, LabReport::virtualisation })
        require(!labFields(base.lab, report).empty());
    if (base.usable() && !base.lab.variants.empty()) {
        const std::string& id = base.lab.variants.front().id;
        checkTables(labTables(text, "fuzz.toml", id).tables);
        checkTables({ labVariantTable(base.lab, readLab(text, "fuzz.toml", id).lab) });
    }
    return 0;
}

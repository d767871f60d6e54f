// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/lab.h"
#include "loadstone/problem.h"
#include "loadstone/table.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loadstone {

struct LabTables {
    std::vector<ReportTable> tables;
    std::vector<Problem>
        problems; ///< of the file's [[table]] entries, by line; warnings: the tables can be shown
};

/// The tables that a report prints of a lab: those that the file describes in [[table]] entries, or defaultLabTables() where it has
/// none. `variant`: the one that is applied before a table or a column names its own; empty: none. A text that is no lab has no
/// tables; what is wrong with it as a lab is found by readLab(). `name` of the file, for messages. Any thread.
LabTables labTables(const std::string& text, const std::string& name, const std::string& variant = {});

/// Machines, storage, network, generators, software and tunings of any lab; a table without rows is left out.
std::vector<ReportTable> defaultLabTables(const Lab& lab);

/// A variant as its base with the differences: a row for each of differences(base, variant), with both values.
ReportTable labVariantTable(const Lab& base, const Lab& variant);

/// Differences of two labs under the headings given to them, such as "Run 12" and "Run 15".
ReportTable labDifferenceTable(
    const std::vector<LabDifference>& differences, const std::string& before, const std::string& after);

/// What a published report of a kind says of its lab.
enum class LabReport : std::uint8_t {
    storage, ///< a storage solution tested with simulated mailboxes (ESRP)
    mail, ///< a mail server under load (MMB, SPECmail2001)
    virtualisation, ///< physical and virtual machines side by side
};
const char* toString(LabReport report); ///< "storage report"

enum class LabFieldState : std::uint8_t {
    filled,
    notDisclosed, ///< counts as filled: the report says so
    empty, ///< an item lacks the value
    noItem, ///< the lab has no item that could have it
};

/// One field of a report.
struct LabField {
    std::string field; ///< as a report prints it: "Number of storage controllers"
    std::string where; ///< in words: "controllers of enclosures"
    std::string item; ///< id of the first item that lacks it, or of the first that has it; empty: no item
    std::string key; ///< of the property: "count", "model"
    LabFieldState state = LabFieldState::noItem;
    [[nodiscard]] bool filled() const
    {
        return state == LabFieldState::filled || state == LabFieldState::notDisclosed;
    }
    bool operator==(const LabField&) const = default;
};

/// The fields of a report in its order. A field is filled when every item that it is about has the value.
std::vector<LabField> labFields(const Lab& lab, LabReport report);
/// "31 of 44 fields of the storage report".
std::string labFieldsText(const Lab& lab, LabReport report);

} // namespace loadstone

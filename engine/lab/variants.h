// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lab/draft.h"
#include "lab/reading.h"

#include <optional>
#include <string>
#include <vector>

namespace loadstone::lab {

/// A variant as the file states it.
struct VariantTable {
    LabVariant head;
    const document::Node* table = nullptr;
    std::string path; ///< "variant[2]"
};

/// The heads of all variants; duplicates, unknown bases and circles are reported and left out.
std::vector<VariantTable> readVariants(const document::Node& root, LabProblems& findings);
/// The variants from the one that changes the lab itself to `id`. Empty when there is none with this id.
std::vector<const VariantTable*> chainOf(const std::vector<VariantTable>& variants, const std::string& id);
/// Changes the draft as one variant says; what it says of things that are not there is reported.
void applyVariant(const VariantTable& variant, Draft& draft, LabProblems& findings);

} // namespace loadstone::lab

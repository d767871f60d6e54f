// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "document/node.h"
#include "plan/model/plan.h"

#include <filesystem>
#include <string>
#include <vector>

namespace loadstone::plan {

/// The lab file beside the plan, else the shipped lab of that name; an Error when there is neither. `plan`: the plan's file; empty: a
/// document without one, beside which there is nothing.
Result<RunLab> readLabBeside(const std::filesystem::path& plan, const std::string& lab);

/// Reads the lab that the plan names, and checks the items and the variant that the plan refers to; what is wrong is added to
/// `problems`, which stay in the order of lines. An error of the lab's file is a problem at the place that names it. A lab that cannot be
/// used, and no lab, give an empty one.
RunLab readLabReference(const document::Node& root, const LabReference& reference, const LabSource& labs,
    std::vector<Problem>& problems);

} // namespace loadstone::plan

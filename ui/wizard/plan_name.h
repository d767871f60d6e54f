// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/document.h>

#include <string>

namespace loadstone::ui {

/// What a new plan is called before anybody names it.
constexpr const char* kNewPlanName = "plan.toml";

/// A file name for a plan that has no file yet, so that several can be told apart: "postfix-and-dovecot.toml" of the title
/// "Postfix and Dovecot". Lower-case ASCII letters, digits and single hyphens, at most 60 of them. The text's own name where the
/// title has none of these, or where it was made from another file and is called after that.
std::string planFileName(const Document& plan);

} // namespace loadstone::ui

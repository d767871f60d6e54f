// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/plan.h"
#include "run/live_sources.h"

#include <loadstone/preflight.h>

#include <string>
#include <vector>

namespace loadstone::session {

/// What of a plan's sources needs agreement; each text once, in the order of the plan.
std::vector<std::string> agreementsOf(const plan::PlanHead& plan);
/// An Error (see isUnusablePlan()) with the texts that are not among `agreed`, and how to agree.
Result<void> checkAgreed(
    const plan::PlanHead& plan, const std::string& planName, const std::vector<std::string>& agreed);

/// The source that the plan describes; it has not been asked yet. Its password and token are read here, once, are added to `secrets` and
/// stay out of core dumps from now on. An Error says what of it cannot be, such as a password that is not there.
Result<run::NamedSource> makeSource(const plan::CounterSourceSpec& spec, std::vector<std::string>& secrets);
Result<std::vector<run::NamedSource>> makeSources(
    const plan::PlanHead& plan, std::vector<std::string>& secrets);
/// The passwords and tokens of its sources that the plan states itself; no file and no variable is read.
std::vector<std::string> statedSourceSecretsOf(const plan::PlanHead& plan);

/// What a question to each source finds before a run: an answer, or a warning.
std::vector<PreflightFinding> sourceFindings(
    const plan::PlanHead& plan, const std::vector<std::string>& agreed, const std::stop_token& stop);

} // namespace loadstone::session

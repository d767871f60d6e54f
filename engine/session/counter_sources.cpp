// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "session/counter_sources.h"

#include "base/secret_mask.h"
#include "counters/live/make_source.h"
#include "counters/live/timely_source.h"
#include "session/unusable_plan.h"

#include <algorithm>

namespace loadstone::session {

namespace {

/// Empty: there is none.
Result<std::string> secretOf(
    const std::optional<plan::PasswordSource>& source, std::vector<std::string>& secrets)
{
    if (!source)
        return std::string();
    auto secret = plan::readPassword(*source);
    if (secret && !secret->empty()) {
        secrets.push_back(*secret);
        keepOutOfCoreDumps();
    }
    return secret;
}

Result<std::unique_ptr<counters::LiveSource>> exporterSource(const plan::CounterSourceSpec& spec,
    const plan::OpenMetricsSource& exporter, std::vector<std::string>& secrets)
{
    auto password = secretOf(exporter.password, secrets);
    if (!password)
        return password.error();
    auto token = secretOf(exporter.token, secrets);
    if (!token)
        return token.error();
    return counters::makeOpenMetricsSource(spec, { *std::move(password), *std::move(token) });
}

} // namespace

std::vector<std::string> agreementsOf(const plan::PlanHead& plan)
{
    std::vector<std::string> texts;
    for (const plan::CounterSourceSpec& spec : plan.counters)
        if (std::string text = agreementText(spec);
            !text.empty() && std::find(texts.begin(), texts.end(), text) == texts.end())
            texts.push_back(std::move(text));
    return texts;
}

Result<void> checkAgreed(
    const plan::PlanHead& plan, const std::string& planName, const std::vector<std::string>& agreed)
{
    std::string open;
    for (const std::string& text : agreementsOf(plan))
        if (std::find(agreed.begin(), agreed.end(), text) == agreed.end())
            open += "\n" + text;
    if (open.empty())
        return {};
    return unusablePlan(fail(planName
        + ": its sources of counters do on this machine what needs your agreement; look at it, and add "
          "--allow-commands:"
        + open));
}

Result<run::NamedSource> makeSource(const plan::CounterSourceSpec& spec, std::vector<std::string>& secrets)
{
    auto made = [&]() -> Result<std::unique_ptr<counters::LiveSource>> {
        if (const auto* exporter = std::get_if<plan::OpenMetricsSource>(&spec.from))
            return exporterSource(spec, *exporter, secrets);
        if (std::holds_alternative<plan::CommandSource>(spec.from))
            return counters::makeCommandSource(spec);
        return counters::makeLinuxSource(spec);
    }();
    if (!made)
        return made.error().within("counters of " + spec.name);
    return run::NamedSource { spec, counters::makeTimely(*std::move(made), spec.timeLimit) };
}

Result<std::vector<run::NamedSource>> makeSources(
    const plan::PlanHead& plan, std::vector<std::string>& secrets)
{
    std::vector<run::NamedSource> sources;
    for (const plan::CounterSourceSpec& spec : plan.counters) {
        auto source = makeSource(spec, secrets);
        if (!source)
            return unusablePlan(source.error());
        sources.push_back(*std::move(source));
    }
    return sources;
}

std::vector<std::string> statedSourceSecretsOf(const plan::PlanHead& plan)
{
    std::vector<std::string> secrets;
    for (const plan::CounterSourceSpec& spec : plan.counters)
        if (const auto* exporter = std::get_if<plan::OpenMetricsSource>(&spec.from))
            for (const auto& source : { exporter->password, exporter->token })
                if (source && source->kind == plan::PasswordSource::Kind::literal && !source->text.empty())
                    secrets.push_back(source->text);
    if (!secrets.empty())
        keepOutOfCoreDumps();
    return secrets;
}

} // namespace loadstone::session

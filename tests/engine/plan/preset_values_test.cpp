// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/model/plan.h"
#include "support/catch.h"

#include <loadstone/document.h>
#include <loadstone/keys.h>
#include <loadstone/preset_value.h>

using namespace loadstone;

namespace {

constexpr const char* kPlan = R"(format = 1
kind = "storage"
[load]
threads = 8
[[groups]]
databases = ["/d"]
log = "/l"
database_size = "40 GB"
[[tests]]
kind = "performance"
)";

plan::StorageTest testOf(const Document& document)
{
    const plan::LoadedPlan loaded = plan::parsePlan(document.text(), "plan.toml");
    for (const Problem& problem : loaded.problems)
        UNSCOPED_INFO(problem.format("plan.toml"));
    REQUIRE(loaded.ok());
    plan::StorageTest test = loaded.plan.storage()->test;
    test.preset = plan::StoragePreset::none; // compared is what it brings
    for (plan::StorageTestStep& step : test.tests)
        step.line = 0; // the one text is longer
    return test;
}

} // namespace

TEST_CASE("a plan that states all values of a preset is the plan with the preset")
{
    for (const char* preset : { "exchange-2007", "exchange-2013" }) {
        INFO(preset);
        Document named { kPlan }, stated { kPlan };
        REQUIRE(named.setText("preset", preset));
        for (const KeyRow& row : keysOf(FileKind::plan))
            if (const auto value = presetValue(preset, row.path))
                REQUIRE(stated.setText(std::string(row.path), *value));
        CHECK(stated.problems().empty());
        CHECK(testOf(named) == testOf(stated));
    }
}

TEST_CASE("no preset and an unknown one have no values")
{
    CHECK_FALSE(presetValue("", "database.page_size"));
    CHECK_FALSE(presetValue("exchange-1995", "database.page_size"));
    CHECK_FALSE(presetValue("exchange-2013", "load.threads"));
    CHECK(presetValue("exchange-2013", "database.page_size") == "32 KB");
}

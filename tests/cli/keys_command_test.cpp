// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli.h"
#include "support/catch.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using loadstone::test::Cli;
using Json = nlohmann::json;

TEST_CASE("keys prints what a key may be, its default, when it applies and what it means", "[keys]")
{
    const Cli cli;
    const auto end = cli({ "keys", "plan", "workload.rate" });
    CHECK(end.exitCode == 0);
    CHECK_THAT(end.output, ContainsSubstring("workload.rate  rate up to 10000/s  needed"));
    CHECK_THAT(end.output, ContainsSubstring("where pacing is \"open\""));
    CHECK_THAT(end.output, ContainsSubstring("Iterations of one mailbox."));
    CHECK(cli({ "keys", "plan", "mixes[3].clients" }).output
        == cli({ "keys", "plan", "mixes.clients" }).output);
}

TEST_CASE("keys of each kind are printed as JSON and as Markdown", "[keys]")
{
    const Cli cli;
    for (const char* kind : { "plan", "profile", "lab", "study", "result" }) {
        const Json json = Json::parse(cli({ "keys", kind, "--json" }).output);
        INFO(kind);
        CHECK(json.size() > 30);
        CHECK(std::ranges::all_of(
            json, [](const Json& row) { return !row["help"].get<std::string>().empty(); }));
        CHECK_THAT(cli({ "keys", kind, "--markdown" }).output,
            ContainsSubstring("| key | value | default | meaning |"));
    }
    CHECK(cli({ "keys", "--json" }).output == cli({ "keys", "plan", "--json" }).output);
}

TEST_CASE("keys refuses a kind or a path that does not exist", "[keys]")
{
    const Cli cli;
    for (const auto& end : { cli({ "keys", "nothing" }), cli({ "keys", "plan", "nothing" }) }) {
        CHECK(end.exitCode == 2);
        CHECK_THAT(end.errors, ContainsSubstring("nothing"));
    }
}

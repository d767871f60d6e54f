// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/history/sample_run.h"
#include "support/catch.h"

#include <loadstone/history.h>
#include <loadstone/lab.h>
#include <loadstone/run_differences.h>

using namespace loadstone;
using namespace loadstone::test;

namespace {

const std::string kLab = R"(kind = "lab"
title = "Two boxes"

[[item]]
id = "srv"
kind = "machine"
name = "Mail server"
role = "system under test"
memory = "64 GB"

  [[item.changed]]
  name = "MaxThreads"
  default = "50"
  value = "100"

[[item]]
id = "srv.imap"
kind = "software"
in = "srv"
name = "Dovecot"
version = "2.3.19"

[[variant]]
id = "more"
title = "More memory"
  [[variant.set]]
  item = "srv"
  memory = "128 GB"
)";

std::string with(std::string text, const std::string& old, const std::string& fresh)
{
    const auto at = text.find(old);
    REQUIRE(at != std::string::npos);
    return text.replace(at, old.size(), fresh);
}

Recording runOf(const std::filesystem::path& file, const RunLab& lab, const std::string& plan = {})
{
    RunHeader header = sampleHeader();
    header.lab = lab;
    if (!plan.empty())
        header.planText = plan;
    auto writer = history::RecordingWriter::create(file, header, sampleSeries());
    REQUIRE(writer);
    REQUIRE(writer->append(sampleTick(0)));
    REQUIRE(writer->finish({}));
    return Recording::open(file).value();
}

} // namespace

TEST_CASE("a run keeps its lab as it was, and those that are attached later beside it", "[lab]")
{
    const TemporaryFolder folder;
    auto history = History::open(folder.path("history")).value();
    const RunId id = sampleHeader().id;
    const RunLab first { "lab.toml", "", kLab };
    CHECK(runOf(history.fileOf(id), first).lab().value() == first);
    const RunLab second { "lab.toml", "more", with(kLab, "64 GB", "96 GB") };
    REQUIRE(history.attachLab(id, second));
    const auto recording = history.openRun(id).value();
    CHECK(recording.header().lab == first);
    CHECK(recording.lab().value() == second);
    CHECK(recording.labs().value() == std::vector<RunLab> { first, second });

    const auto refused = history.attachLab(id, { "lab.toml", "less", kLab });
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message, ContainsSubstring("no variant \"less\""));
    CHECK_FALSE(history.attachLab(id, { "lab.toml", "", "kind = \"lab\"\n[[item]]\nid = 1\n" }));
    CHECK(history.openRun(id).value().labs().value().size() == 2);
}

TEST_CASE("a run without a lab has none until one is attached, and then says so", "[lab]")
{
    const TemporaryFolder folder;
    auto history = History::open(folder.path("history")).value();
    const RunId id = sampleHeader().id;
    CHECK(runOf(history.fileOf(id), {}).lab().value().empty());
    const RunLab later { "lab.toml", "", kLab };
    REQUIRE(history.attachLab(id, later));
    CHECK(history.openRun(id).value().lab().value() == later);
    CHECK(history.openRun(id).value().header().lab.empty());
}

TEST_CASE("one field, one tuning and one version that differ are all that is listed", "[lab]")
{
    const TemporaryFolder folder;
    const std::string other = with(
        with(with(kLab, "64 GB", "128 GB"), "value = \"100\"", "value = \"200\""), "2.3.19", "2.3.21");
    const auto before = runOf(folder.path("a"), { "a.toml", "", kLab });
    const auto after = runOf(folder.path("b"), { "b.toml", "", other });
    const auto found = runDifferences(before, after).value();
    REQUIRE(found.size() == 3);
    CHECK(found[0].group == RunDifference::Group::lab);
    CHECK(found[0].item == "srv");
    CHECK(found[0].key == "memory");
    CHECK(found[0].before == "64 GB");
    CHECK(found[0].after == "128 GB");
    CHECK(found[1].group == RunDifference::Group::tuning);
    CHECK(found[1].key == "MaxThreads");
    CHECK(found[1].before == "100");
    CHECK(found[1].after == "200");
    CHECK(found[2].group == RunDifference::Group::software);
    CHECK(found[2].item == "srv.imap");
    CHECK(found[2].key == "version");
    CHECK(found[2].after == "2.3.21");
    const auto tables = runDifferenceTables(found, "A", "B");
    REQUIRE(tables.size() == 3);
    CHECK(tables[0].rows.size() == 1);
    CHECK(runDifferences(before, before).value().empty());
}

TEST_CASE("a variant differs from its base in what it changes", "[lab]")
{
    const TemporaryFolder folder;
    const auto before = runOf(folder.path("a"), { "lab.toml", "", kLab });
    const auto after = runOf(folder.path("b"), { "lab.toml", "more", kLab });
    const auto found = runDifferences(before, after).value();
    REQUIRE(found.size() == 1);
    CHECK(found[0].key == "memory");
}

TEST_CASE("keys of plans differ by their value: spelling, comments, order and defaults do not count", "[lab]")
{
    const TemporaryFolder folder;
    const std::string plan = R"(format = 1
kind = "mail"
delivery_limit = "60 s"
[[mixes]]
name = "20 clients"
clients = 20
measurement = "60 s"
[[mixes]]
name = "40 clients"
clients = 40
measurement = "5 min"
)";
    const std::string same = R"(kind = "mail" # comment
format = 1
lab = "lab.toml"
[[mixes]]
measurement = "1 min"
clients = 20
name = "20 clients"
[[mixes]]
name = "40 clients"
measurement = "300 s"
clients = 40
)";
    const auto before = runOf(folder.path("a"), {}, plan);
    CHECK(runDifferences(before, runOf(folder.path("b"), {}, same)).value().empty());
    const std::string more
        = with(same, "[[mixes]]\nname = \"40", "[[mixes]]\nname = \"30 clients\"\nclients = 30\nramp_up = \"5 s\"\n[[mixes]]\nname = \"40");
    const auto found
        = runDifferences(before, runOf(folder.path("c"), {}, with(more, "clients = 40", "clients = 44"))).value();
    for (const RunDifference& one : found)
        UNSCOPED_INFO(one.item + ": " + one.before + " -> " + one.after);
    REQUIRE(found.size() == 4);
    CHECK(found[0].item == "mixes[30 clients].name");
    CHECK(found[1].item == "mixes[30 clients].clients");
    CHECK(found[2].item == "mixes[30 clients].ramp_up");
    CHECK(found[2].before.empty()); // and not the default of a mix that is not there
    CHECK(found[2].after == "5 s");
    CHECK(found[3].item == "mixes[40 clients].clients");
    CHECK(found[3].before == "40");
    CHECK(found[3].after == "44");
}

TEST_CASE("a lab that is no lab in a recording from elsewhere is one difference and no failure", "[lab]")
{
    const TemporaryFolder folder;
    const auto before = runOf(folder.path("a"), { "lab.toml", "", kLab });
    const auto after = runOf(folder.path("b"), { "lab.toml", "x", std::string(100'000, '[') });
    const auto found = runDifferences(before, after).value();
    REQUIRE(found.size() == 1);
    CHECK(found[0].label == "Lab");
}

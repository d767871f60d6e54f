// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// A history that several programs, and several parts of one, have open at once.
#include "engine/history/sample_run.h"
#include "support/catch.h"
#include "support/program.h"

#include <loadstone/history.h>

using namespace loadstone;
using namespace loadstone::test;
using namespace std::chrono_literals;

namespace {

ProgramEnd list(const std::filesystem::path& folder)
{
    return runProgram(
        { std::string(LOADSTONE_BIN_DIR) + "/loadstone", "list", "--history", folder.string() }, 60s);
}

void addRun(const History& history, const std::string& text)
{
    const RunId id = RunId::parse(text).value();
    writeSample(history.fileOf(id), 5, id);
}

} // namespace

TEST_CASE("a catalogue that a program made stays whole when another program opens and closes it", "[history]")
{
    const ScratchFolder scratch;
    const auto folder = scratch / "history";
    {
        auto first = History::open(folder).value(); // makes the catalogue
        CHECK(first.list().value().empty());
        const auto second = History::open(folder).value(); // as another page of the window does
        addRun(first, "20261121-140305-0001");
        CHECK(first.list().value().size() == 1);
        CHECK(list(folder).exitCode == 0);
        addRun(first, "20261122-140305-0002");
        CHECK(first.list().value().size() == 2);
        // The other program was not alone with the catalogue, so it has left its log.
        CHECK(std::filesystem::exists(folder / "catalogue.db-wal"));
    }
    const ProgramEnd end = list(folder);
    INFO(end.errors);
    CHECK(end.exitCode == 0);
    CHECK(end.output.find("20261121-140305-0001") != std::string::npos);
    CHECK(end.output.find("20261122-140305-0002") != std::string::npos);
}

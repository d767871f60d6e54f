// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/lab_keys.h"
#include "report/lab/cell_pattern.h"
#include "report/lab/report_fields.h"
#include "support/catch.h"

#include <loadstone/lab_tables.h>

#include <algorithm>

using namespace loadstone;
using namespace loadstone::report;

namespace {

constexpr const char* kLab = R"(kind = "lab"
title = "Small lab"

[[item]]
id = "srv"
kind = "machine"
name = "Mail server"
role = ["system under test"]
vendor = "Dell"
memory = "4 GB"
bios_date = 2000-04-09
not_disclosed = ["serial"]

[[item]]
id = "srv.cpu"
kind = "processor"
in = "srv"
count = 4
speed = "550 MHz"
model = "Xeon"
cores = 2
hyper_threading = true
cache_other = "none"

[[item]]
id = "array"
kind = "enclosure"
count = 3

[[item]]
id = "disk"
kind = "drive"
in = "array"
count = 14
size = "9.1 GB"
speed = "15000 rpm"
interface = "SAS"

[[item]]
id = "os"
kind = "os"
in = "srv"
product = "Linux"

  [[item.changed]]
  name = "threads"
  place = "a.conf"
  type = "file"
  value = "0x1e0"

  [[item.changed]]
  name = "/3GB"
  value = "set"

[[item]]
id = "lan"
kind = "network"
speed = "1 Gb/s"

[[link]]
from = "srv"
to = "lan"
count = 2
speed = "100 Mb/s"

[[variant]]
id = "big"
title = "More memory"

  [[variant.set]]
  item = "srv"
  memory = "8 GB"
)";

const LabIndex& index()
{
    static const Lab small = readLab(kLab, "small.toml").lab;
    static const LabIndex indexed(small);
    return indexed;
}

const Lab& lab()
{
    return index().lab();
}

std::string printed(const std::string& pattern)
{
    const auto parsed = parsePattern(pattern);
    if (!parsed)
        return "error: " + parsed.error().message;
    return printPattern(*parsed, { &index(), index().find("srv") }).cell.text();
}

LabTables tables(const std::string& description, const std::string& variant = {})
{
    return labTables(kLab + description, "small.toml", variant);
}

std::vector<std::string> told(const LabTables& printed)
{
    std::vector<std::string> lines;
    for (const Problem& problem : printed.problems)
        lines.push_back(problem.format("small.toml"));
    return lines;
}

} // namespace

TEST_CASE("a hole of a cell prints a value as its report does")
{
    const auto [pattern, cell] = GENERATE(table<std::string, std::string>({
        { "{srv.vendor} {.name}", "Dell Mail server" },
        { "{srv.memory}", "4 GB" },
        { "{srv.memory close}", "4GB" },
        { "{srv.memory in MB}M", "4096M" },
        { "{srv.bios_date us}", "4/9/2000" },
        { "{srv.cpu.count} {srv.cpu.speed} {srv.cpu.model}", "4 550 MHz Xeon" },
        { "{srv.cpu}", "4 x 550 MHz Xeon" },
        { "{srv.cpu.speed in GHz}", "0.55" },
        { "{srv.cpu.speed in KB}", "550 MHz" }, // no such unit of a clock: as written
        { "{srv.cpu.cores.sum word} cores, {srv.cpu.cores fold}-core", "eight cores, dual-core" },
        { "{srv.cpu.hyper_threading yesno}, {srv.cpu.hyper_threading enabled}", "Yes, enabled" },
        { "{disk.total Word} drives", "Forty-two drives" },
        { "{disk.size.sum in GB .1}", "382.2" },
        { "{disk.size.sum / disk.size.sum percent}%", "100%" },
        { "{disk.total + srv.cpu.total * 2}", "50" },
        { "{disk.speed in K}K, {disk.speed grouped}", "15K, 15,000" },
        { "{disk.interface spelled}", "Serial Attached SCSI" },
        { "{lan.speed bits Capital} Ethernet", "Gigabit Ethernet" },
        { "{srv->lan.count} x {srv->lan.speed close}", "2 x 100Mb/s" },
        { "{srv.cpu.cache_other|N/A}", "N/A" },
        { "{os.changed}", "threads = 0x1e0; /3GB = set" },
        { "{lan.changed|None}", "None" },
        { "{srv.serial}", "not disclosed" },
        { "{srv.model}", "not stated" },
        { "{srv.model|None}", "not stated" }, // unknown is not none
        { "a[ {srv.model}] b[ {srv.vendor}]", "a b Dell" },
        { "{{x}} [[y]]", "{x} [y]" },
        { "{lab.title}", "Small lab" },
    }));
    CAPTURE(pattern);
    CHECK(printed(pattern) == cell);
}

TEST_CASE("a cell that cannot be read says what would be right")
{
    CHECK(
        printed("{srv.model") == "error: a hole without its end; write } after it, or {{ for the character");
    CHECK(printed("{}") == "error: a hole without a name; write {srv.model}");
    CHECK_THAT(printed("{srv.memory wrong}"), ContainsSubstring("\"wrong\" is not a way to print a value"));
    CHECK_THAT(printed("[a"), ContainsSubstring("write ] after them"));
    CHECK_THAT(printed(std::string(5000, 'x')), ContainsSubstring("write at most 4096"));
}

TEST_CASE("a cell that is one count stays a number")
{
    const auto pattern = parsePattern("{disk.total grouped}");
    const PrintedCell cell = printPattern(*pattern, { &index() });
    REQUIRE(cell.cell.number());
    CHECK(cell.cell.number()->value == 42);
}

TEST_CASE("rows of a table come from lists, columns from variants")
{
    const LabTables printed = tables(R"(
[[table]]
title = "Servers"
columns = ["", "Base", "Big"]
variants = ["", "big"]
rows = [
    { label = "Memory", show = "{srv.memory}" },
    { label = "Parts", each = ["srv.below"], show = "{.kind}", join = ", " },
    { label = "Software", each = ["kind software"], show = "{.}", none = "None" },
    { label = "Disks", see = "Storage" },
]
[[table]]
title = "Tunings"
rows = [{ label = '{.place}\{.name}', rows_of = "os.changed file", show = "dword:{.value hex8}" }]
)");
    CHECK(told(printed) == std::vector<std::string>());
    REQUIRE(printed.tables.size() == 2);
    using Rows = std::vector<std::vector<Cell>>;
    CHECK(printed.tables[0].rows
        == Rows { { "Memory", "4 GB", "8 GB" }, { "Parts", "processor, os", "processor, os" },
            { "Software", "None", "None" },
            { "Disks", "Refer to Storage section", "Refer to Storage section" } });
    CHECK(printed.tables[1].rows == Rows { { "a.conf\\threads", "dword:000001e0" } });
}

TEST_CASE("what is wrong with a table is told with its line and what would be right")
{
    const LabTables printed = tables(R"(
[[table]]
title = "Wrong"
variant = "small"
colums = ["", "Value"]
rows = [
    { label = "A", show = "{srv.memroy}" },
    { label = "B", show = "{server.memory}" },
    { label = "C" },
    { label = "D", show = "{srv.memory" },
    { label = "E", each = ["nothing"], show = "{.}" },
]
)");
    const std::vector<std::string> lines = told(printed);
    REQUIRE(lines.size() == 7);
    CHECK_THAT(lines[0], ContainsSubstring("no variant \"small\""));
    CHECK_THAT(lines[1], ContainsSubstring("table[0].colums: is not a key of tables; write columns"));
    CHECK_THAT(lines[2], ContainsSubstring("table[0].rows[0]: the lab has no \"srv.memroy\""));
    CHECK_THAT(lines[3], ContainsSubstring("table[0].rows[1]: the lab has no \"server.memory\""));
    CHECK_THAT(
        lines[4], ContainsSubstring("table[0].rows[2]: has no cells; write one of show, cells and see"));
    CHECK_THAT(lines[5], ContainsSubstring("write } after it"));
    CHECK_THAT(lines[6], ContainsSubstring("the lab has no list \"nothing\""));
}

TEST_CASE("a lab without tables prints those of any lab")
{
    std::vector<std::string> titles;
    for (const ReportTable& table : tables("").tables) {
        titles.push_back(table.title);
        for (const auto& row : table.rows)
            CHECK(row.size() == table.columns.size());
    }
    CHECK(titles == std::vector<std::string> { "Machines", "Storage", "Network", "Software", "Tunings" });
    const ReportTable machines = tables("").tables.front();
    CHECK(machines.rows.front()[0] == "Mail server");
    CHECK(machines.rows.front()[4] == "4 x 550 MHz Xeon");
    CHECK_THAT(machines.rows.front()[8].text(), ContainsSubstring("Serial number: not disclosed"));
}

TEST_CASE("a variant prints as its base with the differences")
{
    const ReportTable table = labVariantTable(lab(), readLab(kLab, "small.toml", "big").lab);
    CHECK(table.title == "More memory: differences from Small lab");
    REQUIRE(table.rows.size() == 1);
    CHECK(table.rows[0] == std::vector<Cell> { "Mail server: memory", "4 GB", "8 GB" });
}

TEST_CASE("fields of a report name keys that the lab's table has")
{
    for (const LabReport report : { LabReport::storage, LabReport::mail, LabReport::virtualisation })
        for (const FieldRow& row : fieldRows(report)) {
            std::string_view keys = row.key;
            while (!keys.empty()) {
                const std::size_t bar = std::min(keys.find('|'), keys.size());
                CAPTURE(row.field, keys);
                CHECK((keys.substr(0, bar) == "count"
                    || document::labPropertyRow(toString(row.kind), keys.substr(0, bar)) != nullptr));
                keys.remove_prefix(std::min(bar + 1, keys.size()));
            }
        }
}

TEST_CASE("a field is filled when every item that it is about has the value")
{
    const auto state = [](const std::string& text, std::string_view name) {
        const auto fields = labFields(readLab(text, "small.toml").lab, LabReport::mail);
        return *std::ranges::find(fields, name, &LabField::field);
    };
    CHECK(state(kLab, "Memory").filled());
    CHECK(state(kLab, "Model").state == LabFieldState::empty);
    CHECK(state(kLab, "Model").item == "srv");
    CHECK(state(kLab, "Disk controllers").state == LabFieldState::noItem);
    CHECK(state(kLab, "Number of load generators").state == LabFieldState::noItem);
    std::string text = kLab;
    text.replace(text.find("[\"serial\"]"), 10, "[\"model\"]");
    CHECK(state(text, "Model").state == LabFieldState::notDisclosed);
    const std::string generator = std::string(kLab)
        + "\n[[item]]\nid = \"gen\"\nkind = \"machine\"\nrole = [\"generator\"]\nmemory = \"1 GB\"\n";
    CHECK(state(generator, "Number of load generators").filled());
    CHECK(state(generator, "Model").item == "srv"); // a generator's values are no server's
    CHECK_THAT(labFieldsText(lab(), LabReport::mail), ContainsSubstring("44 fields of the mail report"));
}

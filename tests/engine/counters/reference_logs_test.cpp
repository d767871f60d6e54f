// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Lines as the programs themselves write them: PerfMon and typeperf, esxtop in batch mode, sadf.
#include "log_file.h"

#include <cmath>

using namespace loadstone;
using namespace loadstone::counters;
using namespace loadstone::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

std::string utc(const LogSample& sample)
{
    return formatIso8601(WallTime(sample.at));
}

} // namespace

TEST_CASE("PerfMon: the hour that the end of daylight saving repeats", "[reference]")
{
    const WrittenLog file("\"(PDH-CSV 4.0) (GMT Standard Time)(-60)\",\"\\\\MACHINE-NAME\\% C2 Time\"\r\n"
                          "\"10/29/2017 01:59:29.562\",\" \"\r\n"
                          "\"10/29/2017 01:59:44.562\",\"88.359340674585567\"\r\n"
                          "\"10/29/2017 01:00:14.562\",\"89.834673388599242\"\r\n");
    const auto log = file.open();
    CHECK(log->head().zone == "GMT Standard Time");
    CHECK(log->head().columns.at(0) == ForeignCounter { "MACHINE-NAME", "", "", "% C2 Time" });
    const auto samples = allSamples(*log);
    REQUIRE(samples.size() == 3);
    CHECK(std::isnan(samples[0].values[0])); // the first sample of a rate is blank, and not 0
    CHECK(utc(samples[1]) == "2017-10-29T00:59:44.562Z");
    CHECK(samples[1].values[0] == 88.359340674585567);
    CHECK(utc(samples[2]) == "2017-10-29T01:00:14.562Z");
    CHECK(samples[2].values[0] == 89.834673388599242);
}

TEST_CASE("PerfMon: zones east and west, instances with numbers and commas, and names of other languages",
    "[reference]")
{
    for (const auto& [zone, noon] : { std::pair { "(Central Daylight Time)(300)", "17:00:00" },
             std::pair { "(W. Europe Standard Time)(-60)", "11:00:00" },
             std::pair { "(SE Asia Standard Time)(-420)", "05:00:00" } }) {
        const WrittenLog file("\"(PDH-CSV 4.0) " + std::string(zone)
            + "\",\"\\\\EX1\\Process(svchost#2)\\Thread Count\",\"\\\\EX1\\Processor "
              "Information(0,_Total)\\% Idle Time\"\r\n"
              "\"05/15/2017 12:00:00.000\",\"12\",\"34.5\"\r\n");
        const auto log = file.open();
        CHECK(log->head().columns[0].instance == "svchost#2");
        CHECK(log->head().columns[1].instance == "0,_Total");
        CHECK_THAT(utc(allSamples(*log).at(0)), Contains(noon));
    }
    // A computer in another language names its counters in it: they stay as they are, and are foreign.
    const WrittenLog german("\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\EX1\\Prozessor(_Total)\\Prozessorzeit (%)\","
                            "\"\\\\EX1\\Процессор(_Total)\\% загруженности процессора\"\r\n\"05/15/2017 "
                            "12:00:00.000\",\"12,5\",\"3\"\r\n");
    const auto log = german.open();
    CHECK(log->head().columns[0] == ForeignCounter { "EX1", "Prozessor", "_Total", "Prozessorzeit (%)" });
    CHECK(log->head().columns[1].counter == "% загруженности процессора");
    CHECK(allSamples(*log).at(0).values == std::vector<double> { 12.5, 3 });
}

TEST_CASE("typeperf: no zone, an empty line before and words behind", "[reference]")
{
    const WrittenLog file(
        "\r\n\"(PDH-CSV 4.0)\",\"\\\\EX1\\Memory\\Available MBytes\"\r\n\"05/15/2017 "
        "06:49:37.123\",\"812.000000\"\r\n"
        "\r\nExiting, please wait...                         \r\nThe command completed successfully.\r\n");
    const auto log = file.open();
    CHECK_FALSE(log->head().bias);
    CHECK(allSamples(*log).at(0).values.at(0) == 812);
    CHECK(log->notes().empty());
}

TEST_CASE("esxtop: names with brackets and commas, times without fractions", "[reference]")
{
    const WrittenLog file(
        "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\SYDTAVM1\\Memory\\Memory Overcommit (1 Minute Avg)\","
        "\"\\\\SYDTAVM1\\Physical Cpu(_Total)\\% Processor Time\",\"\\\\SYDTAVM1\\Physical Cpu(_Total)\\% "
        "Util Time\","
        "\"\\\\SYDTAVM1\\Physical Cpu(_Total)\\% Core Util Time\",\"\\\\SYDTAVM1\\Physical Cpu Load\\Cpu "
        "Load (1 Minute Avg)\","
        "\"\\\\SYDTAVM1\\Group Cpu(1234:vm, two)\\% Used\",\"\\\\SYDTAVM1\\Group Memory(1:system)\\Memory "
        "Size MBytes\","
        "\"\\\\SYDTAVM1\\Virtual Disk(vm:scsi0:0)\\Commands/sec\",\"\\\\SYDTAVM1\\Network "
        "Port(vSwitch0:1:vmnic0)\\Packets Received/sec\"\n"
        "\"05/15/2017 06:49:37\",\"0.00\",\"1.25\",\"2\",\"3\",\"4\",\"5\",\"6\",\"7\",\"8\"\n");
    const auto log = file.open();
    const auto& columns = log->head().columns;
    REQUIRE(columns.size() == 9);
    CHECK(columns[0] == ForeignCounter { "SYDTAVM1", "Memory", "", "Memory Overcommit (1 Minute Avg)" });
    CHECK(columns[4] == ForeignCounter { "SYDTAVM1", "Physical Cpu Load", "", "Cpu Load (1 Minute Avg)" });
    CHECK(columns[5] == ForeignCounter { "SYDTAVM1", "Group Cpu", "1234:vm, two", "% Used" });
    CHECK(columns[7].instance == "vm:scsi0:0");
    CHECK(columns[8].instance == "vSwitch0:1:vmnic0");
    const auto samples = allSamples(*log);
    CHECK(utc(samples.at(0)) == "2017-05-15T06:49:37.000Z");
    CHECK(samples[0].values == std::vector<double> { 0, 1.25, 2, 3, 4, 5, 6, 7, 8 });
}

TEST_CASE("sadf -d: a heading for each activity, all processors as -1, restarts, and times in seconds",
    "[reference]")
{
    const WrittenLog file("# hostname;interval;timestamp;CPU;%user;%nice;%system;%iowait;%steal;%idle\n"
                          "SYSSTAT.TEST;31;2019-04-18 13:20:19 UTC;-1;2.15;12.50;2.36;0.12;0.00;82.88\n"
                          "# hostname;interval;timestamp;proc/s;cswch/s\nSYSSTAT.TEST;31;2019-04-18 13:20:19 "
                          "UTC;3.56;68409.30\n"
                          "# hostname;interval;timestamp;runq-sz;plist-sz;ldavg-1;ldavg-5;ldavg-15;blocked\n"
                          "SYSSTAT.TEST;-1;2019-04-18 13:37:29 UTC;LINUX-RESTART\t(9 CPU)\n"
                          "SYSSTAT.TEST;31;2019-04-18 13:54:35 UTC;3;956;3.16;3.24;3.43;0\n");
    const auto log = file.open();
    CHECK(log->head().bias == 0s);
    REQUIRE(log->head().columns.size() == 14);
    CHECK(log->head().columns[0] == ForeignCounter { "SYSSTAT.TEST", "sar", "all", "%user" });
    CHECK(log->head().columns[7].counter == "cswch/s");
    const auto samples = allSamples(*log);
    REQUIRE(samples.size() == 2);
    CHECK(utc(samples[0]) == "2019-04-18T13:20:19.000Z");
    CHECK(samples[0].values[5] == 82.88);
    CHECK(samples[0].values[7] == 68409.30);
    CHECK(samples[1].values[9] == 956);
    CHECK(log->notes().empty());

    const WrittenLog epoch(
        "# hostname;interval;timestamp;CPU;%user\nEX2;31;1555593619;-1;2.15\nEX2;31;1555593650;-1;3\n");
    const auto seconds = epoch.open();
    CHECK(seconds->head().bias == 0s);
    CHECK(utc(allSamples(*seconds).at(0)) == "2019-04-18T13:20:19.000Z");
}

TEST_CASE("sadf -j: the numbers of each activity", "[reference]")
{
    const WrittenLog file(R"({"sysstat": {"hosts": [{"nodename": "SYSSTAT.TEST", "statistics": [
        {"timestamp": {"date": "2019-04-18", "time": "13:20:19", "tz": "UTC", "interval": 31},
         "cpu-load": [{"cpu": "all", "usr": 2.15, "idle": 82.88}],
         "process-and-context-switch": {"proc": 3.56, "cswch": 68409.30}}]}]}})");
    const auto log = file.open();
    REQUIRE(log->head().columns.size() == 4);
    const auto samples = allSamples(*log);
    REQUIRE(samples.size() == 1);
    double sum = 0;
    for (const double value : samples[0].values)
        sum += value;
    CHECK(sum == Approx(2.15 + 82.88 + 3.56 + 68409.30));
}

TEST_CASE(
    "sadf in local time goes on over the hours that daylight saving repeats and leaves out", "[reference]")
{
    const std::string heading = "# hostname;interval;timestamp;CPU;%user\n";
    const auto line = [](const std::string& time, int cpu, int value) {
        return "EX2;300;" + time + ";" + std::to_string(cpu) + ";" + std::to_string(value) + "\n";
    };
    // Two processors a time; a second activity begins at the first time again.
    const std::string times[] = { "2019-10-27 02:50:00 CEST", "2019-10-27 02:55:00 CEST",
        "2019-10-27 02:00:00 CET", "2019-10-27 02:05:00 CET" };
    std::string text = heading;
    for (int i = 0; i < 4; ++i)
        text += line(times[i], 0, i) + line(times[i], 1, 10 + i);
    text += "# hostname;interval;timestamp;runq-sz\n";
    for (int i = 0; i < 4; ++i)
        text += "EX2;300;" + times[i] + ";" + std::to_string(20 + i) + "\n";
    const WrittenLog autumn(text);
    auto log = autumn.open();
    CHECK(log->head().zone == "CEST");
    CHECK_FALSE(log->head().bias);
    auto samples = allSamples(*log);
    REQUIRE(samples.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(samples[i].at - samples[0].at == static_cast<std::int64_t>(i) * 5min);
        CHECK(samples[i].values == std::vector<double> { 0.0 + i, 10.0 + i, 20.0 + i });
    }
    REQUIRE(log->notes().size() == 2); // one for each activity
    CHECK_THAT(log->notes()[0], Contains("line 6") && Contains("daylight saving"));

    const WrittenLog spring(heading + line("2019-03-31 01:50:00", 0, 1) + line("2019-03-31 01:55:00", 0, 2)
        + line("2019-03-31 03:00:00", 0, 3));
    log = spring.open();
    samples = allSamples(*log);
    REQUIRE(samples.size() == 3);
    CHECK(samples[2].at - samples[1].at == 5min);

    const auto stamp = [](const std::string& time, const std::string& zone, int value) {
        return R"({"timestamp": {"date": "2019-10-27", "time": ")" + time + R"(", "tz": ")" + zone
            + R"("}, "queue": {"runq-sz": )" + std::to_string(value) + "}}";
    };
    const WrittenLog json(R"({"sysstat": {"hosts": [{"nodename": "EX2", "statistics": [)"
        + stamp("02:50:00", "CEST", 1) + "," + stamp("02:55:00", "CEST", 2) + ","
        + stamp("02:00:00", "CET", 3) + "]}]}}");
    log = json.open();
    samples = allSamples(*log);
    REQUIRE(samples.size() == 3);
    CHECK(samples[2].at - samples[1].at == 5min);
    CHECK(samples[2].values[0] == 3);
}

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/log/counter_log.h"
#include "counters/log/local_time.h"
#include "support/catch.h"
#include "support/program.h"

#include <cmath>
#include <fstream>

using namespace loadstone;
using namespace loadstone::counters;
using namespace loadstone::test;
using namespace std::chrono_literals;
using Catch::Matchers::Contains;

namespace {

class LogFile {
public:
    explicit LogFile(const std::string& text) { std::ofstream(path(), std::ios::binary) << text; }
    [[nodiscard]] std::filesystem::path path() const { return m_folder / "log.csv"; }
    [[nodiscard]] std::unique_ptr<CounterLog> open() const
    {
        auto log = openCounterLog(path());
        INFO((log ? std::string() : log.error().message));
        REQUIRE(log);
        return *std::move(log);
    }

private:
    ScratchFolder m_folder;
};

std::vector<LogSample> samplesOf(CounterLog& log)
{
    std::vector<LogSample> samples;
    for (;;) {
        LogSample sample;
        const auto more = log.next(sample);
        REQUIRE(more);
        if (!*more)
            return samples;
        samples.push_back(std::move(sample));
    }
}

std::string timeOf(const LogSample& sample)
{
    return formatIso8601(WallTime(sample.at));
}

} // namespace

TEST_CASE("a log of PerfMon has its time in UTC by the bias of its first line", "[log]")
{
    const LogFile file("\"(PDH-CSV 4.0) (GMT Standard Time)(-60)\",\"\\\\EX1\\% C2 Time\","
                       "\"\\\\EX1\\Processor Information(0,_Total)\\% Processor Time\"\r\n"
                       "\"10/28/2017 01:59:44.562\",\" \",\"12.5\"\r\n"
                       "\"10/28/2017 01:59:59.562\",\"88.359340674585567\",\"13\"\r\n");
    const auto log = file.open();
    CHECK(log->head().format == "PDH-CSV 4.0");
    CHECK(log->head().zone == "GMT Standard Time");
    CHECK(log->head().bias == -60min);
    REQUIRE(log->head().columns.size() == 2);
    CHECK(log->head().columns[1]
        == ForeignCounter { "EX1", "Processor Information", "0,_Total", "% Processor Time" });
    const auto samples = samplesOf(*log);
    REQUIRE(samples.size() == 2);
    CHECK(timeOf(samples[0]) == "2017-10-28T00:59:44.562Z");
    CHECK(std::isnan(samples[0].values[0])); // the first value of a rate
    CHECK(samples[0].values[1] == 12.5);
    CHECK(samples[1].values[0] == 88.359340674585567);
    CHECK(log->notes().empty());
    CHECK(log->share() == 1);
}

TEST_CASE("the hours that daylight saving repeats and leaves out are repaired, and said", "[log]")
{
    const LogFile autumn("\"(PDH-CSV 4.0) (GMT Standard Time)(-60)\",\"\\\\EX1\\Memory\\Available MBytes\"\n"
                         "\"10/29/2017 01:59:29.562\",\"1\"\n\"10/29/2017 01:59:44.562\",\"2\"\n"
                         "\"10/29/2017 01:00:14.562\",\"3\"\n\"10/29/2017 01:00:29.562\",\"4\"\n");
    auto log = autumn.open();
    auto samples = samplesOf(*log);
    REQUIRE(samples.size() == 4);
    CHECK(timeOf(samples[2]) == "2017-10-29T01:00:14.562Z"); // a sample is missing between
    CHECK(samples[3].at - samples[2].at == 15s);
    REQUIRE(log->notes().size() == 1);
    CHECK_THAT(log->notes()[0], Contains("line 4") && Contains("daylight saving ends"));

    const LogFile spring("\"(PDH-CSV 4.0) (GMT Standard Time)(0)\",\"\\\\EX1\\Memory\\Available MBytes\"\n"
                         "\"03/26/2017 00:59:30\",\"1\"\n\"03/26/2017 00:59:45\",\"2\"\n"
                         "\"03/26/2017 02:00:00\",\"3\"\n\"03/26/2017 02:00:15\",\"4\"\n");
    log = spring.open();
    samples = samplesOf(*log);
    REQUIRE(samples.size() == 4);
    CHECK(timeOf(samples[2]) == "2017-03-26T01:00:00.000Z");
    CHECK_THAT(log->notes().at(0), Contains("line 4") && Contains("daylight saving begins"));

    // An hour without samples on a Wednesday is a gap.
    const LogFile gap(
        "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\EX1\\Memory\\Available MBytes\"\n"
        "\"03/22/2017 00:59:30\",\"1\"\n\"03/22/2017 00:59:45\",\"2\"\n\"03/22/2017 02:00:00\",\"3\"\n");
    log = gap.open();
    samples = samplesOf(*log);
    CHECK(timeOf(samples.at(2)) == "2017-03-22T02:00:00.000Z");
    CHECK(log->notes().empty());
}

TEST_CASE("what is not a number is missing, and said", "[log]")
{
    const LogFile file(
        "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\EX1\\Memory\\Available MBytes\",\"\\\\EX1\\Memory\\Pages/sec\"\n"
        "\"03/22/2017 12:00:00\",\" \",\"1\"\n\"03/22/2017 12:00:15\",\"2\",\"1e999\"\n"
        "\"03/22/2017 12:00:30\",\"abc\",\"nan\"\n");
    const auto log = file.open();
    const auto samples = samplesOf(*log);
    REQUIRE(samples.size() == 3);
    CHECK(std::isnan(samples[1].values[1]));
    REQUIRE(log->notes().size() == 2); // a blank one is what PerfMon writes for a missing one
    CHECK_THAT(log->notes()[0], Contains("line 3: \"1e999\" of Pages/sec is not a number"));
    CHECK_THAT(log->notes()[1], Contains("line 4: \"abc\" of Available MBytes is not a number"));
}

TEST_CASE("a clock that was set back has rows without a place in time, which are left out", "[log]")
{
    const LogFile file(
        "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\EX1\\Memory\\Available MBytes\"\n"
        "\"03/22/2017 12:00:00\",\"1\"\n\"03/22/2017 12:00:15\",\"2\"\n\"03/22/2017 11:30:00\",\"3\"\n"
        "\"03/22/2017 12:00:30\",\"4\"\n");
    const auto log = file.open();
    const auto samples = samplesOf(*log);
    REQUIRE(samples.size() == 3);
    CHECK(samples[2].values[0] == 4);
    CHECK_THAT(log->notes().at(0), Contains("line 4") && Contains("not after"));
}

TEST_CASE("what typeperf prints is read: no zone, an empty first line, words at the end", "[log]")
{
    const LogFile file(
        "\r\n\"(PDH-CSV 4.0)\",\"\\\\EX1\\System\\Processor Queue Length\"\r\n"
        "\"11/23/2026 10:00:00.001\",\"2.000000\"\r\n\"11/23/2026 10:00:01.002\",\"3.000000\"\r\n"
        "Exiting, please wait...\r\nThe command completed successfully.\r\n");
    const auto log = file.open();
    CHECK_FALSE(log->head().bias);
    CHECK(log->head().zone.empty());
    CHECK(samplesOf(*log).size() == 2);
    CHECK(log->notes().empty());
}

TEST_CASE(
    "typeperf's -1 is a missing value; a number of -1, and the -1 of other programs, are values", "[log]")
{
    const LogFile typeperf(
        "\"(PDH-CSV 4.0)\",\"\\\\EX1\\Processor(_Total)\\% Processor Time\"\r\n"
        "\"11/23/2026 10:00:00.001\",\"-1\"\r\n\"11/23/2026 10:00:01.002\",\"3.000000\"\r\n"
        "\"11/23/2026 10:00:02.003\",\"-1.000000\"\r\n");
    const auto samples = samplesOf(*typeperf.open());
    REQUIRE(samples.size() == 3);
    CHECK(std::isnan(samples[0].values[0]));
    CHECK(samples[1].values[0] == 3);
    CHECK(samples[2].values[0] == -1);
    const LogFile other("\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\EX1\\User\\Balance\"\n"
                        "\"11/23/2026 10:00:00.001\",\"-1\"\n");
    CHECK(samplesOf(*other.open()).at(0).values[0] == -1);
}

TEST_CASE("a log of esxtop has times without fractions, and names with brackets and commas", "[log]")
{
    const LogFile file(
        "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\SYDTAVM1\\Memory\\Memory Overcommit (1 Minute Avg)\","
        "\"\\\\SYDTAVM1\\Group Cpu(1:idle)\\Members\"\n\"05/15/2017 06:49:37\",\"0.00\",\"8\"\n");
    const auto log = file.open();
    CHECK(log->head().columns[0]
        == ForeignCounter { "SYDTAVM1", "Memory", "", "Memory Overcommit (1 Minute Avg)" });
    CHECK(log->head().columns[1] == ForeignCounter { "SYDTAVM1", "Group Cpu", "1:idle", "Members" });
    CHECK(timeOf(samplesOf(*log).at(0)) == "2017-05-15T06:49:37.000Z");
}

TEST_CASE("only the selected columns are read", "[log]")
{
    const LogFile file("\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\A\\M\\a\",\"\\\\A\\M\\b\",\"\\\\A\\M\\c\"\n"
                       "\"05/15/2017 06:49:37\",\"1\",\"2\",\"3\"\n\"05/15/2017 06:49:38\",\"4\",\"5\"\n");
    const auto log = file.open();
    const std::vector<std::size_t> columns { 1, 2 };
    log->select(columns);
    const auto samples = samplesOf(*log);
    REQUIRE(samples.size() == 2);
    CHECK(samples[0].values == std::vector<double> { 2, 3 });
    CHECK(samples[1].values[0] == 5);
    CHECK(std::isnan(samples[1].values[1]));
    CHECK_THAT(log->notes().at(0), Contains("line 3") && Contains("2 values of 3"));
}

TEST_CASE("tabs, commas of other languages, and names in Windows-1252 are read", "[log]")
{
    const LogFile file(
        "\"(PDH-TSV 4.0) (W. Europe Standard Time)(-60)\"\t\"\\\\EX1\\Arbeitsspeicher\\Verf\xFCgbare MB\"\n"
        "\"05/15/2017 06:49:37.000\"\t\"12,5\"\n");
    const auto log = file.open();
    CHECK(log->head().format == "PDH-TSV 4.0");
    CHECK(log->head().columns[0].counter == "Verf\xC3\xBCgbare MB");
    CHECK(samplesOf(*log).at(0).values.at(0) == 12.5);
}

TEST_CASE(
    "rows that cannot be read are left out, each with its line and reason; bad values are missing", "[log]")
{
    std::string text = "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\A\\M\\a\"\n";
    for (int i = 0; i < 30; ++i)
        text += "\"18:41.5\",\"1\"\n";
    text += "\"05/15/2017 06:49:37\",\"-1.#IND\"\n\"02/30/2017 06:49:37\",\"1\"\n\"05/15/2017 "
            "06:49:38\",\"1e999\"\n\"05/15/2017 06:49:39\",\"7";
    const LogFile file(text);
    const auto log = file.open();
    const auto samples = samplesOf(*log);
    REQUIRE(samples.size() == 2);
    CHECK(std::isnan(samples[0].values[0]));
    CHECK(std::isnan(samples[1].values[0]));
    REQUIRE(log->notes().size() == 21);
    CHECK_THAT(log->notes()[0], Contains("line 2") && Contains("18:41.5") && Contains("spreadsheet"));
    CHECK_THAT(log->notes()[20], Contains("13 more lines"));
}

TEST_CASE("a file that is no such log is refused with its line and what is expected", "[log]")
{
    const auto refusal = [](const std::string& text) {
        const LogFile file(text);
        const auto log = openCounterLog(file.path());
        REQUIRE_FALSE(log);
        CHECK_THAT(log.error().message, Contains("log.csv"));
        return log.error().message;
    };
    CHECK_THAT(refusal(""), Contains("is empty"));
    CHECK_THAT(refusal("\n\n"), Contains("is empty"));
    CHECK_THAT(refusal("time,value\n1,2\n"), Contains("line 1") && Contains("PDH-CSV"));
    CHECK_THAT(refusal("\"(PDH-CSV 4.0) (UTC)(x)\",\"\\\\A\\M\\a\"\n"), Contains("bias"));
    CHECK_THAT(refusal("\"(PDH-CSV 4.0) UTC\",\"\\\\A\\M\\a\"\n"), Contains("zone"));
    CHECK_THAT(refusal("\"(PDH-CSV 4.0) (UTC)(0)\"\n"), Contains("no counter"));
    CHECK_THAT(refusal("\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\A\\M\n"), Contains("no end"));
    CHECK_THAT(refusal("\xFF\xFE\"\0("), Contains("UTF-16"));
    const ScratchFolder folder;
    CHECK_FALSE(openCounterLog(folder.path()));
    CHECK_FALSE(openCounterLog(folder / "none.csv"));
}

TEST_CASE("times of PerfMon are read, and no others", "[log]")
{
    CHECK(parsePdhTime("01/01/1970 00:00:01.5") == Nanoseconds(1500ms));
    CHECK(parsePdhTime("02/29/2024 23:59:59.999999999"));
    for (const char* bad : { "", "02/29/2023 00:00:00", "13/01/2024 00:00:00", "01/01/2024",
             "01/01/2024 24:00:00", "01/01/2024 00:00:00.", "01/01/2024 00:00:00.1234567890",
             "1/1/24x 00:00:00", "-1/01/2024 00:00:00", "01/01/9999 00:00:00", "2024-01-01 00:00:00" }) {
        INFO(bad);
        CHECK_FALSE(parsePdhTime(bad));
    }
}

TEST_CASE("logs of sar are read: a line for each time and subject, and as JSON", "[log]")
{
    const LogFile text("# hostname;interval;timestamp;CPU;%user;%idle\n"
                       "EX2;31;2019-04-18 13:20:19 UTC;-1;2.15;82.88\nEX2;31;2019-04-18 13:20:19 UTC;0;4;80\n"
                       "EX2;-1;2019-04-18 13:37:29 UTC;LINUX-RESTART\t(9 CPU)\n"
                       "EX2;31;2019-04-18 13:20:50 UTC;-1;3;81\nEX2;31;noon;-1;3;81\nEX2;31\n"
                       "# hostname;interval;timestamp;runq-sz;blocked\nEX2;31;2019-04-18 13:20:19 UTC;3;0\n");
    auto log = text.open();
    CHECK(log->head().bias == 0s);
    REQUIRE(log->head().columns.size() == 6);
    CHECK(log->head().columns[0] == ForeignCounter { "EX2", "sar", "all", "%user" });
    CHECK(log->head().columns[2] == ForeignCounter { "EX2", "sar", "0", "%user" });
    CHECK(log->head().columns[4] == ForeignCounter { "EX2", "sar", "", "runq-sz" });
    auto samples = samplesOf(*log);
    REQUIRE(samples.size() == 2);
    CHECK(timeOf(samples[0]) == "2019-04-18T13:20:19.000Z");
    CHECK(samples[0].values == std::vector<double> { 2.15, 82.88, 4, 80, 3, 0 });
    CHECK(samples[1].values[0] == 3);
    CHECK(std::isnan(samples[1].values[2]));
    REQUIRE(log->notes().size() == 2);
    CHECK_THAT(log->notes()[0], Contains("line 6") && Contains("noon"));

    const LogFile json(R"({"sysstat": {"hosts": [{"nodename": "EX2", "statistics": [
        {"timestamp": {"date": "2026-11-23", "time": "10:47:42", "utc": 1, "interval": 1},
         "cpu-load": [{"cpu": "all", "user": 86.14}], "network": {"net-dev": [{"iface": "eth0", "rxkB": 5}]}}]}]}})");
    log = json.open();
    REQUIRE(log->head().columns.size() == 2);
    CHECK(log->head().columns[0] == ForeignCounter { "EX2", "sar cpu-load", "all", "user" });
    CHECK(log->head().columns[1] == ForeignCounter { "EX2", "sar net-dev", "eth0", "rxkB" });
    samples = samplesOf(*log);
    REQUIRE(samples.size() == 1);
    CHECK(samples[0].values == std::vector<double> { 86.14, 5 });
    CHECK_FALSE(openCounterLog(LogFile("{\"a\": 1}").path()));
}

TEST_CASE("what vmstat, iostat and pmrep print is read without the averages since the boot", "[log]")
{
    const LogFile vmstat(
        "procs -----------memory---------- -----timestamp-----\n r  b   free  us                 CET\n"
        " 5  0   16653  75 2026-11-23 10:47:38\n 4  0   16654  91 2026-11-23 10:47:39\n");
    auto log = vmstat.open();
    CHECK(log->head().zone == "CET");
    CHECK_FALSE(log->head().bias);
    auto samples = samplesOf(*log);
    REQUIRE(samples.size() == 1);
    CHECK(samples[0].values == std::vector<double> { 4, 0, 16654, 91 });

    const std::string report = "avg-cpu:  %user   %idle\n          {}   11.15\n\nDevice            r/s  "
                               "%util\nvda   49.65   1.65\n\n";
    const LogFile iostat("Linux 6.1.0 (ex2) \t11/23/26 \t_x86_64_\t(2 CPU)\n\n11/23/26 10:47:39 PM\n" + report
        + "11/23/26 10:47:40 PM\navg-cpu:  %user   %idle\n          83.42    16.58\n\nDevice            r/s  "
          "%util\nvda    0.5   1\n");
    log = iostat.open();
    REQUIRE(log->head().columns.size() == 4);
    CHECK(log->head().columns[3] == ForeignCounter { "ex2", "iostat", "vda", "%util" });
    samples = samplesOf(*log);
    REQUIRE(samples.size() == 1);
    CHECK(timeOf(samples[0]) == "2026-11-23T22:47:40.000Z");
    CHECK(samples[0].values == std::vector<double> { 83.42, 16.58, 0.5, 1 });

    const LogFile zoned("Linux 6.1.0 (ex2) \t2026-11-23 \t_x86_64_\t(2 "
                        "CPU)\n\n2026-11-23T10:47:39+0100\nDevice r/s\nvda 1\n\n"
                        "2026-11-23T10:47:40+0100\nDevice r/s\nvda 2\n");
    log = zoned.open();
    CHECK(log->head().bias == 0s);
    CHECK(timeOf(samplesOf(*log).at(0)) == "2026-11-23T09:47:40.000Z");

    const LogFile pmrep("Time,\"kernel.all.load-1 minute\",mem.freemem\n2026-11-23 "
                        "10:47:42,0.1,123\n2026-11-23 10:47:43,0.2,\n");
    log = pmrep.open();
    samples = samplesOf(*log);
    REQUIRE(samples.size() == 2);
    CHECK(samples[0].values == std::vector<double> { 0.1, 123 });
    CHECK(std::isnan(samples[1].values[1]));
    CHECK_FALSE(
        openCounterLog(LogFile("Linux 6.1.0 (ex2) 11/23/26 _x86_64_ (2 CPU)\n\nDevice r/s\nvda 1\n").path()));
}

TEST_CASE("a clock is repaired only where daylight saving may change, and by rows that show it", "[log]")
{
    using Step = LocalClock::Step;
    Nanoseconds at {};
    const auto sunday = parsePdhTime("10/29/2017 01:59:30").value();
    LocalClock twice; // the same time twice tells nothing
    CHECK(twice(sunday, at) == Step::forward);
    CHECK(twice(sunday, at) == Step::back);
    LocalClock coarse; // an hour is one row
    for (int i = 0; i < 3; ++i)
        CHECK(coarse(sunday + i * 1h, at) == Step::forward);
    CHECK(coarse(sunday + 4h + 20ms, at) == Step::forward);
    LocalClock utc(false);
    CHECK(utc(sunday, at) == Step::forward);
    CHECK(utc(sunday + 15s, at) == Step::forward);
    CHECK(utc(sunday + 1h + 30s, at) == Step::forward);
    CHECK(at == sunday + 1h + 30s);
    LocalClock odd; // one short interval
    CHECK(odd(sunday, at) == Step::forward);
    CHECK(odd(sunday + 300ms, at) == Step::forward);
    CHECK(odd(sunday + 15s, at) == Step::forward);
    CHECK(odd(sunday + 30s - 1h, at) == Step::repeatedHour);
    CHECK(at == sunday + 30s);
    LocalClock weekday;
    const auto wednesday = parsePdhTime("11/01/2017 12:00:00").value();
    CHECK(weekday(wednesday, at) == Step::forward);
    CHECK(weekday(wednesday + 5min, at) == Step::forward);
    CHECK(weekday(wednesday - 45min, at) == Step::back);
}

TEST_CASE("values never land in another column: rows with too many, and subjects that are numbers", "[log]")
{
    const LogFile commas(
        "\"(PDH-CSV 4.0) (UTC)(0)\",\"\\\\A\\M\\a\",\"\\\\A\\M\\b\"\n05/15/2017 06:49:37,12,5,3,1\n"
        "05/15/2017 06:49:38,1,2\n05/15/2017 06:49:39,1,2");
    auto log = commas.open();
    auto samples = samplesOf(*log);
    REQUIRE(samples.size() == 1);
    CHECK(samples[0].values == std::vector<double> { 1, 2 });
    REQUIRE(log->notes().size() == 2);
    CHECK_THAT(log->notes()[0], Contains("line 2") && Contains("4 values"));
    CHECK_THAT(log->notes()[1], Contains("line 4") && Contains("cut short"));

    const LogFile fans(
        "# hostname;interval;timestamp;FAN;DEVICE;rpm;drpm\nEX2;31;2019-04-18 13:20:19 UTC;1;chip;900;0\n"
        "EX2;31;2019-04-18 13:20:19 UTC;2;chip;1200;0\nEX2;31;2019-04-18 13:20:50 UTC;2;chip;12");
    log = fans.open();
    REQUIRE(log->head().columns.size() == 4);
    CHECK(log->head().columns[2] == ForeignCounter { "EX2", "sar", "2 chip", "rpm" });
    samples = samplesOf(*log);
    REQUIRE(samples.size() == 1);
    CHECK(samples[0].values == std::vector<double> { 900, 0, 1200, 0 });

    const LogFile json(R"({"sysstat": {"hosts": [{"nodename": "EX2", "statistics": [
        {"timestamp": {"date": "2026-11-23", "time": "10:47:42", "utc": 1},
         "fan-speed": [{"number": 1, "rpm": 900, "device": "chip"}, {"number": 2, "rpm": 1200, "device": "chip"}]}]}]}})");
    log = json.open();
    REQUIRE(log->head().columns.size() == 2);
    CHECK(samplesOf(*log).at(0).values == std::vector<double> { 900, 1200 });
}

TEST_CASE("a small file of long names or many instants cannot take much memory", "[log]")
{
    std::string heading = "# hostname;interval;timestamp;CPU";
    for (int i = 0; i < 900; ++i)
        heading += ";c" + std::to_string(i);
    std::string line = std::string(100'000, 'h') + ";1;2019-04-18 13:20:19 UTC;-1";
    for (int i = 0; i < 900; ++i)
        line += ";1";
    const LogFile wide(heading + "\n" + line + "\n");
    const auto refused = openCounterLog(wide.path());
    REQUIRE_FALSE(refused);
    CHECK_THAT(refused.error().message, Contains("32 MB"));
    const LogFile quotes("\"(PDH-CSV 4.0) (UTC)(0)\",\"" + std::string(2'000'000, '"') + "\"\n");
    CHECK(quotes.open()->head().columns.at(0).counter.size() == 1'000'000);
    const LogFile blank("\t(PDH-TSV 4.0)\t\"\\\\A\\M\\a\"\n");
    CHECK(blank.open()->head().columns.size() == 1);
}

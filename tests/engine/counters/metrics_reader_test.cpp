// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/metrics_reader.h"
#include "support/catch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

using namespace loadstone;
using namespace loadstone::counters;
using namespace std::chrono_literals;

namespace {

plan::CounterSourceSpec exporter(plan::OpenMetricsSource from = {})
{
    plan::CounterSourceSpec spec;
    spec.name = "ex1";
    spec.from = std::move(from);
    return spec;
}

plan::CounterSourceSpec choosing(std::vector<std::string> metrics)
{
    plan::OpenMetricsSource from;
    from.metrics = std::move(metrics);
    return exporter(std::move(from));
}

/// Reads answers two seconds apart.
class Reader {
public:
    explicit Reader(const plan::CounterSourceSpec& spec = exporter())
        : m_reader(spec)
    {
    }
    void answer(const std::string& text)
    {
        m_now += 2s;
        auto reading = m_reader.read(text, m_now);
        INFO((reading ? "" : reading.error().message));
        REQUIRE(reading);
        last = *std::move(reading);
        CHECK(last.values.size() == m_reader.counters().size());
    }
    Error fault(const std::string& text)
    {
        m_now += 2s;
        const auto reading = m_reader.read(text, m_now);
        REQUIRE_FALSE(reading);
        return reading.error();
    }
    void miss()
    {
        m_now += 2s;
        m_reader.miss();
    }
    [[nodiscard]] bool has(const SeriesKey& key) const { return place(key) < m_reader.counters().size(); }
    [[nodiscard]] double at(const SeriesKey& key) const
    {
        INFO(pathOf(key));
        REQUIRE(has(key));
        return last.values[place(key)];
    }
    [[nodiscard]] double at(Quantity quantity, const std::string& device = {}) const
    {
        return at(SeriesKey(quantity, on(device)));
    }
    [[nodiscard]] bool has(Quantity quantity, const std::string& device = {}) const
    {
        return has(SeriesKey(quantity, on(device)));
    }
    [[nodiscard]] const CounterInfo& info(const SeriesKey& key) const
    {
        return m_reader.counters()[place(key)];
    }
    [[nodiscard]] std::size_t count() const { return m_reader.counters().size(); }
    [[nodiscard]] std::string notes() const
    {
        std::string all;
        for (const std::string& note : last.notes)
            all += note + "\n";
        return all;
    }
    static Subject on(const std::string& device)
    {
        Subject subject = Subject::ofDevice(device);
        subject.host = "ex1";
        return subject;
    }
    static Subject process(const std::string& name)
    {
        Subject subject = Subject::ofProcess(name);
        subject.host = "ex1";
        return subject;
    }
    LiveReading last;

private:
    [[nodiscard]] std::size_t place(const SeriesKey& key) const
    {
        const auto& all = m_reader.counters();
        return static_cast<std::size_t>(std::ranges::find(all, key, &CounterInfo::key) - all.begin());
    }
    MetricsReader m_reader;
    MonoTime m_now { 1h };
};

SeriesKey foreign(const char* object, const char* instance, const char* counter)
{
    return SeriesKey(ForeignCounter { "ex1", object, instance, counter });
}

/// Two processors of which the second does `busy` of the 2 s that each has between two answers.
std::string nodeProcessors(double at, double busy)
{
    std::string text = "# TYPE node_cpu_seconds_total counter\n";
    const auto line = [&](int cpu, const char* mode, double value) {
        text += fmt::format("node_cpu_seconds_total{{cpu=\"{}\",mode=\"{}\"}} {}\n", cpu, mode, value);
    };
    line(0, "idle", 1000 + at * 2);
    line(0, "iowait", 0);
    line(0, "user", 50);
    line(1, "idle", 2000 + at * (2 - busy));
    line(1, "iowait", 5);
    line(1, "user", 60 + at * busy * 0.75);
    line(1, "system", 10 + at * busy * 0.25);
    line(1, "steal", 0);
    return text;
}

const std::string kDisks = "node_disk_reads_completed_total{{device=\"{0}\"}} {1}\n"
                           "node_disk_read_time_seconds_total{{device=\"{0}\"}} {2}\n"
                           "node_disk_read_bytes_total{{device=\"{0}\"}} {3}\n"
                           "node_disk_io_now{{device=\"{0}\"}} {4}\n";

std::string disk(const char* device, double reads, double time, double bytes, double queue)
{
    return fmt::format(fmt::runtime(kDisks), device, reads, time, bytes, queue);
}

} // namespace

TEST_CASE("shares of processor time are made of the seconds of all modes")
{
    using enum Quantity;
    Reader reader;
    reader.answer(nodeProcessors(0, 1));
    CHECK(reader.last.begin == reader.last.end);
    CHECK(std::isnan(reader.at(processorTime)));
    reader.answer(nodeProcessors(1, 1));
    CHECK(reader.last.end - reader.last.begin == 2s);
    CHECK(reader.at(processorTime) == Approx(25));
    CHECK(reader.at(userTime) == Approx(18.75));
    CHECK(reader.at(privilegedTime) == Approx(6.25));
    CHECK(reader.at(idleTime) == Approx(75));
    CHECK(reader.at(ioWaitTime) == 0);
    CHECK(reader.at(oneProcessorTime, "0") == 0);
    CHECK(reader.at(oneProcessorTime, "1") == Approx(50));
    CHECK(reader.info(SeriesKey(processorTime, Reader::on(""))).path()
        == "\\\\ex1\\Processor(_Total)\\% Processor Time");
}

TEST_CASE("an exporter's processor time can be that of some processors alone")
{
    plan::OpenMetricsSource from;
    from.processors = { 1, 7 };
    Reader reader(exporter(from));
    reader.answer(nodeProcessors(0, 1));
    CHECK(reader.notes() == "There is no processor 7.\n");
    reader.answer(nodeProcessors(1, 1));
    CHECK(reader.notes().empty());
    CHECK(reader.at(Quantity::processorTime) == Approx(50));
    CHECK(reader.at(Quantity::oneProcessorTime, "0") == 0);
}

TEST_CASE(
    "time that the kernel takes back a little is no time, and a processor that comes or goes is one gap")
{
    using enum Quantity;
    Reader reader;
    const auto text = [](double idle, double ioWait, double user, bool second) {
        std::string lines = fmt::format("node_cpu_seconds_total{{cpu=\"0\",mode=\"idle\"}} {}\n"
                                        "node_cpu_seconds_total{{cpu=\"0\",mode=\"iowait\"}} {}\n"
                                        "node_cpu_seconds_total{{cpu=\"0\",mode=\"user\"}} {}\n",
            idle, ioWait, user);
        if (second)
            lines += "node_cpu_seconds_total{cpu=\"1\",mode=\"idle\"} 5\n";
        return lines;
    };
    reader.answer(text(100, 10, 50, false));
    reader.answer(text(101, 9.5, 51, false));
    CHECK(reader.at(processorTime) == Approx(50));
    CHECK(reader.at(ioWaitTime) == 0);
    reader.answer(text(102, 9.5, 52, true));
    CHECK(std::isnan(reader.at(processorTime)));
    reader.answer(text(103, 9.5, 53, true));
    CHECK(reader.at(processorTime) == Approx(50));
    reader.answer(text(104, 9.5, 54, false));
    CHECK(std::isnan(reader.at(processorTime)));
    reader.answer(text(105, 9.5, 55, false));
    CHECK(reader.at(processorTime) == Approx(50));
}

TEST_CASE("the metrics of node_exporter become the quantities that this host has")
{
    using enum Quantity;
    Reader reader;
    const auto text = [](double n) {
        return nodeProcessors(n, 1)
            + fmt::format(
                "node_context_switches_total {}\nnode_procs_running 5\nnode_memory_MemAvailable_bytes "
                "2097152\n"
                "node_memory_Cached_bytes 1048576\nnode_memory_Buffers_bytes 1048576\n"
                "node_vmstat_pswpin {}\nnode_vmstat_pswpout 4\nnode_vmstat_pgmajfault {}\n"
                "node_network_receive_bytes_total{{device=\"eth0\"}} {}\n"
                "node_network_transmit_bytes_total{{device=\"eth0\"}} {}\n"
                "node_netstat_Tcp_CurrEstab 42\nnode_sockstat_TCP_tw 7\nnode_netstat_Tcp_RetransSegs {}\n"
                "node_pressure_io_waiting_seconds_total {}\n",
                1000 * n, 10 * n, 6 * n, 4000 * n, 2000 * n, 2 * n, 3 * n);
    };
    reader.answer(text(1));
    CHECK(reader.at(availableMemory) == 2);
    CHECK(reader.at(tcpConnections) == 42);
    reader.answer(text(2));
    CHECK(reader.at(contextSwitches) == Approx(500));
    CHECK(reader.at(processorQueue) == 3);
    CHECK(reader.at(cacheMemory) == 2);
    CHECK(reader.at(pagesSwapped) == Approx(5));
    CHECK(reader.at(pageReads) == Approx(3));
    CHECK(reader.at(networkBytesReceived, "eth0") == Approx(2000));
    CHECK(reader.at(networkBytes, "eth0") == Approx(3000));
    CHECK(reader.at(tcpTimeWait) == 7);
    CHECK(reader.at(tcpRetransmitted) == Approx(1));
    CHECK(reader.at(someIoStall) == 100); // 3 of 2 seconds
    CHECK_FALSE(reader.has(dirtyMemory));
}

TEST_CASE("a sum of which the exporter has only a part is no counter")
{
    Reader reader;
    reader.answer("node_memory_Cached_bytes 1048576\nnode_load1 1\n");
    CHECK_FALSE(reader.has(Quantity::cacheMemory));
    reader.answer("node_memory_Cached_bytes 1048576\nnode_memory_Buffers_bytes 1048576\nnode_load1 1\n");
    CHECK(reader.at(Quantity::cacheMemory) == 2);
    reader.answer("node_memory_Cached_bytes 1048576\nnode_load1 1\n");
    CHECK(std::isnan(reader.at(Quantity::cacheMemory)));
}

TEST_CASE("disks have rates, and mean times where there were transfers")
{
    using enum Quantity;
    Reader reader;
    reader.answer(disk("sda", 100, 1, 4096, 2) + disk("loop0", 1, 1, 1, 1));
    reader.answer(disk("sda", 120, 1.1, 86016, 3) + disk("loop0", 1, 1, 1, 1));
    CHECK(reader.at(diskReads, "sda") == Approx(10));
    CHECK(reader.at(diskSecondsPerRead, "sda") == Approx(0.005));
    CHECK(reader.at(diskReadBytes, "sda") == Approx(40960));
    CHECK(reader.at(diskQueue, "sda") == 3);
    CHECK_FALSE(reader.has(diskTransfers, "sda"));
    CHECK_FALSE(reader.has(diskReads, "loop0"));
    reader.answer(disk("sda", 120, 1.1, 86016, 0));
    CHECK(reader.at(diskReads, "sda") == 0);
    CHECK(std::isnan(reader.at(diskSecondsPerRead, "sda")));
}

TEST_CASE(
    "a volume of the plan sums its disks and weighs their times by transfers, when all of them are there")
{
    using enum Quantity;
    plan::OpenMetricsSource from;
    from.volumes = { { "IS Database", { "sda", "sdb" } }, { "IS Log", { "sdz" } } };
    Reader reader(exporter(from));
    reader.answer(disk("sda", 0, 0, 0, 1) + disk("sdb", 0, 0, 0, 2));
    CHECK(reader.notes() == "Volume IS Log is missing: there is no disk sdz.\n");
    reader.answer(disk("sda", 30, 0.3, 100, 1) + disk("sdb", 10, 0.5, 300, 2));
    CHECK(reader.at(diskReads, "IS Database") == Approx(20));
    CHECK(reader.at(diskReadBytes, "IS Database") == Approx(200));
    CHECK(reader.at(diskSecondsPerRead, "IS Database") == Approx(0.02));
    CHECK(reader.at(diskQueue, "IS Database") == 3);
    CHECK(reader.at(diskReads, "sda") == Approx(15));
    CHECK_FALSE(reader.has(diskReads, "IS Log"));
    CHECK(reader.info(SeriesKey(diskReads, Reader::on("IS Database"))).help.find("sda, sdb")
        != std::string::npos);
    reader.answer(disk("sda", 60, 0.6, 200, 1));
    CHECK(std::isnan(reader.at(diskReads, "IS Database")));
    CHECK(std::isnan(reader.at(diskQueue, "IS Database")));
    reader.answer(disk("sda", 90, 0.9, 300, 1));
    CHECK(std::isnan(reader.at(diskReads, "IS Database")));
    CHECK(reader.at(diskReads, "sda") == Approx(15));
}

TEST_CASE("the metrics of windows_exporter become the counters that PerfMon shows")
{
    using enum Quantity;
    Reader reader(choosing({ "windows_process_*{process=\"store\"}" }));
    const auto text = [](double n) {
        return fmt::format(
            "windows_cpu_time_total{{core=\"0,0\",mode=\"idle\"}} {0}\n"
            "windows_cpu_time_total{{core=\"0,0\",mode=\"user\"}} {1}\n"
            "windows_cpu_time_total{{core=\"0,0\",mode=\"privileged\"}} {1}\n"
            "windows_cpu_time_total{{core=\"0,0\",mode=\"dpc\"}} {1}\n"
            "windows_cpu_processor_utility_total{{core=\"0,0\"}} {2}\n"
            "windows_cpu_processor_rtc_total{{core=\"0,0\"}} {0}\n"
            "windows_system_processor_queue_length 4\n"
            "# TYPE windows_memory_swap_page_operations_total gauge\n"
            "windows_memory_swap_page_operations_total {2}\n"
            "windows_logical_disk_reads_total{{volume=\"D:\"}} {2}\n"
            "windows_logical_disk_read_latency_seconds_total{{volume=\"D:\"}} {0}\n"
            "windows_logical_disk_idle_seconds_total{{volume=\"D:\"}} {0}\n"
            "windows_exchange_transport_queues_submission_queue_length{{name=\"_total\"}} 12\n"
            "windows_exchange_transport_queues_submission_queue_length{{name=\"high_priority\"}} 5\n"
            "windows_process_working_set_bytes{{process=\"store\",process_id=\"4\"}} 1000\n"
            "windows_process_working_set_bytes{{process=\"other\",process_id=\"5\"}} 1000\n",
            n, n / 2, n * 100);
    };
    reader.answer(text(0));
    reader.answer(text(1));
    CHECK(reader.at(processorTime) == Approx(50));
    CHECK(reader.at(privilegedTime) == Approx(25));
    CHECK(reader.at(foreign("Processor Information", "_Total", "% Processor Utility")) == Approx(100));
    CHECK(reader.at(processorQueue) == 4);
    CHECK(reader.at(pagesSwapped) == Approx(50));
    CHECK(reader.at(diskReads, "D:") == Approx(50));
    CHECK(reader.at(diskSecondsPerRead, "D:") == Approx(0.01));
    CHECK(reader.at(diskTime, "D:") == Approx(50));
    CHECK(reader.at(mailQueueLength, "submission") == 12);
    CHECK(reader.at(SeriesKey(processWorkingSet, Reader::process("store"))) == 1000);
    CHECK_FALSE(reader.has(SeriesKey(processWorkingSet, Reader::process("other"))));
}

TEST_CASE("processes of one name are summed, and neither a new nor an ended one makes a peak")
{
    const SeriesKey time(Quantity::processProcessorTime, Reader::process("w3wp"));
    const SeriesKey memory(Quantity::processWorkingSet, Reader::process("w3wp"));
    Reader reader(choosing({ "windows_process_*" }));
    const auto process = [](int id, double spent, double bytes) {
        return fmt::format(
            "windows_process_cpu_time_total{{process=\"w3wp\",process_id=\"{0}\",mode=\"user\"}} {1}\n"
            "windows_process_working_set_bytes{{process=\"w3wp\",process_id=\"{0}\"}} {2}\n",
            id, spent, bytes);
    };
    reader.answer(process(1, 10, 100) + process(2, 20, 200));
    CHECK(std::isnan(reader.at(time)));
    CHECK(reader.at(memory) == 300);
    reader.answer(process(1, 11, 100) + process(2, 21, 200));
    CHECK(reader.at(time) == Approx(100));
    reader.answer(process(1, 12, 100) + process(3, 900, 400));
    CHECK(reader.at(time) == Approx(50));
    CHECK(reader.at(memory) == 500);
    reader.answer(process(3, 902, 400));
    CHECK(reader.at(time) == Approx(100));
}

TEST_CASE("a queue of Postfix without a line is empty where another one, or the exporter, says that it was "
          "looked at")
{
    using enum Quantity;
    const auto queue = [](const char* name, int messages) {
        return fmt::format("postfix_showq_message_size_bytes_count{{queue=\"{}\"}} {}\n", name, messages);
    };
    const std::string type = "# TYPE postfix_showq_message_size_bytes histogram\n";
    const std::string up = "postfix_up{path=\"/var/spool/postfix/public/showq\"} ";
    Reader reader;
    reader.answer(up + "1\n");
    CHECK_FALSE(reader.has(mailQueueLength, "active"));
    reader.answer(type + queue("incoming", 3) + up + "1\n");
    CHECK(reader.at(mailQueueLength, "incoming") == 3);
    CHECK(reader.at(mailQueueLength, "active") == 0);
    CHECK(reader.at(mailQueueLength, "deferred") == 0);
    reader.answer(type + queue("active", 1200) + queue("deferred", 5) + up + "1\n");
    CHECK(reader.at(mailQueueLength, "incoming") == 0);
    CHECK(reader.at(mailQueueLength, "active") == 1200);
    reader.answer(type + up + "1\n");
    CHECK(reader.at(mailQueueLength, "active") == 0);
    reader.answer(type + up + "0\n");
    CHECK(std::isnan(reader.at(mailQueueLength, "active")));
    CHECK(std::isnan(reader.at(mailQueueLength, "incoming")));
}

TEST_CASE("with the exporter of Postfix 2, which has not all queues, an unseen one is not taken for empty")
{
    Reader reader;
    reader.answer("postfix_showq_message_size_bytes_count{queue=\"active\"} 3\n");
    CHECK(reader.at(Quantity::mailQueueLength, "active") == 3);
    CHECK_FALSE(reader.has(Quantity::mailQueueLength, "deferred"));
}

TEST_CASE("metrics that the plan names are foreign counters, of the kind that their type says")
{
    Reader reader(choosing({ "node_load1", "dovecot_*", "nothing_here", "node_context_switches_total",
        "rspamd_*{type=\"spam\"}" }));
    const auto text = [](double n) {
        return fmt::format(
            "node_load1 0.5\nnode_load5 0.6\n"
            "# TYPE dovecot_imap_command_finished_total counter\n"
            "# HELP dovecot_imap_command_finished_total Commands.\n"
            "dovecot_imap_command_finished_total{{cmd_name=\"SELECT\",tagged_reply_state=\"OK\"}} {0}\n"
            "# TYPE dovecot_smtp_command histogram\n"
            "dovecot_smtp_command_bucket{{cmd_name=\"LHLO\",le=\"0.000010\"}} {0}\n"
            "dovecot_smtp_command_count{{cmd_name=\"LHLO\"}} {0}\n"
            "dovecot_smtp_command_sum{{cmd_name=\"LHLO\"}} {0}\n"
            "node_context_switches_total {0}\n"
            "# TYPE rspamd_actions_total counter\n"
            "rspamd_actions_total{{type=\"spam\"}} {0}\nrspamd_actions_total{{type=\"ham\"}} {0}\n",
            n);
    };
    reader.answer(text(10));
    CHECK(reader.notes() == "No metric matches nothing_here.\n");
    reader.answer(text(14));
    CHECK(reader.at(foreign("node", "", "node_load1")) == 0.5);
    CHECK_FALSE(reader.has(foreign("node", "", "node_load5")));
    const SeriesKey commands =
        foreign("dovecot", "cmd_name=SELECT,tagged_reply_state=OK", "dovecot_imap_command_finished_total");
    CHECK(reader.at(commands) == 4);
    CHECK(reader.info(commands).kind == CounterKind::count);
    CHECK(reader.info(commands).help == "Commands.");
    CHECK(reader.info(foreign("node", "", "node_load1")).kind == CounterKind::level);
    CHECK(reader.at(foreign("dovecot", "cmd_name=LHLO", "dovecot_smtp_command_count")) == 4);
    CHECK_FALSE(reader.has(foreign("dovecot", "cmd_name=LHLO,le=0.000010", "dovecot_smtp_command_bucket")));
    CHECK(reader.at(foreign("rspamd", "type=spam", "rspamd_actions_total")) == 4);
    CHECK_FALSE(reader.has(foreign("rspamd", "type=ham", "rspamd_actions_total")));
    // By name also what has a quantity.
    CHECK(reader.at(Quantity::contextSwitches) == Approx(2));
    CHECK(reader.has(foreign("node", "", "node_context_switches_total")));
}

TEST_CASE("a total that falls is missing once, and never negative")
{
    Reader reader;
    const auto switches = [](double total) { return fmt::format("node_context_switches_total {}\n", total); };
    reader.answer(switches(1000));
    reader.answer(switches(1100));
    CHECK(reader.at(Quantity::contextSwitches) == Approx(50));
    reader.answer(switches(20));
    CHECK(std::isnan(reader.at(Quantity::contextSwitches)));
    CHECK(reader.notes() == "1 total fell: its rate is missing once.\n");
    reader.answer(switches(40));
    CHECK(reader.at(Quantity::contextSwitches) == Approx(10));
    CHECK(reader.notes().empty());
}

TEST_CASE("an exporter that was started again has no rates once, even where its new totals are larger")
{
    Reader reader;
    const auto text = [](double total, double start) {
        return fmt::format("process_start_time_seconds {}\nnode_context_switches_total {}\n", start, total);
    };
    reader.answer(text(10, 1.7e9));
    reader.answer(text(30, 1.7e9));
    CHECK(reader.at(Quantity::contextSwitches) == Approx(10));
    reader.answer(text(5000, 1.7e9 + 100));
    CHECK(std::isnan(reader.at(Quantity::contextSwitches)));
    CHECK(reader.notes() == "The exporter or its computer was started again: rates are missing once.\n");
    reader.answer(text(5020, 1.7e9 + 100));
    CHECK(reader.at(Quantity::contextSwitches) == Approx(10));
}

TEST_CASE("after an answer that failed rates begin anew, and are not of the whole time between")
{
    Reader reader;
    const auto text = [](double n) {
        return fmt::format("node_context_switches_total {}\nnode_sockstat_TCP_tw {}\n", n, n);
    };
    reader.answer(text(10));
    reader.answer(text(20));
    reader.miss();
    reader.answer(text(500));
    CHECK(reader.last.begin == reader.last.end);
    CHECK(std::isnan(reader.at(Quantity::contextSwitches)));
    CHECK(reader.at(Quantity::tcpTimeWait) == 500);
    CHECK(reader.fault(text(600) + "broken\n").message == "line 3: a value is missing after \"broken\"");
    reader.answer(text(700));
    CHECK(std::isnan(reader.at(Quantity::contextSwitches)));
    reader.answer(text(704));
    CHECK(reader.last.end - reader.last.begin == 2s);
    CHECK(reader.at(Quantity::contextSwitches) == Approx(2));
}

TEST_CASE("labels that come begin as missing, and those that go are missing from then on")
{
    using enum Quantity;
    Reader reader;
    const auto sent = [](const char* device, double total) {
        return fmt::format("node_network_transmit_bytes_total{{device=\"{}\"}} {}\n", device, total);
    };
    reader.answer(sent("eth0", 0));
    reader.answer(sent("eth0", 10) + sent("eth1", 5000));
    CHECK(reader.at(networkBytesSent, "eth0") == Approx(5));
    CHECK(std::isnan(reader.at(networkBytesSent, "eth1")));
    CHECK(reader.notes() == "1 series is new: rates of them begin with the next answer.\n");
    reader.answer(sent("eth1", 5010));
    CHECK(std::isnan(reader.at(networkBytesSent, "eth0")));
    CHECK(reader.at(networkBytesSent, "eth1") == Approx(5));
    CHECK(reader.notes() == "1 series is no longer in the answer.\n");
    reader.answer(sent("eth0", 9000) + sent("eth1", 5020));
    CHECK(std::isnan(reader.at(networkBytesSent, "eth0")));
    reader.answer(sent("eth0", 9010) + sent("eth1", 5030));
    CHECK(reader.at(networkBytesSent, "eth0") == Approx(5));
    CHECK(reader.count() == 2);
}

TEST_CASE("the order of labels does not matter, and a series that stands twice in an answer is missing")
{
    using enum Quantity;
    Reader reader(choosing({ "x_total" }));
    reader.answer("# TYPE x_total counter\nx_total{a=\"1\",b=\"2\"} 10\n");
    reader.answer("# TYPE x_total counter\nx_total{b=\"2\",a=\"1\"} 14\n");
    CHECK(reader.count() == 1);
    CHECK(reader.last.values.front() == 4);
    reader.answer("# TYPE x_total counter\nx_total{b=\"2\",a=\"1\"} 18\nx_total{a=\"1\",b=\"2\"} 19\n");
    CHECK(std::isnan(reader.last.values.front()));
    CHECK(reader.notes() == "1 series stands more than once in the answer and is missing.\n");
    reader.answer("# TYPE x_total counter\nx_total{b=\"2\",a=\"1\"} 20\n");
    CHECK(std::isnan(reader.last.values.front()));
    reader.answer("# TYPE x_total counter\nx_total{b=\"2\",a=\"1\"} 21\n");
    CHECK(reader.last.values.front() == 1);
}

TEST_CASE("totals beyond what a double holds exactly, and values that are none, make no wrong rate")
{
    Reader reader;
    const auto text = [](const char* total) {
        return fmt::format("node_context_switches_total {}\n", total);
    };
    reader.answer(text("9007199254740993"));
    reader.answer(text("9007199254741993"));
    CHECK(reader.at(Quantity::contextSwitches) == Approx(500).margin(1));
    reader.answer(text("NaN"));
    CHECK(std::isnan(reader.at(Quantity::contextSwitches)));
    reader.answer(text("+Inf"));
    CHECK(std::isnan(reader.at(Quantity::contextSwitches)));
    reader.answer(text("5"));
    CHECK(std::isnan(reader.at(Quantity::contextSwitches)));
    reader.answer(text("7"));
    CHECK(reader.at(Quantity::contextSwitches) == Approx(1));
}

TEST_CASE("an exporter whose labels change in every answer does not fill the memory, and the rest goes on")
{
    Reader reader(choosing({ "windows_process_*" }));
    const SeriesKey memory(Quantity::processWorkingSet, Reader::process("p"));
    for (int i = 0; i < 50; ++i) {
        std::string text = fmt::format("node_context_switches_total {}\n", 20 * i);
        for (int k = 0; k < 200; ++k)
            text += fmt::format("windows_process_working_set_bytes{{process=\"p\",process_id=\"{}\"}} 1\n"
                                "noise{{n=\"{}\"}} 1\n",
                i * 200 + k, i * 200 + k);
        reader.answer(text);
        CHECK(reader.at(memory) == 200);
        if (i > 0)
            CHECK(reader.at(Quantity::contextSwitches) == Approx(10));
    }
    CHECK(reader.count() == 2);
}

TEST_CASE("metrics of several computers in one answer are not added up")
{
    Reader reader(choosing({ "node_sockstat_TCP_tw{instance=\"b:9100\"}" }));
    reader.answer(
        "node_sockstat_TCP_tw{instance=\"a:9100\"} 5\nnode_sockstat_TCP_tw{instance=\"b:9100\"} 7\n");
    CHECK_FALSE(reader.has(Quantity::tcpTimeWait));
    CHECK(reader.at(foreign("node", "instance=b:9100", "node_sockstat_TCP_tw")) == 7);
}

TEST_CASE("there are at most 10,000 counters, which is said")
{
    Reader reader(choosing({ "x" }));
    std::string text;
    for (int i = 0; i < 10'050; ++i)
        text += fmt::format("x{{n=\"{}\"}} 1\n", i);
    reader.answer(text);
    CHECK(reader.count() == 10'000);
    CHECK(reader.notes() == "There are more than 10,000 counters; further ones are left out.\n");
}

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/metrics_mapping.h"

#include <algorithm>

namespace loadstone::counters {

namespace {

using enum Quantity;
using enum MetricPart;
using enum MetricForm;

constexpr double kMegabyte = 1.0 / (1024 * 1024);
constexpr double kPercent = 100;

// node_exporter. Guests' time is in user and nice already, as the kernel counts (proc(5)).
constexpr std::string_view kNodeCpu = "node_cpu_seconds_total";
constexpr std::array<MetricInput, 3> kNodeAll { { { kNodeCpu, "mode", "user nice system irq softirq steal" },
    { kNodeCpu, "mode", "idle iowait", true } } };

constexpr MetricRule nodeShare(Quantity quantity, std::string_view modes, bool mayDip = false)
{
    return { .quantity = quantity,
        .form = quotient,
        .scale = kPercent,
        .top = { { { kNodeCpu, "mode", modes, mayDip } } },
        .bottom = kNodeAll,
        .ofProcessors = true };
}

// windows_exporter. Privileged time holds that of interrupts and of deferred procedure calls, as in PerfMon.
constexpr std::string_view kWindowsCpu = "windows_cpu_time_total";

constexpr MetricRule windowsShare(Quantity quantity, std::string_view modes)
{
    return { .quantity = quantity,
        .form = quotient,
        .scale = kPercent,
        .top = { { { kWindowsCpu, "mode", modes } } },
        .bottom = { { { kWindowsCpu, "mode", "user privileged idle" } } },
        .ofProcessors = true };
}

constexpr MetricRule hostLevel(
    Quantity quantity, double scale, std::string_view metric, std::string_view other = {})
{
    return { .quantity = quantity, .scale = scale, .top = { { { metric }, { other } } } };
}

constexpr MetricRule hostRate(
    Quantity quantity, double scale, std::string_view metric, std::string_view other = {})
{
    return { .quantity = quantity, .form = rate, .scale = scale, .top = { { { metric }, { other } } } };
}

constexpr MetricRule partLevel(MetricPart part, std::string_view label, Quantity quantity, MetricInput metric)
{
    return { .quantity = quantity, .part = part, .label = label, .top = { { metric } } };
}

constexpr MetricRule partRate(MetricPart part, std::string_view label, Quantity quantity, double scale,
    MetricInput metric, MetricInput other = {})
{
    return { .quantity = quantity,
        .part = part,
        .label = label,
        .form = rate,
        .scale = scale,
        .top = { { metric, other } } };
}

constexpr MetricRule diskTimePer(
    std::string_view label, Quantity quantity, std::string_view time, std::string_view transfers)
{
    return { .quantity = quantity,
        .part = disk,
        .label = label,
        .form = quotient,
        .top = { { { time } } },
        .bottom = { { { transfers } } } };
}

constexpr MetricRule exchangeQueue(std::string_view metric, std::string_view name)
{
    return { .quantity = mailQueueLength,
        .part = MetricPart::queue,
        .subject = name,
        .top = { { { metric, "name", "_total" } } } };
}

constexpr std::string_view kQueueCounts = "postfix_showq_message_size_bytes_count";
constexpr std::string_view kDevice = "device";
constexpr std::string_view kVolume = "volume";
constexpr std::string_view kGroup = "groupname";
constexpr std::string_view kProcess = "process";

constexpr std::array kRules {
    // node_exporter: the processors
    nodeShare(processorTime, "user nice system irq softirq"),
    nodeShare(userTime, "user nice"),
    nodeShare(privilegedTime, "system irq softirq"),
    nodeShare(idleTime, "idle iowait", true),
    nodeShare(ioWaitTime, "iowait", true),
    nodeShare(stealTime, "steal"),
    MetricRule { .quantity = oneProcessorTime,
        .part = MetricPart::processor,
        .label = "cpu",
        .form = quotient,
        .scale = kPercent,
        .top = { { { kNodeCpu, "mode", "user nice system irq softirq" } } },
        .bottom = kNodeAll },
    hostRate(contextSwitches, 1, "node_context_switches_total"),
    MetricRule { .quantity = processorQueue,
        .form = above,
        .top = { { { "node_procs_running" } } },
        .bottom = { { { kNodeCpu, "mode", "idle" } } } },
    hostLevel(processes, 1, "node_processes_pids"),
    // its memory
    hostLevel(availableMemory, kMegabyte, "node_memory_MemAvailable_bytes"),
    hostLevel(cacheMemory, kMegabyte, "node_memory_Cached_bytes", "node_memory_Buffers_bytes"),
    hostLevel(dirtyMemory, kMegabyte, "node_memory_Dirty_bytes"),
    hostRate(pagesSwapped, 1, "node_vmstat_pswpin", "node_vmstat_pswpout"),
    hostRate(pageReads, 1, "node_vmstat_pgmajfault"),
    hostRate(pageFaults, 1, "node_vmstat_pgfault"),
    // its disks
    partRate(disk, kDevice, diskReads, 1, { "node_disk_reads_completed_total" }),
    partRate(disk, kDevice, diskWrites, 1, { "node_disk_writes_completed_total" }),
    partRate(disk, kDevice, diskTransfers, 1, { "node_disk_reads_completed_total" },
        { "node_disk_writes_completed_total" }),
    partRate(disk, kDevice, diskReadBytes, 1, { "node_disk_read_bytes_total" }),
    partRate(disk, kDevice, diskWriteBytes, 1, { "node_disk_written_bytes_total" }),
    diskTimePer(
        kDevice, diskSecondsPerRead, "node_disk_read_time_seconds_total", "node_disk_reads_completed_total"),
    diskTimePer(kDevice, diskSecondsPerWrite, "node_disk_write_time_seconds_total",
        "node_disk_writes_completed_total"),
    partLevel(disk, kDevice, diskQueue, { "node_disk_io_now" }),
    partRate(disk, kDevice, meanDiskQueue, 1, { "node_disk_io_time_weighted_seconds_total" }),
    partRate(disk, kDevice, diskTime, kPercent, { "node_disk_io_time_seconds_total" }),
    // its network
    partRate(interface, kDevice, networkBytesReceived, 1, { "node_network_receive_bytes_total" }),
    partRate(interface, kDevice, networkBytesSent, 1, { "node_network_transmit_bytes_total" }),
    partRate(interface, kDevice, networkBytes, 1, { "node_network_receive_bytes_total" },
        { "node_network_transmit_bytes_total" }),
    partRate(interface, kDevice, networkPackets, 1, { "node_network_receive_packets_total" },
        { "node_network_transmit_packets_total" }),
    hostLevel(tcpConnections, 1, "node_netstat_Tcp_CurrEstab"),
    hostLevel(tcpTimeWait, 1, "node_sockstat_TCP_tw"),
    hostRate(tcpRetransmitted, 1, "node_netstat_Tcp_RetransSegs"),
    hostRate(tcpRefused, 1, "node_netstat_Tcp_AttemptFails"),
    hostRate(listenDrops, 1, "node_netstat_TcpExt_ListenDrops"),
    // its pressure stall information
    hostRate(processorStall, kPercent, "node_pressure_cpu_waiting_seconds_total"),
    hostRate(someIoStall, kPercent, "node_pressure_io_waiting_seconds_total"),
    hostRate(allIoStall, kPercent, "node_pressure_io_stalled_seconds_total"),
    hostRate(someMemoryStall, kPercent, "node_pressure_memory_waiting_seconds_total"),
    hostRate(allMemoryStall, kPercent, "node_pressure_memory_stalled_seconds_total"),

    // process-exporter, which has the groups of processes that it was told
    partRate(process, kGroup, processProcessorTime, kPercent, { "namedprocess_namegroup_cpu_seconds_total" }),
    partRate(process, kGroup, processUserTime, kPercent,
        { "namedprocess_namegroup_cpu_seconds_total", "mode", "user" }),
    partRate(process, kGroup, processPrivilegedTime, kPercent,
        { "namedprocess_namegroup_cpu_seconds_total", "mode", "system" }),
    partLevel(
        process, kGroup, processWorkingSet, { "namedprocess_namegroup_memory_bytes", "memtype", "resident" }),
    partLevel(process, kGroup, processVirtualBytes,
        { "namedprocess_namegroup_memory_bytes", "memtype", "virtual" }),
    partLevel(process, kGroup, processInstances, { "namedprocess_namegroup_num_procs" }),
    partLevel(process, kGroup, processThreads, { "namedprocess_namegroup_num_threads" }),
    partLevel(process, kGroup, processFiles, { "namedprocess_namegroup_open_filedesc" }),
    partRate(process, kGroup, processReadBytes, 1, { "namedprocess_namegroup_read_bytes_total" }),
    partRate(process, kGroup, processWriteBytes, 1, { "namedprocess_namegroup_write_bytes_total" }),

    // windows_exporter: the processors
    windowsShare(processorTime, "user privileged"),
    windowsShare(userTime, "user"),
    windowsShare(privilegedTime, "privileged"),
    windowsShare(idleTime, "idle"),
    MetricRule { .quantity = oneProcessorTime,
        .part = MetricPart::processor,
        .label = "core",
        .form = quotient,
        .scale = kPercent,
        .top = { { { kWindowsCpu, "mode", "user privileged" } } },
        .bottom = { { { kWindowsCpu, "mode", "user privileged idle" } } } },
    // The work done, against that at the nominal clock: above 100 where the clock is raised. PerfMon has it beside the time.
    MetricRule { .quantity = {},
        .object = "Processor Information",
        .counter = "% Processor Utility",
        .form = quotient,
        .top = { { { "windows_cpu_processor_utility_total" } } },
        .bottom = { { { "windows_cpu_processor_rtc_total" } } },
        .ofProcessors = true },
    hostRate(contextSwitches, 1, "windows_system_context_switches_total"),
    hostLevel(processorQueue, 1, "windows_system_processor_queue_length"),
    hostLevel(processes, 1, "windows_system_processes"),
    // its memory; its exporter calls some totals gauges
    hostLevel(availableMemory, kMegabyte, "windows_memory_available_bytes"),
    hostLevel(cacheMemory, kMegabyte, "windows_memory_cache_bytes"),
    hostRate(pagesSwapped, 1, "windows_memory_swap_page_operations_total"),
    hostRate(pageReads, 1, "windows_memory_swap_page_reads_total"),
    hostRate(pageFaults, 1, "windows_memory_page_faults_total"),
    // its volumes
    partRate(disk, kVolume, diskReads, 1, { "windows_logical_disk_reads_total" }),
    partRate(disk, kVolume, diskWrites, 1, { "windows_logical_disk_writes_total" }),
    partRate(disk, kVolume, diskTransfers, 1, { "windows_logical_disk_reads_total" },
        { "windows_logical_disk_writes_total" }),
    partRate(disk, kVolume, diskReadBytes, 1, { "windows_logical_disk_read_bytes_total" }),
    partRate(disk, kVolume, diskWriteBytes, 1, { "windows_logical_disk_write_bytes_total" }),
    diskTimePer(kVolume, diskSecondsPerRead, "windows_logical_disk_read_latency_seconds_total",
        "windows_logical_disk_reads_total"),
    diskTimePer(kVolume, diskSecondsPerWrite, "windows_logical_disk_write_latency_seconds_total",
        "windows_logical_disk_writes_total"),
    partLevel(disk, kVolume, diskQueue, { "windows_logical_disk_requests_queued" }),
    MetricRule { .quantity = diskTime,
        .part = disk,
        .label = kVolume,
        .form = rest,
        .scale = kPercent,
        .top = { { { "windows_logical_disk_idle_seconds_total" } } } },
    // its network
    partRate(interface, "nic", networkBytesReceived, 1, { "windows_net_bytes_received_total" }),
    partRate(interface, "nic", networkBytesSent, 1, { "windows_net_bytes_sent_total" }),
    partRate(interface, "nic", networkBytes, 1, { "windows_net_bytes_total" }),
    partRate(interface, "nic", networkPackets, 1, { "windows_net_packets_total" }),
    hostLevel(tcpConnections, 1, "windows_tcp_connections_established"),
    hostRate(tcpRetransmitted, 1, "windows_tcp_segments_retransmitted_total"),
    hostRate(tcpRefused, 1, "windows_tcp_connection_failures_total"),
    // its processes
    partRate(chosenProcess, kProcess, processProcessorTime, kPercent, { "windows_process_cpu_time_total" }),
    partRate(chosenProcess, kProcess, processUserTime, kPercent,
        { "windows_process_cpu_time_total", "mode", "user" }),
    partRate(chosenProcess, kProcess, processPrivilegedTime, kPercent,
        { "windows_process_cpu_time_total", "mode", "privileged" }),
    partLevel(chosenProcess, kProcess, processWorkingSet, { "windows_process_working_set_bytes" }),
    partLevel(chosenProcess, kProcess, processPrivateBytes, { "windows_process_private_bytes" }),
    partLevel(chosenProcess, kProcess, processVirtualBytes, { "windows_process_virtual_bytes" }),
    partLevel(chosenProcess, kProcess, processFiles, { "windows_process_handles" }),
    partLevel(chosenProcess, kProcess, processThreads, { "windows_process_threads" }),
    // its queues of Exchange
    exchangeQueue("windows_exchange_transport_queues_submission_queue_length", "submission"),
    exchangeQueue("windows_exchange_transport_queues_active_mailbox_delivery", "active mailbox delivery"),
    exchangeQueue("windows_exchange_transport_queues_retry_mailbox_delivery", "retry mailbox delivery"),
    exchangeQueue(
        "windows_exchange_transport_queues_external_active_remote_delivery", "external remote delivery"),
    exchangeQueue(
        "windows_exchange_transport_queues_internal_active_remote_delivery", "internal remote delivery"),
    exchangeQueue("windows_exchange_transport_queues_unreachable", "unreachable"),
    exchangeQueue("windows_exchange_transport_queues_poison", "poison"),
    exchangeQueue("windows_exchange_transport_queues_delay_queue_length", "delay"),

    // Exporters of Postfix: the count of a histogram is made anew for each look at the queues; newer ones have a gauge as well.
    partLevel(MetricPart::queue, "queue", mailQueueLength, { kQueueCounts }),
    partLevel(MetricPart::queue, "queue", mailQueueLength, { "postfix_showq_queue_depth" }),
};

} // namespace

bool MetricRule::isOfSeenQueues() const
{
    return top[0].metric == kQueueCounts;
}

std::span<const MetricRule> metricRules()
{
    return kRules;
}

bool isStartTime(std::string_view metric)
{
    constexpr std::array<std::string_view, 4> kStartTimes { "process_start_time_seconds",
        "node_boot_time_seconds", "windows_system_boot_time_timestamp_seconds",
        "windows_system_boot_time_timestamp" };
    return std::ranges::find(kStartTimes, metric) != kStartTimes.end();
}

} // namespace loadstone::counters

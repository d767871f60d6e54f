// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "analysis/figures/figure_row.h"
#include "analysis/figures/together.h"

#include <algorithm>

namespace loadstone::analysis {

namespace {

using S = MixScope;
using enum FigureTable;

Measured bytesPerTransferOf(const IoRow& row)
{
    const std::uint64_t good = row.count - std::min(row.count, row.failures);
    if (good == 0 || row.bytes == 0)
        return {};
    return { static_cast<double>(row.bytes) / static_cast<double>(good), good };
}

/// Mean time in the device over all volumes and all classes that go in this direction.
Measured deviceTimeOf(const MixResult& mix, IoDirection direction)
{
    double sum = 0;
    std::uint64_t count = 0;
    bool atLeast = false;
    for (const IoRow& row : mix.io)
        if (row.direction() == direction) {
            sum += seconds(row.device.mean) * static_cast<double>(row.device.count);
            count += row.device.count;
            atLeast = atLeast || row.device.atLeast.mean;
        }
    if (count == 0)
        return {};
    return { sum / static_cast<double>(count), count, atLeast };
}

constexpr FigureRow kIoRows[] {
    { { .key = "io.transfers",
          .table = io,
          .column = "Count",
          .name = "Transfers",
          .better = Better::more,
          .kinds = kIo,
          .csv = { "disk", "", "transfers" },
          .help = "Transfers that completed, with errors or without." },
        +[](const IoRow& r) { return counted(r.count); } },
    { { .key = "io.longest-sample",
          .table = io,
          .column = "Longest",
          .name = "Longest average of a sample",
          .unit = Unit::seconds,
          .rounding = kLatency,
          .better = Better::less,
          .statistic = Statistic::maximum,
          .kinds = kStorage,
          .csv = { "disk", "", "longest sample in the device" },
          .help = "The longest mean time in the device of a sample of 15 seconds, or of 5 in measurements of "
                  "less than 10 minutes." },
        +[](const IoRow& r) {
            return r.longestSample ? Measured { seconds(*r.longestSample), 0, r.longestAtLeast }
                                   : Measured {};
        } },
    { { .key = "io.rate",
          .table = io,
          .column = "I/O/s",
          .name = "Transfers per second",
          .unit = Unit::perSecond,
          .rounding = kRate,
          .better = Better::more,
          .statistic = Statistic::rate,
          .kinds = kIo,
          .csv = { "disk", "", "transfers", "reads and writes" },
          .help = "Transfers that completed, each second of the measurement; of all classes: reads and "
                  "writes. The measurement of a backup, recovery or checksum ends with a whole second: a "
                  "short one has its exact rate in the table of its own." },
        +[](const IoRow& r) {
            return Measured { r.perSecond, r.count };
        } },
    { { .key = "io.bytes-per-transfer",
          .table = io,
          .column = "Bytes/IO",
          .name = "Bytes per transfer",
          .unit = Unit::bytes,
          .rounding = kRate,
          .statistic = Statistic::mean,
          .kinds = kIo,
          .csv = { "disk", "", "bytes per transfer" },
          .help = "Mean size of the transfers that did not fail." },
        bytesPerTransferOf },
    { { .key = "io.byte-rate",
          .table = io,
          .column = "Bytes/s",
          .name = "Bytes per second",
          .unit = Unit::bytesPerSecond,
          .rounding = { Notation::byteSize, 0, true },
          .better = Better::more,
          .statistic = Statistic::rate,
          .kinds = kIo,
          .csv = { "disk", "", "bytes" },
          .help = "Bytes of transfers that did not fail, each second of the measurement." },
        +[](const IoRow& r) {
            return Measured { r.bytesPerSecond, r.count };
        } },
    { { .key = "io.failed",
          .table = io,
          .column = "Failed",
          .name = "Failed transfers",
          .better = Better::less,
          .kinds = kIo,
          .csv = { "disk", "", "failed transfers" },
          .help = "Transfers that completed with an error." },
        +[](const IoRow& r) { return counted(r.failures); } },
    { { .key = "io.unfinished",
          .table = io,
          .column = "Unfinished",
          .name = "Unfinished transfers",
          .better = Better::less,
          .kinds = kIo,
          .csv = { "disk", "", "unfinished transfers" },
          .help = "Transfers that the device had not completed at the end of the measurement." },
        +[](const IoRow& r) { return counted(r.unfinished); } },
    { { .key = "io.read-rate",
          .table = test,
          .column = "Reads/s",
          .name = "Reads per second",
          .unit = Unit::perSecond,
          .rounding = kRate,
          .better = Better::more,
          .statistic = Statistic::rate,
          .kinds = kIo,
          .csv = { "disk", "", "reads" },
          .help = "Transfers of the classes that read, each second, over all volumes." },
        +[](const S& s) { return Measured { s.mix.iosPerSecond(IoDirection::read) }; } },
    { { .key = "io.write-rate",
          .table = test,
          .column = "Writes/s",
          .name = "Writes per second",
          .unit = Unit::perSecond,
          .rounding = kRate,
          .better = Better::more,
          .statistic = Statistic::rate,
          .kinds = kIo,
          .csv = { "disk", "", "writes" },
          .help = "Transfers of the classes that write, each second, over all volumes." },
        +[](const S& s) { return Measured { s.mix.iosPerSecond(IoDirection::write) }; } },
    { { .key = "io.read-latency",
          .table = test,
          .column = "Read latency",
          .name = "Mean time in the device of reads",
          .unit = Unit::seconds,
          .rounding = kLatency,
          .better = Better::less,
          .statistic = Statistic::mean,
          .kinds = kIo,
          .csv = { "disk", "reads", "average" },
          .help = "Mean time in the device over the measurement phase, of all volumes." },
        +[](const S& s) { return deviceTimeOf(s.mix, IoDirection::read); } },
    { { .key = "io.write-latency",
          .table = test,
          .column = "Write latency",
          .name = "Mean time in the device of writes",
          .unit = Unit::seconds,
          .rounding = kLatency,
          .better = Better::less,
          .statistic = Statistic::mean,
          .kinds = kIo,
          .csv = { "disk", "writes", "average" },
          .help = "Mean time in the device over the measurement phase, of all volumes." },
        +[](const S& s) { return deviceTimeOf(s.mix, IoDirection::write); } },
};

} // namespace

IoRow togetherOf(const MixResult& mix)
{
    IoRow all;
    all.volume = "(All)";
    for (const IoRow& row : mix.io) {
        if (row.direction() == IoDirection::neither)
            continue;
        all.count += row.count;
        all.failures += row.failures;
        all.bytes += row.bytes;
        all.unfinished += row.unfinished;
        all.bytesPerSecond += row.bytesPerSecond;
    }
    all.perSecond = mix.iosPerSecond();
    return all;
}

std::span<const FigureRow> ioFigures()
{
    return kIoRows;
}

} // namespace loadstone::analysis

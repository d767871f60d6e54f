// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any bytes are a log of counters or are refused with a line. What is read has values for each column, and its time rises.

#include "counters/log/counter_log.h"
#include "counters/log/line_file.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

using namespace loadstone;

namespace {

void require(bool condition)
{
    if (!condition)
        std::abort();
}

FileDescriptor holding(const std::uint8_t* data, std::size_t size)
{
    FileDescriptor file(::memfd_create("log", MFD_CLOEXEC));
    require(::write(file.get(), data, size) == static_cast<ssize_t>(size));
    require(::lseek(file.get(), 0, SEEK_SET) == 0);
    return file;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    auto first = counters::LineFile::read("fuzz.csv", holding(data, size));
    auto again = counters::LineFile::read("fuzz.csv", holding(data, size));
    if (!first || !again)
        return 0;
    auto log = counters::readCounterLog(*std::move(first), *std::move(again));
    if (!log) {
        require(log.error().message.starts_with("fuzz.csv"));
        return 0;
    }
    const std::size_t columns = (*log)->head().columns.size();
    require(columns > 0);
    std::vector<std::size_t> odd;
    for (std::size_t i = 1; i < columns; i += 2)
        odd.push_back(i);
    const bool selects = size % 2 == 0 && !odd.empty();
    if (selects)
        (*log)->select(odd);
    std::optional<Nanoseconds> last;
    for (counters::LogSample sample; (*log)->next(sample).value();) {
        require(sample.values.size() == (selects ? odd.size() : columns));
        require(!last || sample.at > *last);
        last = sample.at;
    }
    require((*log)->notes().size() <= 21);
    return 0;
}

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any bytes are a record of the kernel's log or none; what is shown of one is printable and bounded.

#include "counters/host/kernel_log.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace loadstone::counters;

namespace {

void require(bool condition)
{
    if (!condition)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const auto record = parseKmsg(std::string_view(reinterpret_cast<const char*>(data), size));
    if (!record)
        return 0;
    require(record->level <= 7 && record->facility <= 255);
    require(record->at >= loadstone::MonoTime());
    require(record->text.size() <= KernelRecord::kLongestText);
    require(std::ranges::all_of(record->text, [](char c) { return c >= ' ' && c <= '~'; }));
    static_cast<void>(storageError(*record));
    return 0;
}

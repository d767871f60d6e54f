// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any CSV is refused with words, or becomes a result without errors.

#include "document/row_value.h"

#include <loadstone/external_result.h>

#include <cstdint>
#include <cstdlib>
#include <string>

using namespace loadstone;

namespace {

void require(bool condition)
{
    if (!condition)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto made = importResultCsv(text, "fuzz.csv", {});
    if (!made) {
        require(!made.error().message.empty() && !document::faultOfText(made.error().message, true));
        return 0;
    }
    const CheckedResult checked = readResult(Document(*made, "made.toml"));
    require(checked.usable() && !checked.result.systems.empty() && !checked.result.figures.empty());
    return 0;
}

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Any text, as it may come from another machine, is refused or makes a lab file that is read without an error; so does any table of SMBIOS.

#include "lab/detect/smbios.h"

#include <loadstone/lab_detect.h>

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
    for (const auto& one : lab::readSmbios({ data, size }))
        require(one.body.size() >= 4);
    lab::memoryModules(lab::readSmbios({ data, size }));
    const std::string text(reinterpret_cast<const char*>(data), size);
    const auto read = readMachine(text, "fuzz.txt");
    if (!read) {
        require(!read.error().message.empty());
        return 0;
    }
    for (const NotRead& one : read->notRead)
        require(!one.format().empty());
    const std::string written = writeDetection(*read, "m");
    require(readLab(written, "fuzz.toml").usable());
    Document document("kind = \"lab\"\n", "fuzz.toml");
    require(mergeDetected(document, "m", *read).has_value());
    require(readLab(document.text(), "fuzz.toml").usable());
    return 0;
}

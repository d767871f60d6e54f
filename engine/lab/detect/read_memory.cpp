// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/detect/findings.h"
#include "lab/detect/smbios.h"

#include <fmt/format.h>

namespace loadstone::lab {

void readMemory(Findings& findings)
{
    const MachineText& machine = findings.machine();
    const auto table = readSmbios(machine.bytes(kSmbiosTable).value_or(std::vector<std::uint8_t>()));
    if (table.empty()) {
        if (machine.denied().contains(kSmbiosTable))
            findings.notRead("SMBIOS", "needs root", "run the detection as root", "memory modules");
        else
            findings.notRead("SMBIOS", "the machine has no such table", "", "memory modules");
        return;
    }
    for (const SmbiosModule& module : memoryModules(table)) {
        if (module.bytes == 0)
            continue;
        LabItem item = findings.item(ItemKind::memory, "memory");
        constexpr const char* kBy = "SMBIOS";
        findings.add(item, "vendor", module.vendor, kBy);
        findings.add(item, "part_number", module.part, kBy);
        findings.add(item, "serial", module.serial, kBy);
        findings.addMemorySize(item, "size", module.bytes, kBy);
        findings.add(item, "type", module.type, kBy);
        findings.add(item, "form", module.form, kBy);
        findings.add(item, "slot", module.slot, kBy);
        if (module.speed)
            findings.add(item, "speed", fmt::format("{} MT/s", *module.speed), kBy);
        if (module.configuredSpeed)
            findings.add(item, "configured_speed", fmt::format("{} MT/s", *module.configuredSpeed), kBy);
        if (module.ranks)
            findings.add(item, "rank", fmt::format("{}R", *module.ranks), kBy);
        if (module.ecc)
            findings.addFlag(item, "ecc", *module.ecc, kBy);
        findings.keep(std::move(item));
    }
}

} // namespace loadstone::lab

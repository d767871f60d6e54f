// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "lab/detect/machine_text.h"

#include <loadstone/lab_detect.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::lab {

// Of what a machine's text was copied from.
inline constexpr const char* kBlock = "sys/block/";
inline constexpr const char* kSmbiosTable = "sys/firmware/dmi/tables/DMI";

/// What the readers of a machine have found so far. Values go by the table of keys: one that its row does not take is left out.
class Findings {
public:
    Findings(const MachineText& machine, Detection& into);

    [[nodiscard]] const MachineText& machine() const { return *m_machine; }
    /// An item below the machine; `name` becomes a part of its id, made fit for one and unique.
    LabItem item(ItemKind kind, std::string_view name, std::string_view in = {});
    /// Nothing is added for an empty text, nor where the key has a value.
    void add(LabItem& item, std::string_view key, const std::string& text, std::string_view by) const;
    void addNumber(LabItem& item, std::string_view key, std::uint64_t number, std::string_view by) const;
    /// As makers of drives count (GB) or as memory is counted (GiB), with at most three decimals; 0 adds nothing.
    void addDriveSize(LabItem& item, std::string_view key, std::uint64_t bytes, std::string_view by) const;
    void addMemorySize(LabItem& item, std::string_view key, std::uint64_t bytes, std::string_view by) const;
    void addFlag(LabItem& item, std::string_view key, bool value, std::string_view by) const;
    /// Takes the item into the lab.
    void keep(LabItem item);
    /// Of kept items.
    [[nodiscard]] std::vector<LabItem>& items() { return m_into->lab.items; }
    [[nodiscard]] const Detection& detection() const { return *m_into; }

    void notRead(
        const std::string& what, const std::string& why, const std::string& remedy, const std::string& field);

private:
    const MachineText* m_machine;
    Detection* m_into;
};

// Each reads what its name says. The machine's item is made by the first one.
void readSystem(Findings& findings); ///< the machine itself, by SMBIOS, processor flags and control groups
void readProcessors(Findings& findings);
void readMemory(Findings& findings);
void readAdapters(Findings& findings);
void readControllers(Findings& findings);
void readStorage(Findings& findings); ///< drives, pools, volumes
void readFilesystems(Findings& findings);
void readOperatingSystem(Findings& findings);
void readSoftware(Findings& findings);
/// Items that differ in nothing but what names the single piece become one with a count.
void joinIdentical(std::vector<LabItem>& items);

/// What the machine runs under, as it sees it itself: "KVM"; empty: nothing is known of any.
std::string virtualisationOf(const MachineText& machine);
/// "docker", "systemd-nspawn", ...; empty: no sign of a container.
std::string containerOf(const MachineText& machine);
/// The item's id of a block device that readStorage() found ("sda2" gives its drive); empty: none.
std::string itemOfDevice(const Findings& findings, std::string_view device);

} // namespace loadstone::lab

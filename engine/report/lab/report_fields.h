// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/lab_tables.h>

#include <cstdint>
#include <span>
#include <string_view>

namespace loadstone::report {

/// Which items of a kind a field is about.
enum class FieldScope : std::uint8_t {
    any,
    underTest, ///< in or on a machine with the role "system under test", and hardware of its host; without one, what is no generator
    generators, ///< in or on a machine with the role "generator"
    physical, ///< machines under test that are no virtual ones, and the hosts of those that are
    noGenerators, ///< all but what is in or on generators
    arrays, ///< enclosures that are neither in another one nor a chassis of machines
    multipath, ///< software of this type
    dataNetworks, ///< all but hubs of Fibre Channel
    virtualMachines,
    databases, ///< volumes that hold databases, mailboxes or mail
    logs, ///< volumes that hold logs
    mailServers, ///< software of this type
    benchmarks, ///< software of this type
    deployment, ///< clusters and software with mailboxes or users
    networkAdapters,
    hostBusAdapters, ///< of all types, where one is a path to storage
};

struct FieldRow {
    std::string_view field; ///< as reports print it
    ItemKind kind = ItemKind::machine;
    FieldScope scope = FieldScope::any;
    std::string_view key; ///< one of several with | between them is enough; "count": that there is an item
    bool every = true; ///< each item has to have it; else one is enough
};

/// The fields of a report in its order. From the published reports: ESRP - Storage 2.1 (storage), the MMB disclosure and SPECmail2001
/// (mail), VMware's and Dell's paper on ESX Server 3 (virtualisation).
std::span<const FieldRow> fieldRows(LabReport report);

} // namespace loadstone::report

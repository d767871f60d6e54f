// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/kinds.h"

#include "base/joined.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace loadstone {

const char* toString(ItemKind kind)
{
    switch (kind) {
    case ItemKind::site:
        return "site";
    case ItemKind::machine:
        return "machine";
    case ItemKind::processor:
        return "processor";
    case ItemKind::memory:
        return "memory";
    case ItemKind::adapter:
        return "adapter";
    case ItemKind::controller:
        return "controller";
    case ItemKind::enclosure:
        return "enclosure";
    case ItemKind::drive:
        return "drive";
    case ItemKind::pool:
        return "pool";
    case ItemKind::volume:
        return "volume";
    case ItemKind::filesystem:
        return "filesystem";
    case ItemKind::network:
        return "network";
    case ItemKind::os:
        return "os";
    case ItemKind::hypervisor:
        return "hypervisor";
    case ItemKind::software:
        return "software";
    case ItemKind::cluster:
        return "cluster";
    case ItemKind::other:
        break;
    }
    return "other";
}

const char* toString(LinkKind kind)
{
    switch (kind) {
    case LinkKind::network:
        return "network";
    case LinkKind::storage:
        return "storage";
    case LinkKind::runsOn:
        return "runs on";
    case LinkKind::replicates:
        break;
    }
    return "replicates";
}

const char* toString(ValueOrigin origin)
{
    switch (origin) {
    case ValueOrigin::typed:
        return "typed";
    case ValueOrigin::detected:
        return "detected";
    case ValueOrigin::imported:
        return "imported";
    case ValueOrigin::notDisclosed:
        break;
    }
    return "not disclosed";
}

namespace lab {

namespace {

constexpr auto kItemKinds = [] {
    std::array<ItemKind, static_cast<std::size_t>(ItemKind::other) + 1> kinds {};
    for (std::size_t i = 0; i < kinds.size(); ++i)
        kinds[i] = static_cast<ItemKind>(i);
    return kinds;
}();
constexpr std::array kLinkKinds { LinkKind::network, LinkKind::storage, LinkKind::runsOn,
    LinkKind::replicates };

using KindSet = std::uint32_t;

constexpr KindSet setOf(std::initializer_list<ItemKind> kinds)
{
    KindSet set = 0;
    for (const ItemKind kind : kinds)
        set |= KindSet { 1 } << static_cast<unsigned>(kind);
    return set;
}

constexpr bool has(KindSet set, ItemKind kind)
{
    return (set >> static_cast<unsigned>(kind) & 1U) != 0;
}

/// What may contain an item of a kind. "other" contains anything and is contained in anything.
KindSet containersSet(ItemKind contained)
{
    using enum ItemKind;
    switch (contained) {
    case site:
        return setOf({ site, other });
    case machine:
        return setOf({ site, machine, enclosure, cluster, hypervisor, network, other });
    case processor:
        return setOf({ machine, enclosure, controller, adapter, network, cluster, other });
    case memory:
        return setOf({ machine, processor, enclosure, controller, adapter, network, other });
    case adapter:
        return setOf({ machine, enclosure, controller, network, adapter, hypervisor, other });
    case controller:
        return setOf({ machine, enclosure, adapter, controller, network, other });
    case enclosure:
        return setOf({ site, machine, enclosure, cluster, controller, pool, other });
    case drive:
        return setOf({ machine, enclosure, controller, adapter, pool, other });
    case pool:
        return setOf({ site, machine, enclosure, controller, cluster, pool, volume, os, other });
    case volume:
        return setOf({ machine, enclosure, controller, drive, pool, volume, filesystem, cluster, os,
            hypervisor, software, other });
    case filesystem:
        return setOf({ machine, enclosure, drive, pool, volume, os, hypervisor, cluster, software, other });
    case network:
        return setOf({ site, machine, enclosure, network, cluster, hypervisor, other });
    case os:
        return setOf({ machine, enclosure, controller, network, hypervisor, cluster, other });
    case hypervisor:
        return setOf({ machine, cluster, os, other });
    case software:
        return setOf({ site, machine, enclosure, controller, adapter, network, os, hypervisor, software,
            cluster, other });
    case cluster:
        return setOf({ site, cluster, machine, software, network, other });
    case other:
        break;
    }
    return ~KindSet { 0 };
}

KindSet endsSet(LinkKind link, bool atBegin)
{
    using enum ItemKind;
    switch (link) {
    case LinkKind::network:
        return setOf({ site, machine, adapter, controller, enclosure, network, os, hypervisor, software,
            cluster, other });
    case LinkKind::storage:
        return setOf({ machine, adapter, controller, enclosure, drive, pool, volume, filesystem, network, os,
            hypervisor, software, cluster, other });
    case LinkKind::runsOn:
        return atBegin ? setOf({ machine, os, hypervisor, software, cluster, other })
                       : setOf({ site, machine, enclosure, os, hypervisor, software, cluster, other });
    case LinkKind::replicates:
        break;
    }
    return setOf({ site, machine, enclosure, drive, pool, volume, filesystem, software, cluster, other });
}

std::string listOf(KindSet set)
{
    std::vector<std::string_view> words;
    for (const ItemKind kind : kItemKinds)
        if (has(set, kind))
            words.emplace_back(toString(kind));
    return joined(words, ", ");
}

template <class Kinds>
std::vector<std::string> kindWords(const Kinds& kinds)
{
    std::vector<std::string> words;
    for (const auto kind : kinds)
        words.emplace_back(toString(kind));
    return words;
}

template <class Kinds>
auto kindOf(const Kinds& kinds, std::string_view word) -> std::optional<typename Kinds::value_type>
{
    const auto at =
        std::find_if(kinds.begin(), kinds.end(), [&](auto kind) { return word == toString(kind); });
    if (at == kinds.end())
        return std::nullopt;
    return *at;
}

} // namespace

std::optional<ItemKind> itemKindOf(std::string_view word)
{
    return kindOf(kItemKinds, word);
}

std::optional<LinkKind> linkKindOf(std::string_view word)
{
    return kindOf(kLinkKinds, word);
}

const std::vector<std::string>& itemKindWords()
{
    static const std::vector<std::string> words = kindWords(kItemKinds);
    return words;
}

const std::vector<std::string>& linkKindWords()
{
    static const std::vector<std::string> words = kindWords(kLinkKinds);
    return words;
}

bool mayContain(ItemKind container, ItemKind contained)
{
    return container == ItemKind::other || has(containersSet(contained), container);
}

std::string containersOf(ItemKind contained)
{
    return listOf(containersSet(contained));
}

bool mayBegin(LinkKind link, ItemKind from)
{
    return has(endsSet(link, true), from);
}

bool mayEnd(LinkKind link, ItemKind to)
{
    return has(endsSet(link, false), to);
}

std::string endsOf(LinkKind link, bool atBegin)
{
    return listOf(endsSet(link, atBegin));
}

const std::vector<std::string>& usualRoles()
{
    static const std::vector<std::string> roles { "system under test", "generator", "directory",
        "domain controller", "DNS", "mail server", "mailbox server", "back-end server", "front-end server",
        "load balancer", "virtualisation host", "storage", "control", "monitoring" };
    return roles;
}

bool isValidId(std::string_view id)
{
    const auto allowed = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-'
            || c == '_' || c == '.';
    };
    return !id.empty() && id.size() <= 64 && std::all_of(id.begin(), id.end(), allowed) && id.front() != '.'
        && id.back() != '.' && id.find("..") == std::string_view::npos;
}

} // namespace lab

} // namespace loadstone

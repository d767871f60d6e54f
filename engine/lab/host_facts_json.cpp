// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/json.h"
#include "lab/host_facts.h"

#include <nlohmann/json.hpp>

namespace loadstone::lab {

namespace {

/// One table for both directions: `visit(name, member)` for every plain field.
template <class Facts, class Visit>
void eachMember(Facts& facts, const Visit& visit)
{
    visit("host", facts.hostName);
    visit("cpuModel", facts.cpuModel);
    visit("logicalCpus", facts.logicalCpus);
    visit("cores", facts.cores);
    visit("sockets", facts.sockets);
    visit("memoryBytes", facts.memoryBytes);
    visit("kernel", facts.kernel);
    visit("architecture", facts.architecture);
    visit("operatingSystem", facts.operatingSystem);
    visit("clockSource", facts.clockSource);
    visit("hypervisor", facts.hypervisor);
    visit("cpuGovernor", facts.cpuGovernor);
    visit("openFilesLimit", facts.openFilesLimit);
    visit("firstEphemeralPort", facts.firstEphemeralPort);
    visit("lastEphemeralPort", facts.lastEphemeralPort);
}
template <class Facts, class Visit>
void eachDiskMember(Facts& disk, const Visit& visit)
{
    visit("name", disk.name);
    visit("model", disk.model);
    visit("bytes", disk.bytes);
    visit("rotational", disk.rotational);
    visit("scheduler", disk.scheduler);
}
template <class Facts, class Visit>
void eachInterfaceMember(Facts& one, const Visit& visit)
{
    visit("name", one.name);
    visit("megabitsPerSecond", one.megabitsPerSecond);
    visit("mtu", one.mtu);
    visit("state", one.state);
}

struct Put {
    Json& to;
    template <class T>
    void operator()(const char* name, const T& value) const
    {
        to[name] = value;
    }
    template <class T>
    void operator()(const char* name, const std::optional<T>& value) const
    {
        to[name] = value ? Json(*value) : Json();
    }
};

struct Take {
    const Json& from;
    void operator()(const char* name, std::string& value) const
    {
        if (const auto it = from.find(name); it != from.end() && it->is_string())
            value = it->get<std::string>();
    }
    template <class T>
    void operator()(const char* name, T& value) const
    {
        if (const auto it = from.find(name); it != from.end() && it->is_number_unsigned())
            value = it->get<T>();
    }
    template <class T>
    void operator()(const char* name, std::optional<T>& value) const
    {
        const auto it = from.find(name);
        if (it != from.end() && (std::is_same_v<T, bool> ? it->is_boolean() : it->is_number_unsigned()))
            value = it->get<T>();
    }
};

/// The objects in the array `name`, at most as many as a machine is described with.
template <class Use>
void eachObject(const Json& object, const char* name, const Use& use)
{
    constexpr std::size_t kMost = 64;
    const auto it = object.find(name);
    if (it == object.end() || !it->is_array())
        return;
    for (std::size_t i = 0; i < std::min(it->size(), kMost); ++i)
        if ((*it)[i].is_object())
            use((*it)[i]);
}

} // namespace

std::string toJson(const HostFacts& facts)
{
    Json json;
    eachMember(facts, Put { json });
    json["disks"] = Json::array();
    for (const DiskFacts& disk : facts.disks)
        eachDiskMember(disk, Put { json["disks"].emplace_back() });
    json["interfaces"] = Json::array();
    for (const InterfaceFacts& one : facts.interfaces)
        eachInterfaceMember(one, Put { json["interfaces"].emplace_back() });
    // Names come from the machine as bytes; what is no UTF-8 is replaced, not thrown about.
    return jsonText(json);
}

std::optional<HostFacts> hostFactsFromJson(const std::string& text)
{
    // Recordings are untrusted: depth is bounded before the parser recurses into what it built.
    const Json json = parsedJson(text, 4);
    if (!json.is_object())
        return {};
    HostFacts facts;
    eachMember(facts, Take { json });
    eachObject(json, "disks",
        [&](const Json& object) { eachDiskMember(facts.disks.emplace_back(), Take { object }); });
    eachObject(json, "interfaces",
        [&](const Json& object) { eachInterfaceMember(facts.interfaces.emplace_back(), Take { object }); });
    return facts;
}

} // namespace loadstone::lab

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Over 400 lines: drives, pools, levels and volumes are one chain of sums, which share their readings.
#include "lab/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace loadstone::lab {

namespace {

/// Of RAID 50 and its like the group size may be known.
double parityDrives(std::string_view raid, double drives, std::optional<double> groupSize)
{
    const auto is = [&](std::string_view name) { return document::sameChoice(raid, name); };
    const auto groups = [&](double least) {
        return groupSize && *groupSize > 0 ? std::max(least, std::floor(drives / *groupSize)) : least;
    };
    if (is("RAID 3") || is("RAID 4") || is("RAID 5") || is("RAID-Z1"))
        return 1;
    if (is("RAID 6") || is("RAID-DP") || is("RAID-Z2"))
        return 2;
    if (is("RAID-TEC") || is("RAID-TP") || is("RAID-Z3"))
        return 3;
    if (is("RAID 50"))
        return groups(2);
    if (is("RAID 60"))
        return 2 * groups(2);
    return 0;
}

bool isMirrored(std::string_view raid)
{
    return document::sameChoice(raid, "RAID 1") || document::sameChoice(raid, "RAID 10")
        || document::sameChoice(raid, "RAID 0+1") || document::sameChoice(raid, "mirror");
}

/// The fewest drives of a level; 0 for those without one.
double fewestDrives(std::string_view raid)
{
    const auto is = [&](std::string_view name) { return document::sameChoice(raid, name); };
    if (isMirrored(raid))
        return 2;
    if (is("RAID 50"))
        return 6;
    if (is("RAID 60"))
        return 8;
    const double parity = parityDrives(raid, 0, std::nullopt);
    return parity > 0 ? parity + (is("RAID-Z1") || is("RAID-Z2") || is("RAID-Z3") ? 1 : 2) : 0;
}

/// Drives that something is made of: in total, for all of its kind together.
struct Drives {
    double number = 0; ///< spares included
    double spares = 0;
    std::optional<Amount> size; ///< of all; nothing when the size of one is not known
    std::optional<Amount> spareSize;
    Terms terms;
    bool contained = false;
};

class SpaceCheck {
public:
    SpaceCheck(const Draft& draft, const Items& items, LabProblems& findings)
        : m_draft(draft)
        , m_items(items)
        , m_findings(findings)
        , m_drives(items.size())
    {
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (items[i].kind == ItemKind::drive)
                addDrive(i);
            if (const auto on = namedOrContaining(i))
                m_carved[*on].push_back(i);
        }
    }

    void run()
    {
        for (std::size_t i = 0; i < m_items.size(); ++i) {
            const ItemKind kind = m_items[i].kind;
            if (kind == ItemKind::pool || kind == ItemKind::volume)
                takeNamedDrives(i);
            checkRaw(i);
            checkNumber(i);
            checkRaid(i);
            checkUsed(i);
            checkShare(i, "utilisation", "usable_size", "raw_size");
            checkShare(i, "capacity_used", "database_size", "usable_size");
            checkShare(i, "raw_capacity_used", "database_size", "raw_size");
        }
        // After the loop above has seen what all pools are made of.
        for (std::size_t i = 0; i < m_items.size(); ++i)
            checkCarved(i);
        checkDrivesTaken();
    }

private:
    /// The drive in all that contains it.
    void addDrive(std::size_t drive)
    {
        const LabItem& item = m_items[drive];
        const double total = m_items.total(drive);
        const auto size = Amount::of(item, "size");
        const auto add = [&](std::size_t to, bool contained) {
            Drives& drives = m_drives[to];
            drives.contained = drives.contained || contained;
            if (drives.number == 0)
                drives.size = Amount();
            drives.number += total;
            drives.terms.add(termOf(item, size ? "size" : "", total));
            drives.size =
                drives.size && size ? std::optional(drives.size->plus(size->times(total))) : std::nullopt;
            if (item.number("spare") == 1.0 && size) {
                drives.spares += total;
                drives.spareSize = drives.spareSize.value_or(Amount()).plus(size->times(total));
            }
        };
        for (auto at = m_items.parent(drive); at; at = m_items.parent(*at)) {
            add(*at, true);
            if (m_items[*at].kind == ItemKind::machine)
                break;
        }
        const std::string pool = item.text("pool");
        const auto named = pool.empty() ? std::nullopt : m_items.find(pool);
        if (named && !m_items.isWithin(drive, *named))
            add(*named, true);
    }

    /// A pool or volume that says how many of which drives it is made of.
    void takeNamedDrives(std::size_t index)
    {
        const LabItem& item = m_items[index];
        const std::string id = item.text("drive");
        const auto drive = id.empty() ? std::nullopt : m_items.find(id);
        const auto number = item.number("drives");
        Drives& drives = m_drives[index];
        if (!drive || !number || drives.number > 0)
            return;
        const double total = *number * m_items.total(index);
        drives.number = total;
        const auto size = Amount::of(m_items[*drive], "size");
        if (size)
            drives.size = size->times(total);
        drives.terms.add(termOf(m_items[*drive], size ? "size" : "", total));
        m_taken[*drive].push_back({ index, total });
    }

    void checkRaw(std::size_t index)
    {
        const auto raw = Amount::of(m_items[index], "raw_size");
        const Drives& drives = m_drives[index];
        if (!raw || drives.number == 0 || !drives.size)
            return;
        const double total = m_items.total(index);
        const Amount stated = raw->times(total);
        if (stated.agreesWith(*drives.size) || agreesWithoutSpares(stated, index))
            return;
        m_findings.flag(m_draft.pathOf(index, "raw_size"),
            fmt::format("the drives make {} together ({}), raw_size is {}", sizeText(drives.size->value()),
                drives.terms.text(), withTimes(m_items[index].text("raw_size"), total)),
            "correct raw_size, or the number and size of the drives");
    }

    [[nodiscard]] bool agreesWithoutSpares(const Amount& stated, std::size_t index) const
    {
        const Drives& drives = m_drives[index];
        const double spares = m_items[index].number("spares").value_or(0) * m_items.total(index);
        if (spares > 0 && spares < drives.number)
            if (stated.agreesWith(drives.size->times((drives.number - spares) / drives.number)))
                return true;
        return drives.spares > 0 && drives.spares < drives.number && drives.spareSize
            && stated.agreesWith(drives.size->plus(drives.spareSize->times(-1)));
    }

    void checkNumber(std::size_t index)
    {
        const LabItem& item = m_items[index];
        const Drives& drives = m_drives[index];
        if (!drives.contained)
            return;
        const double total = m_items.total(index);
        const double spares = item.number("spares").value_or(0) * total;
        if (const auto stated = item.number("drives"); stated && *stated * total != drives.number
            && *stated * total + spares != drives.number && *stated * total != drives.number - drives.spares)
            m_findings.flag(m_draft.pathOf(index, "drives"),
                fmt::format("{} drives are described ({}), drives is {}", countText(drives.number),
                    drives.terms.text(), withTimes(countText(*stated), total)),
                "correct drives, or the counts of the drives");
        if (const auto bays = item.number("bays"); bays && *bays * total < drives.number)
            m_findings.flag(m_draft.pathOf(index, "bays"),
                fmt::format("{} drives are described ({}), bays is {}", countText(drives.number),
                    drives.terms.text(), withTimes(countText(*bays), total)),
                "correct bays, or the counts of the drives");
    }

    /// Drives of each RAID set, its spares included where they are counted so; nothing when it is not known.
    [[nodiscard]] std::optional<double> drivesOfEach(std::size_t index) const
    {
        if (const auto stated = m_items[index].number("drives"))
            return stated;
        if (m_drives[index].number > 0)
            return m_drives[index].number / m_items.total(index);
        return std::nullopt;
    }

    /// What a RAID level leaves of the drives, of all of the kind together.
    [[nodiscard]] std::optional<Amount> raidLimit(std::size_t index) const
    {
        const LabItem& item = m_items[index];
        std::optional<Amount> raw = m_drives[index].number > 0 ? m_drives[index].size : std::nullopt;
        if (!raw)
            if (const auto stated = Amount::of(item, "raw_size"))
                raw = stated->times(m_items.total(index));
        if (!raw)
            return std::nullopt;
        const std::string raid = item.text("raid");
        if (isMirrored(raid))
            return raw->times(0.5);
        if (document::sameChoice(raid, "replicated"))
            return raw->times(1 / std::max(1.0, item.number("replicas").value_or(1)));
        const auto number = drivesOfEach(index);
        if (!number || *number <= 0)
            return raw;
        const double parity = parityDrives(raid, *number, item.number("group_size"));
        return raw->times(std::max(0.0, (*number - parity) / *number));
    }

    void checkRaid(std::size_t index)
    {
        const LabItem& item = m_items[index];
        const std::string raid = item.text("raid");
        if (raid.empty())
            return;
        if (const auto number = drivesOfEach(index)) {
            const double fewest = fewestDrives(raid);
            const double spares =
                std::max(item.number("spares").value_or(0), m_drives[index].spares / m_items.total(index));
            if (*number < fewest)
                m_findings.flag(m_draft.pathOf(index, "raid"),
                    fmt::format(
                        "{} has at least {} drives, {} has {}", raid, fewest, item.id, countText(*number)),
                    "correct the RAID level or the number of drives");
            else if (isMirrored(raid) && !document::sameChoice(raid, "mirror")
                && !document::sameChoice(raid, "RAID 1") && std::fmod(*number, 2) != 0
                && std::fmod(*number - spares, 2) != 0)
                m_findings.flag(m_draft.pathOf(index, "raid"),
                    fmt::format("{} has pairs of drives, {} has {}", raid, item.id, countText(*number)),
                    "correct the number of drives, or state one of them as a spare");
        }
        const char* key = item.kind == ItemKind::volume ? "size" : "usable_size";
        const auto usable = Amount::of(item, key);
        const auto limit = raidLimit(index);
        if (usable && limit && !usable->times(m_items.total(index)).mayBeAtMost(*limit))
            m_findings.flag(m_draft.pathOf(index, key),
                fmt::format("{} leaves at most {}{}, {} is {}", raid, sizeText(limit->value()),
                    m_drives[index].number > 0 ? fmt::format(" of {}", m_drives[index].terms.text())
                                               : std::string(),
                    key, withTimes(item.text(key), m_items.total(index))),
                fmt::format("correct {}, the RAID level or the drives", key));
    }

    void checkUsed(std::size_t index)
    {
        const LabItem& item = m_items[index];
        const char* whole = item.kind == ItemKind::pool ? "usable_size"
            : item.find("formatted_size") != nullptr    ? "formatted_size"
                                                        : "size";
        const auto check = [&](const char* part, const char* of) {
            const auto inner = Amount::of(item, part), outer = Amount::of(item, of);
            if (inner && outer && !inner->mayBeAtMost(*outer))
                m_findings.flag(m_draft.pathOf(index, part),
                    fmt::format("{} is {}, more than the {} of {}", part, item.text(part), item.text(of), of),
                    fmt::format("correct {} or {}", part, of));
        };
        check("used_size", whole);
        check("formatted_size", "size");
        check("usable_size", "raw_size");
        check("database_size", "usable_size");
    }

    void checkShare(std::size_t index, const char* share, const char* part, const char* whole)
    {
        const LabItem& item = m_items[index];
        const auto stated = Amount::of(item, share), inner = Amount::of(item, part),
                   outer = Amount::of(item, whole);
        const auto computed = inner && outer ? inner->shareOf(*outer) : std::nullopt;
        if (stated && computed && !stated->agreesWith(*computed))
            m_findings.flag(m_draft.pathOf(index, share),
                fmt::format("{} is {:.3g} % of {} ({} of {}), {} is {}", part, computed->value(), whole,
                    item.text(part), item.text(whole), share, item.text(share)),
                fmt::format("correct {}, {} or {}", share, part, whole));
    }

    /// What a volume, a file system or a pool is carved out of.
    [[nodiscard]] std::optional<std::size_t> namedOrContaining(std::size_t index) const
    {
        const LabItem& item = m_items[index];
        if (item.kind != ItemKind::volume && item.kind != ItemKind::filesystem && item.kind != ItemKind::pool)
            return std::nullopt;
        const std::string named = item.text(item.kind == ItemKind::filesystem ? "volume" : "pool");
        if (item.kind != ItemKind::pool && !named.empty())
            return m_items.find(named);
        return m_items.parent(index);
    }

    /// The room in it for what is carved out of it, of all of its kind together, and the key that states it.
    [[nodiscard]] std::optional<Amount> roomIn(std::size_t index, std::string& key) const
    {
        const LabItem& item = m_items[index];
        for (const char* stated : { "usable_size", "formatted_size", "size" })
            if (const auto room = Amount::of(item, stated)) {
                key = stated;
                return room->times(m_items.total(index));
            }
        key = "drives";
        // A machine has volumes of arrays beside those of its own drives.
        return item.kind == ItemKind::machine ? std::nullopt : raidLimit(index);
    }

    void checkCarved(std::size_t index)
    {
        const auto carved = m_carved.find(index);
        if (carved == m_carved.end() || m_items[index].kind == ItemKind::cluster)
            return;
        Amount sum;
        Terms terms;
        bool any = false;
        for (const std::size_t part : carved->second) {
            const LabItem& item = m_items[part];
            const char* key = item.kind == ItemKind::pool ? "raw_size" : "size";
            // Pools with drives of their own take nothing from what contains them.
            if (item.kind == ItemKind::pool
                && (m_drives[part].contained || m_items[index].kind != ItemKind::enclosure))
                continue;
            const auto size = Amount::of(item, key);
            if (!size || document::sameChoice(item.text("provisioning"), "thin"))
                continue;
            if (item.kind == ItemKind::filesystem && isNetworked(item))
                continue;
            // A volume on drives that it names itself takes nothing from the enclosure around it.
            if (item.kind == ItemKind::volume && item.find("drive") != nullptr)
                continue;
            sum = sum.plus(size->times(m_items.total(part)));
            terms.add(termOf(item, key, m_items.total(part)));
            any = true;
        }
        if (!any)
            return;
        std::string key;
        std::optional<Amount> room;
        if (isPoolsOnly(carved->second)) {
            const auto raw = Amount::of(m_items[index], "raw_size");
            room = raw ? std::optional(raw->times(m_items.total(index))) : m_drives[index].size;
            key = raw ? "raw_size" : "drives";
            if (m_drives[index].number == 0 && !raw)
                return;
        } else {
            room = roomIn(index, key);
        }
        if (!room || sum.mayBeAtMost(*room))
            return;
        const std::size_t last = carved->second.back();
        m_findings.flag(m_draft.pathOf(last, m_items[last].kind == ItemKind::pool ? "raw_size" : "size"),
            fmt::format("{} {} together ({}), {} (line {}) has {}", carvedWord(carved->second),
                sizeText(sum.value()), terms.text(), m_items[index].id, m_items[index].line,
                sizeText(room->value())),
            fmt::format("correct the sizes, or {} of {}", key, m_items[index].id));
    }

    [[nodiscard]] bool isPoolsOnly(const std::vector<std::size_t>& parts) const
    {
        return std::all_of(parts.begin(), parts.end(),
            [&](std::size_t part) { return m_items[part].kind == ItemKind::pool; });
    }

    [[nodiscard]] std::string carvedWord(const std::vector<std::size_t>& parts) const
    {
        const ItemKind kind = m_items[parts.back()].kind;
        return kind == ItemKind::filesystem ? "the file systems take"
            : kind == ItemKind::pool        ? "the pools take"
                                            : "the volumes take";
    }

    static bool isNetworked(const LabItem& item)
    {
        const std::string type = item.text("type");
        return type == "nfs" || type == "cifs" || type == "tmpfs" || type == "ceph";
    }

    void checkDrivesTaken()
    {
        for (const auto& [drive, takers] : m_taken) {
            double sum = 0;
            Terms terms;
            for (const auto& [taker, number] : takers) {
                sum += number;
                const LabItem& item = m_items[taker];
                terms.add(fmt::format("{} by {}{}", countText(number), item.id,
                    item.line > 0 ? fmt::format(", line {}", item.line) : std::string()));
            }
            if (sum > m_items.total(drive))
                m_findings.flag(m_draft.pathOf(takers.back().first, "drives"),
                    fmt::format("{} drives are taken ({}), there are {}", countText(sum), terms.text(),
                        termOf(m_items[drive], "", m_items.total(drive))),
                    "correct drives, or the count of the drives");
        }
    }

    static std::string withTimes(const std::string& text, double total)
    {
        return total == 1 ? text : fmt::format("{} x {}", countText(total), text);
    }

    const Draft& m_draft;
    const Items& m_items;
    LabProblems& m_findings;
    std::vector<Drives> m_drives;
    std::map<std::size_t, std::vector<std::pair<std::size_t, double>>>
        m_taken; ///< by drive: by whom, how many
    std::map<std::size_t, std::vector<std::size_t>> m_carved;
};

} // namespace

void checkSpace(const Draft& draft, const Items& items, LabProblems& findings)
{
    SpaceCheck(draft, items, findings).run();
}

} // namespace loadstone::lab

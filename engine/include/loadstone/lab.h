// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "loadstone/problem.h"
#include "loadstone/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone {

class Document;

/// What an item of a lab is. The properties of each kind stand in the table of keys, see keysOf(FileKind::lab).
enum class ItemKind : std::uint8_t {
    site,
    machine,
    processor,
    memory,
    adapter,
    controller,
    enclosure,
    drive,
    pool,
    volume,
    filesystem,
    network,
    os,
    hypervisor,
    software,
    cluster,
    other,
};
const char* toString(ItemKind kind);

enum class LinkKind : std::uint8_t {
    network,
    storage, ///< a path to storage: fibre channel, SAS, iSCSI
    runsOn, ///< a virtual machine on its host, software on a machine; in files "runs on"
    replicates, ///< copies of data
};
const char* toString(LinkKind kind);

/// Where a value comes from.
enum class ValueOrigin : std::uint8_t { typed, detected, imported, notDisclosed };
const char* toString(ValueOrigin origin);

struct LabValue {
    std::string text; ///< as written: "600 GB", "yes"; empty when not disclosed
    std::optional<double> number; ///< in the unit of the property's row; bytes and seconds for those types
    ValueOrigin origin = ValueOrigin::typed;
    std::string by; ///< the reader that detected it ("SMBIOS"), or the source that it was imported from
    std::string when; ///< "2026-11-23 14:05:00" in UTC; empty where it is not known
    bool operator==(const LabValue&) const = default;
};

/// One property of an item: the value that counts, and what else is known.
struct LabProperty {
    std::string key; ///< "size"
    LabValue value; ///< typed, else imported, else detected
    std::optional<LabValue> detected; ///< kept beside a typed or imported value; never overwrites it
    bool known = true; ///< the table of keys has it for this kind
    bool operator==(const LabProperty&) const = default;
};

/// A setting that was changed from its default.
struct LabTuning {
    std::string name; ///< "MsgHandleThreshold"
    std::string place; ///< registry path, configuration file, directory attribute
    std::string type; ///< "REG_DWORD"; empty: not stated
    std::string defaultValue; ///< empty: not stated
    std::string value; ///< as printed: "0x2710"
    std::optional<double> number; ///< of the value, where it is one: 10000 of "0x2710" and of "10,000"
    std::string unit; ///< "pages"; empty: none, or part of the value
    std::string why; ///< the reason, or who recommended it
    bool operator==(const LabTuning&) const = default;
};

struct LabItem {
    std::string id; ///< unique in the lab; of a path "srv1.hba0" each part is a valid id by itself
    ItemKind kind = ItemKind::other;
    std::int64_t count = 1; ///< identical ones
    std::string in; ///< id of the item that contains it; empty: the lab
    std::string name; ///< for people; empty: the id
    std::vector<std::string>
        roles; ///< of machines and clusters: "system under test", "generator", "directory"; own words are kept
    std::vector<LabProperty> properties; ///< in the order of the table of keys, unknown ones last
    std::vector<LabTuning> changed;
    std::string notes;
    std::optional<std::pair<double, double>>
        place; ///< column and row in the diagram, where a person moved it
    int line =
        0; ///< of its header in the file, which for an item of a variant is [[variant.add]]; 0: made by a program
    [[nodiscard]] const LabProperty* find(std::string_view key) const;
    /// The text of a property; empty when absent or not disclosed.
    [[nodiscard]] std::string text(std::string_view key) const;
    [[nodiscard]] std::optional<double> number(std::string_view key) const;
    [[nodiscard]] const std::string& label() const { return name.empty() ? id : name; }
    bool operator==(const LabItem&) const = default;
};

struct LabLink {
    std::string from, to; ///< ids of items
    LinkKind kind = LinkKind::network;
    std::int64_t count = 1; ///< parallel ones, "paths"
    std::vector<LabProperty> properties; ///< speed, duplex, protocol, …
    std::string notes;
    int line = 0;
    bool operator==(const LabLink&) const = default;
};

/// A variant is the lab with differences from a base: first what it removes and unlinks, then what it adds and links, then what it
/// sets.
struct LabVariant {
    std::string id;
    std::string title;
    std::string base; ///< another variant; empty: the lab as it stands
    bool operator==(const LabVariant&) const = default;
};

/// A lab, or one variant of it: always complete, variants are applied by the reader.
struct Lab {
    std::string title;
    std::string description;
    std::string variant; ///< id of the variant that was applied; empty: none
    std::vector<LabItem> items; ///< in the order of the file; a container may stand after what it contains
    std::vector<LabLink> links;
    std::vector<LabVariant> variants; ///< all that the file has
    std::string revision; ///< digest of the file's text: 16 hex digits
    [[nodiscard]] const LabItem* find(std::string_view id) const;
    /// Directly contained; empty id: the top.
    [[nodiscard]] std::vector<const LabItem*> below(std::string_view id) const;
    /// How many there are in total: its count times the counts of what contains it.
    [[nodiscard]] std::int64_t total(const LabItem& item) const;
};

struct CheckedLab {
    Lab lab; ///< as far as it could be read
    std::vector<Problem> problems; ///< by line; sums that do not add up are warnings
    [[nodiscard]] bool usable() const; ///< no error among the problems
};

/// Reads and checks a lab; all its problems at once. Texts of up to 16 MB with up to 10,000 items, 20,000 links and 200 variants;
/// all variants are checked for what they name, the sums of the chosen one alone. `variant`: the one to apply, empty for none; an unknown one is a problem.
/// Any thread.
CheckedLab readLab(const std::string& text, const std::string& name, const std::string& variant = {});
/// The same without parsing the text again.
CheckedLab readLab(const Document& document, const std::string& variant = {});
/// Reads a lab again and again while it is edited, as readLab() does: items whose tables are as they were are not read again. One
/// thread.
class LabReader {
public:
    LabReader();
    ~LabReader();
    LabReader(const LabReader&) = delete;
    LabReader& operator=(const LabReader&) = delete;
    CheckedLab read(const Document& document, const std::string& variant = {});

private:
    struct Before;
    std::unique_ptr<Before> m_before;
};
/// The same from a file; an Error only when it cannot be read.
Result<CheckedLab> checkLab(const std::filesystem::path& file, const std::string& variant = {});
/// The text of a file that reads as this lab; variants are not written.
std::string writeLab(const Lab& lab);

/// One difference of two labs.
struct LabDifference {
    enum class What : std::uint8_t { item, count, property, tuning, link, role };
    What what = What::property;
    std::string item; ///< its id (of links "from -> to")
    std::string label; ///< for people: "Mail server: memory"
    std::string key; ///< of a property or a tuning
    std::string before, after; ///< as printed; empty: absent
    bool operator==(const LabDifference&) const = default;
};
/// What differs, by the order of the first lab's items, then of the second's. Items are matched by id. Compared are the values that
/// count (typed before imported before detected), whatever their origin; place and order never. What is equal in value (600 GB and
/// 0.6 TB) does not differ, nor do texts by case and blanks alone.
std::vector<LabDifference> differences(const Lab& before, const Lab& after);
/// Between what is described (before) and what was detected (after) in one lab. A number that rounds to the described one agrees
/// with it, and sizes agree in steps of 1000 or of 1024.
std::vector<LabDifference> differencesFromDetected(const Lab& lab);

/// The labs that come with the program, in alphabetical order; see shippedPlans().
std::vector<std::filesystem::path> shippedLabs();
/// The file of a lab that a person names: a file, or else the name of a shipped lab, with or without ".toml". The name itself if
/// there is neither.
std::filesystem::path findLab(const std::string& name);

} // namespace loadstone

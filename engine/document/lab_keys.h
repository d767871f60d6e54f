// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/keys.h>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace loadstone::document {

/// The table of keys of labs, in the order of forms. Texts with choices name the usual ones, own words are allowed. Sizes with the
/// unit "GB" count in steps of 1000, as drives do; those with "GiB" in steps of 1024, as memory, caches and blocks do.
std::span<const KeyRow> labKeys();
/// The row of a property: of the kind ("item[drive].size"), else of all kinds ("item[].vendor"). Null: there is none.
const KeyRow* labPropertyRow(std::string_view kind, std::string_view key);
/// The row of a property of links. Null: there is none.
const KeyRow* labLinkRow(std::string_view key);
/// The keys of the properties that a kind of item may have, those of all kinds first.
const std::vector<std::string>& labPropertyKeys(std::string_view kind);
const std::vector<std::string>& labLinkPropertyKeys();

inline constexpr double kGibibyte = 1073741824.0, kTebibyte = 1099511627776.0;

// The parts of the table, each in a file of its own.
std::vector<KeyRow> labFileRows(); ///< the file, its items, links and variants
std::vector<KeyRow> labMachineRows(); ///< sites, machines, processors, memory, adapters, networks
std::vector<KeyRow> labStorageRows(); ///< controllers to file systems
std::vector<KeyRow> labSoftwareRows(); ///< operating systems to deployments

/// Rows by type; `path` and the texts are literals.
namespace rows {
KeyRow text(std::string_view path, std::string_view label, std::string_view help,
    std::initializer_list<std::string_view> usual = {});
KeyRow texts(std::string_view path, std::string_view label, std::string_view help);
KeyRow choice(std::string_view path, std::string_view label, std::initializer_list<std::string_view> choices,
    std::string_view help);
KeyRow flag(std::string_view path, std::string_view label, std::string_view help);
KeyRow count(std::string_view path, std::string_view label, double least, double most, std::string_view help);
KeyRow number(
    std::string_view path, std::string_view label, double least, double most, std::string_view help);
KeyRow percent(std::string_view path, std::string_view label, std::string_view help);
/// KB, MB, GB of 1000, as drives are sold.
KeyRow capacity(std::string_view path, std::string_view label, std::string_view help);
/// KB, MB, GB of 1024, up to `most` bytes.
KeyRow bytes(std::string_view path, std::string_view label, double most, std::string_view help);
KeyRow quantity(std::string_view path, std::string_view label, std::string_view unit, double least,
    double most, std::string_view help);
KeyRow duration(std::string_view path, std::string_view label, double most, std::string_view help);
KeyRow date(std::string_view path, std::string_view label, std::string_view help);
KeyRow tables(std::string_view path, std::string_view help);
KeyRow rare(KeyRow row);
KeyRow required(KeyRow row);
}

} // namespace loadstone::document

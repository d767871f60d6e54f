// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include <loadstone/program.h>

#include <boost/version.hpp>
#include <fmt/format.h>
#include <openssl/crypto.h>
#include <sqlite3.h>

namespace loadstone {

std::string versionText()
{
    return LOADSTONE_VERSION;
}

std::string versionsJson()
{
    return fmt::format(
        R"({{"loadstone": "{}", "compiler": "{}", "boost": "{}.{}.{}", "openssl": "{}", "sqlite": "{}"}})",
        LOADSTONE_VERSION, __VERSION__, BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000,
        BOOST_VERSION % 100, OpenSSL_version(OPENSSL_VERSION_STRING), sqlite3_libversion());
}

} // namespace loadstone

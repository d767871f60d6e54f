// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>

#include <memory>
#include <string>

using SSL_CTX = struct ssl_ctx_st;

namespace loadstone::embedded {

struct TlsContextDeleter {
    void operator()(SSL_CTX* context) const noexcept;
};
using TlsContext = std::unique_ptr<SSL_CTX, TlsContextDeleter>;

/// A server context with the certificate and key of two PEM files, or, when both names are empty, with a
/// self-signed P-256 certificate for `domain`, localhost and the loopback addresses, valid for a week and
/// kept nowhere.
Result<TlsContext> makeTlsContext(
    const std::string& certificateFile, const std::string& keyFile, const std::string& domain);

} // namespace loadstone::embedded

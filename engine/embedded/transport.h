// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/posix_file.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

using SSL = struct ssl_st;
using SSL_CTX = struct ssl_ctx_st;

namespace loadstone::embedded {

/// One non-blocking stream socket, in the clear or, once begun, in TLS.
class Transport {
public:
    enum class Status : unsigned char { Ok, WouldBlock, Closed };
    struct Transfer {
        Status status = Status::Closed;
        std::size_t bytes = 0;
    };

    explicit Transport(FileDescriptor socket)
        : m_socket(std::move(socket))
    {
    }
    [[nodiscard]] int fd() const noexcept { return m_socket.get(); }

    bool beginTls(SSL_CTX* context);
    [[nodiscard]] bool encrypted() const noexcept { return m_ssl != nullptr; }
    /// One step of the handshake.
    Status shakeHands();
    Transfer read(std::span<char> into);
    Transfer write(std::string_view bytes);
    /// No more will be written.
    void shutDown();
    /// The peer will see the connection reset when this object goes.
    void resetOnClose();

private:
    struct SslDeleter {
        void operator()(SSL* ssl) const noexcept;
    };
    [[nodiscard]] Status statusOf(int result) const;

    FileDescriptor m_socket;
    std::unique_ptr<SSL, SslDeleter> m_ssl;
};

} // namespace loadstone::embedded

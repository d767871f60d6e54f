// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/time.h>

#include <boost/system/error_code.hpp>

#include <memory>
#include <span>
#include <string>
#include <string_view>

struct ssl_st;
struct ssl_ctx_st;

namespace boost::asio::ssl {
class context;
}

namespace loadstone::mail {

struct TlsSettings {
    boost::asio::ssl::context* context = nullptr;
    std::string serverName;
};

/// What a handshake came to.
struct TlsFacts {
    std::string version, cipher; ///< "TLSv1.3", "TLS_AES_256_GCM_SHA384"
    std::string subject, issuer; ///< names of the server's certificate
    WallTime notAfter {}; ///< until when it is valid
};

/// The client's side of TLS, straight on the descriptor of a connected, non-blocking socket, which must stay open while it
/// is called. Unlike asio's stream it has no buffers of its own, and OpenSSL gives its back between records: an idle session
/// holds a third of what it would otherwise.
class TlsStream {
public:
    TlsStream(int socket, const TlsSettings& settings);

    enum class Step {
        done,
        waitsForReading, ///< call again, with the same arguments, once the socket is readable
        waitsForWriting,
        failed ///< see error()
    };
    Step handshake();
    /// At least one byte when it is done; see bytes().
    Step read(std::span<char> into);
    Step write(std::string_view bytes);
    [[nodiscard]] std::size_t bytes() const noexcept
    {
        return m_bytes;
    } ///< of the last read or write that was done
    [[nodiscard]] const boost::system::error_code& error() const noexcept { return m_error; }
    [[nodiscard]] TlsFacts facts() const;
    [[nodiscard]] ssl_st* handle() const noexcept { return m_ssl.get(); }

private:
    struct Free {
        void operator()(ssl_st* ssl) const noexcept;
    };
    Step stepOf(int result);

    std::unique_ptr<ssl_st, Free> m_ssl;
    std::size_t m_bytes = 0;
    boost::system::error_code m_error;
};

} // namespace loadstone::mail

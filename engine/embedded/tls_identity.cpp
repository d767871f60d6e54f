// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/tls_identity.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <array>

namespace loadstone::embedded {

namespace {

template <auto release>
struct Releaser {
    template <class T>
    void operator()(T* object) const noexcept
    {
        release(object);
    }
};
using Key = std::unique_ptr<EVP_PKEY, Releaser<EVP_PKEY_free>>;
using Certificate = std::unique_ptr<X509, Releaser<X509_free>>;

Error tlsError(const std::string& what)
{
    std::array<char, 256> text {};
    ERR_error_string_n(ERR_get_error(), text.data(), text.size());
    ERR_clear_error();
    return fail(what + ": " + text.data());
}

bool addExtension(X509* certificate, int kind, const std::string& value)
{
    X509V3_CTX context;
    X509V3_set_ctx_nodb(&context);
    X509V3_set_ctx(&context, certificate, certificate, nullptr, nullptr, 0);
    std::unique_ptr<X509_EXTENSION, Releaser<X509_EXTENSION_free>> extension(
        X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str()));
    return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

Certificate selfSigned(EVP_PKEY* key, const std::string& domain)
{
    constexpr long kWeek = 7L * 24 * 3600;
    Certificate certificate(X509_new());
    if (!certificate)
        return nullptr;
    X509* const x = certificate.get();
    X509_NAME* const name = X509_get_subject_name(x);
    // A common name holds at most 64 characters; the alternative names below are what clients look at.
    const std::string common = domain.substr(0, 64);
    const bool ok = X509_set_version(x, 2) == 1 && ASN1_INTEGER_set(X509_get_serialNumber(x), 1) == 1
        && X509_gmtime_adj(X509_getm_notBefore(x), -3600) != nullptr
        && X509_gmtime_adj(X509_getm_notAfter(x), kWeek) != nullptr && X509_set_pubkey(x, key) == 1
        && X509_NAME_add_entry_by_txt(
               name, "CN", MBSTRING_ASC, reinterpret_cast<const unsigned char*>(common.c_str()), -1, -1, 0)
            == 1
        && X509_set_issuer_name(x, name) == 1 && addExtension(x, NID_basic_constraints, "critical,CA:TRUE")
        && addExtension(
            x, NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1,IP:0:0:0:0:0:0:0:1,DNS:" + domain)
        && X509_sign(x, key, EVP_sha256()) != 0;
    return ok ? std::move(certificate) : nullptr;
}

} // namespace

void TlsContextDeleter::operator()(SSL_CTX* context) const noexcept
{
    SSL_CTX_free(context);
}

Result<TlsContext> makeTlsContext(
    const std::string& certificateFile, const std::string& keyFile, const std::string& domain)
{
    TlsContext context(SSL_CTX_new(TLS_server_method()));
    if (!context)
        return tlsError("TLS");
    SSL_CTX* const c = context.get();
    SSL_CTX_set_min_proto_version(c, TLS1_2_VERSION);
    // Released buffers keep thousands of idle encrypted sessions small.
    SSL_CTX_set_mode(
        c, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER | SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_options(c, SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF);
    if (certificateFile.empty()) {
        const Key key(EVP_EC_gen("P-256"));
        const Certificate certificate = key ? selfSigned(key.get(), domain) : nullptr;
        if (!certificate || SSL_CTX_use_certificate(c, certificate.get()) != 1
            || SSL_CTX_use_PrivateKey(c, key.get()) != 1)
            return tlsError("making a certificate for \"" + domain + "\"");
        return context;
    }
    if (SSL_CTX_use_certificate_chain_file(c, certificateFile.c_str()) != 1)
        return tlsError(certificateFile);
    if (SSL_CTX_use_PrivateKey_file(c, keyFile.c_str(), SSL_FILETYPE_PEM) != 1
        || SSL_CTX_check_private_key(c) != 1)
        return tlsError(keyFile);
    return context;
}

} // namespace loadstone::embedded

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/sasl/scram.h"

#include "protocol/sasl/sasl.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include <algorithm>
#include <array>
#include <charconv>

namespace loadstone::protocol {

namespace {

constexpr std::string_view kHeader = "n,,"; // no channel binding, no other identity
constexpr std::size_t kMostSalt = 1024;

const EVP_MD* digestOf(ScramHash hash)
{
    return hash == ScramHash::sha1 ? EVP_sha1() : EVP_sha256();
}

const unsigned char* unsignedBytes(std::string_view text)
{
    return reinterpret_cast<const unsigned char*>(text.data());
}

/// Empty where OpenSSL refuses.
std::string hmac(ScramHash hash, std::string_view key, std::string_view text)
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes {};
    unsigned size = 0;
    if (HMAC(digestOf(hash), key.data(), static_cast<int>(key.size()), unsignedBytes(text), text.size(),
            bytes.data(), &size)
        == nullptr)
        return {};
    return { reinterpret_cast<const char*>(bytes.data()), size };
}

std::string digest(ScramHash hash, std::string_view text)
{
    std::array<unsigned char, EVP_MAX_MD_SIZE> bytes {};
    unsigned size = 0;
    if (EVP_Digest(text.data(), text.size(), bytes.data(), &size, digestOf(hash), nullptr) != 1)
        return {};
    return { reinterpret_cast<const char*>(bytes.data()), size };
}

std::optional<std::string> pbkdf2(
    ScramHash hash, std::string_view password, std::string_view salt, int iterations)
{
    std::string key(static_cast<std::size_t>(EVP_MD_get_size(digestOf(hash))), '\0');
    if (PKCS5_PBKDF2_HMAC(password.data(), static_cast<int>(password.size()), unsignedBytes(salt),
            static_cast<int>(salt.size()), iterations, digestOf(hash), static_cast<int>(key.size()),
            reinterpret_cast<unsigned char*>(key.data()))
        != 1)
        return std::nullopt;
    return key;
}

std::string drawNonce()
{
    std::array<unsigned char, 18> bytes {};
    if (RAND_bytes(bytes.data(), static_cast<int>(bytes.size())) != 1)
        return {};
    return base64Encode({ reinterpret_cast<const char*>(bytes.data()), bytes.size() });
}

/// RFC 5802, 5.1: neither "," nor "=" stands in a name.
std::string saslName(std::string_view login)
{
    std::string name;
    for (const char c : login)
        if (c == ',')
            name += "=2C";
        else if (c == '=')
            name += "=3D";
        else
            name += c;
    return name;
}

/// Takes "r=value" and the comma behind it off the front of `message`.
std::optional<std::string_view> takeAttribute(std::string_view& message, char name)
{
    if (message.size() < 2 || message[0] != name || message[1] != '=')
        return std::nullopt;
    const std::size_t end = std::min(message.find(','), message.size());
    const std::string_view value = message.substr(2, end - 2);
    message.remove_prefix(std::min(end + 1, message.size()));
    return value;
}

} // namespace

std::optional<std::string> ScramKeys::saltedPassword(
    ScramHash hash, std::string_view password, const std::string& salt, int iterations)
{
    const std::string place =
        (hash == ScramHash::sha1 ? "1:" : "2:") + std::to_string(iterations) + ":" + salt;
    {
        const std::lock_guard lock(m_mutex);
        if (const auto known = m_known.find(place); known != m_known.end())
            return known->second;
    }
    auto key = pbkdf2(hash, password, salt, iterations);
    const std::lock_guard lock(m_mutex);
    ++m_made;
    if (m_known.size() >= kMost)
        m_known.clear();
    if (key)
        m_known.insert_or_assign(place, *key);
    return key;
}

std::size_t ScramKeys::made() const
{
    const std::lock_guard lock(m_mutex);
    return m_made;
}

ScramClient::ScramClient(
    ScramHash hash, std::string_view login, std::string_view password, ScramKeys* keys, std::string nonce)
    : m_hash(hash)
    , m_password(password)
    , m_keys(keys)
    , m_nonce(nonce.empty() ? drawNonce() : std::move(nonce))
{
    if (!m_nonce.empty())
        m_first = std::string(kHeader) + "n=" + saslName(login) + ",r=" + m_nonce;
}

std::optional<std::string> ScramClient::fail(std::string why)
{
    m_error = std::move(why);
    return std::nullopt;
}

std::optional<std::string> ScramClient::answer(std::string_view serverFirst)
{
    std::string_view rest = serverFirst;
    if (rest.starts_with("m="))
        return fail("the server requires an unknown extension of SCRAM (m=)");
    const auto nonce = takeAttribute(rest, 'r');
    const auto salt64 = takeAttribute(rest, 's');
    const auto count = takeAttribute(rest, 'i');
    const auto salt = base64Decode(salt64.value_or(""));
    if (!nonce || !salt64 || !count || !salt || salt->empty() || salt->size() > kMostSalt)
        return fail("the server's first message of SCRAM is not of the form r=...,s=...,i=...");
    if (nonce->size() <= m_nonce.size() || !nonce->starts_with(m_nonce))
        return fail("the server's nonce does not begin with the client's, as SCRAM requires");
    int iterations = 0;
    const auto read = std::from_chars(count->data(), count->data() + count->size(), iterations);
    const bool whole = read.ec == std::errc() && read.ptr == count->data() + count->size();
    if (!whole || iterations < 1 || iterations > kMostIterations)
        return fail("the server asks for an iteration count of " + std::string(count->substr(0, 20))
            + "; from 1 to " + std::to_string(kMostIterations) + " are accepted");

    const auto salted = m_keys != nullptr ? m_keys->saltedPassword(m_hash, m_password, *salt, iterations)
                                          : pbkdf2(m_hash, m_password, *salt, iterations);
    if (!salted)
        return fail("this machine's OpenSSL refuses the hash that this mechanism needs");
    const std::string last = "c=" + base64Encode(kHeader) + ",r=" + std::string(*nonce);
    const std::string all =
        m_first.substr(kHeader.size()) + "," + std::string(serverFirst) + "," + last; // AuthMessage
    std::string proof = hmac(m_hash, *salted, "Client Key");
    const std::string signature = hmac(m_hash, digest(m_hash, proof), all);
    m_serverSignature = hmac(m_hash, hmac(m_hash, *salted, "Server Key"), all);
    if (proof.empty() || signature.size() != proof.size() || m_serverSignature.empty())
        return fail("this machine's OpenSSL refuses the hash that this mechanism needs");
    for (std::size_t i = 0; i < proof.size(); ++i)
        proof[i] = static_cast<char>(proof[i] ^ signature[i]);
    return last + ",p=" + base64Encode(proof);
}

bool ScramClient::verify(std::string_view serverFinal)
{
    if (const auto refusal = takeAttribute(serverFinal, 'e')) {
        m_error = "the server refuses: " + std::string(refusal->substr(0, 60));
        return false;
    }
    const auto signature = base64Decode(takeAttribute(serverFinal, 'v').value_or("?"));
    const bool proven = signature && !m_serverSignature.empty()
        && signature->size() == m_serverSignature.size()
        && CRYPTO_memcmp(signature->data(), m_serverSignature.data(), signature->size()) == 0;
    if (!proven)
        m_error = "the server's signature is wrong: it does not know the password";
    return proven;
}

} // namespace loadstone::protocol

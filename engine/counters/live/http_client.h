// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <loadstone/result.h>
#include <loadstone/time.h>

#include <cstddef>
#include <memory>
#include <stop_token>
#include <string>

namespace loadstone::counters {

/// What is asked for, and how the asking party proves itself.
struct HttpRequest {
    std::string url; ///< http:// or https://, without a user in it
    std::string accept; ///< the header of this name
    std::string user, password; ///< of basic authentication; no user: none
    std::string token; ///< bearer; empty: none
    std::string caFile; ///< PEM; the only authorities to trust; empty: those of the system
    bool verifyCertificate = true;
    Nanoseconds timeLimit {}; ///< from the question to the end of the answer
    std::size_t mostBytes = 0; ///< of the answer, unpacked
};

struct HttpAnswer {
    std::string contentType, body;
};

/// Asks one HTTP server for one page, again and again, over one connection where the server keeps it. Follows no redirection and uses
/// no proxy, whatever the environment says: counters come from the address that the plan names. One thread at a time.
class HttpClient {
public:
    /// An Error says what is wrong with the URL. Asks nothing yet.
    static Result<HttpClient> create(HttpRequest request);
    HttpClient(HttpClient&&) noexcept;
    HttpClient& operator=(HttpClient&&) noexcept;
    ~HttpClient();

    /// Host and port of the URL, for messages: "10.0.0.5:9100".
    [[nodiscard]] const std::string& address() const;
    /// The answer with status 200. Everything else is an Error, without secrets, which begins with the server's address. Ends at once
    /// after `stop`, also with an Error.
    Result<HttpAnswer> get(std::stop_token stop);

private:
    class Impl;
    explicit HttpClient(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace loadstone::counters

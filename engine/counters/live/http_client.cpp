// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/http_client.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <curl/curl.h>
#include <mutex>
#include <system_error>
#include <utility>

namespace loadstone::counters {

namespace {

/// Ends with the program: libcurl is set up once, before any thread uses it.
bool startCurl()
{
    static std::once_flag once;
    static bool works = false;
    std::call_once(once, [] { works = curl_global_init(CURL_GLOBAL_DEFAULT) == CURLE_OK; });
    return works;
}

struct EasyDeleter {
    void operator()(CURL* easy) const { curl_easy_cleanup(easy); }
};
struct MultiDeleter {
    void operator()(CURLM* multi) const { curl_multi_cleanup(multi); }
};
struct UrlDeleter {
    void operator()(CURLU* url) const { curl_url_cleanup(url); }
};
struct ListDeleter {
    void operator()(curl_slist* list) const { curl_slist_free_all(list); }
};

std::string partOfUrl(CURLU* url, CURLUPart part, unsigned flags = 0)
{
    char* text = nullptr;
    if (curl_url_get(url, part, &text, flags) != CURLUE_OK)
        return {};
    std::string value(text);
    curl_free(text);
    return value;
}

/// "10.0.0.5:9100"; an Error where a URL is not one that is asked for.
Result<std::string> addressIn(const std::string& text)
{
    const std::unique_ptr<CURLU, UrlDeleter> url(curl_url());
    if (!url || curl_url_set(url.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK)
        return fail("this is no URL such as http://10.0.0.5:9100/metrics");
    const std::string scheme = partOfUrl(url.get(), CURLUPART_SCHEME);
    if (scheme != "http" && scheme != "https")
        return fail("the URL begins with http:// or https://, not with " + scheme + "://");
    if (!partOfUrl(url.get(), CURLUPART_USER).empty() || !partOfUrl(url.get(), CURLUPART_PASSWORD).empty())
        return fail("the URL has a user or a password in it; they are keys of their own: user and password");
    return partOfUrl(url.get(), CURLUPART_HOST) + ":"
        + partOfUrl(url.get(), CURLUPART_PORT, CURLU_DEFAULT_PORT);
}

/// "connection refused", as other messages have it in mid-sentence.
std::string systemReason(long number)
{
    std::string text = std::generic_category().message(static_cast<int>(number));
    if (!text.empty() && text[0] >= 'A' && text[0] <= 'Z')
        text[0] = static_cast<char>(text[0] - 'A' + 'a');
    return text;
}

std::string statusReason(long status, const HttpRequest& request)
{
    switch (status) {
    case 401:
        if (!request.token.empty())
            return "401: the token is refused";
        return request.user.empty() ? "401: a user and a password, or a token, are wanted"
                                    : "401: the user or the password is refused";
    case 403:
        return "403: this page is forbidden";
    case 404:
        return "404: there is no such page; most exporters have /metrics";
    case 406:
        return "406: the server has no text format of Prometheus";
    default:
        break;
    }
    if (status >= 300 && status < 400)
        return fmt::format("{}: the page is at another address; the plan has to name that one", status);
    return fmt::format("the server answers with status {}", status);
}

} // namespace

class HttpClient::Impl {
public:
    Impl(HttpRequest request, std::string address)
        : m_request(std::move(request))
        , m_address(std::move(address))
        , m_multi(curl_multi_init())
        , m_easy(curl_easy_init())
    {
    }
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl() = default;

    Result<void> prepare()
    {
        if (!m_multi || !m_easy)
            return fail("libcurl does not start");
        m_headers.reset(curl_slist_append(nullptr, ("Accept: " + m_request.accept).c_str()));
        // To libcurl 0 is no limit.
        const auto limit = static_cast<long>(
            std::max<Nanoseconds>(std::chrono::ceil<std::chrono::milliseconds>(m_request.timeLimit),
                std::chrono::milliseconds(1))
            / std::chrono::milliseconds(1));
        bool done = true;
        const auto set = [&](CURLoption option, auto value) {
            done = curl_easy_setopt(m_easy.get(), option, value) == CURLE_OK && done;
        };
        set(CURLOPT_URL, m_request.url.c_str());
        set(CURLOPT_PROTOCOLS_STR, "http,https");
        set(CURLOPT_FOLLOWLOCATION, 0L);
        set(CURLOPT_PROXY, "");
        set(CURLOPT_NOSIGNAL, 1L);
        set(CURLOPT_QUICK_EXIT, 1L); // a stop does not wait for the resolver
        set(CURLOPT_TIMEOUT_MS, limit);
        set(CURLOPT_CONNECTTIMEOUT_MS, limit);
        set(CURLOPT_MAXFILESIZE_LARGE, static_cast<curl_off_t>(m_request.mostBytes));
        set(CURLOPT_ACCEPT_ENCODING, "gzip");
        set(CURLOPT_HTTPHEADER, m_headers.get());
        set(CURLOPT_USERAGENT, "Loadstone");
        set(CURLOPT_SSL_VERIFYPEER, m_request.verifyCertificate ? 1L : 0L);
        set(CURLOPT_SSL_VERIFYHOST, m_request.verifyCertificate ? 2L : 0L);
        if (!m_request.caFile.empty()) {
            set(CURLOPT_CAINFO, m_request.caFile.c_str());
            set(CURLOPT_CAPATH, static_cast<const char*>(nullptr));
        }
        if (!m_request.token.empty()) {
            set(CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BEARER));
            set(CURLOPT_XOAUTH2_BEARER, m_request.token.c_str());
        } else if (!m_request.user.empty()) {
            set(CURLOPT_HTTPAUTH, static_cast<long>(CURLAUTH_BASIC));
            set(CURLOPT_USERNAME, m_request.user.c_str());
            set(CURLOPT_PASSWORD, m_request.password.c_str());
        }
        set(CURLOPT_ERRORBUFFER, m_reason.data());
        set(CURLOPT_WRITEFUNCTION, &Impl::append);
        set(CURLOPT_WRITEDATA, this);
        if (!done)
            return fail("libcurl refuses the settings of " + m_address);
        return {};
    }

    [[nodiscard]] const std::string& address() const { return m_address; }

    Result<HttpAnswer> get(const std::stop_token& stop)
    {
        m_body.clear();
        m_isTooLong = false;
        m_reason[0] = '\0';
        curl_multi_add_handle(m_multi.get(), m_easy.get());
        const CURLcode code = transfer(stop);
        curl_multi_remove_handle(m_multi.get(), m_easy.get());
        if (stop.stop_requested())
            return fault("the question was stopped");
        if (code != CURLE_OK)
            return fault(reasonOf(code));
        long status = 0;
        curl_easy_getinfo(m_easy.get(), CURLINFO_RESPONSE_CODE, &status);
        if (status != 200)
            return fault(statusReason(status, m_request));
        const char* type = nullptr;
        curl_easy_getinfo(m_easy.get(), CURLINFO_CONTENT_TYPE, &type);
        return HttpAnswer { type != nullptr ? type : "", std::move(m_body) };
    }

private:
    static std::size_t append(char* bytes, std::size_t one, std::size_t count, void* self)
    {
        auto& client = *static_cast<Impl*>(self);
        const std::size_t size = one * count;
        if (client.m_body.size() + size > client.m_request.mostBytes) {
            client.m_isTooLong = true;
            return 0; // ends the transfer
        }
        client.m_body.append(bytes, size);
        return size;
    }

    CURLcode transfer(const std::stop_token& stop)
    {
        const std::stop_callback wake(stop, [multi = m_multi.get()] { curl_multi_wakeup(multi); });
        constexpr int kPollMs = 1000; // libcurl's own time limits end it earlier
        int running = 1;
        while (running > 0 && !stop.stop_requested()) {
            if (curl_multi_perform(m_multi.get(), &running) != CURLM_OK)
                return CURLE_FAILED_INIT;
            if (running > 0 && curl_multi_poll(m_multi.get(), nullptr, 0, kPollMs, nullptr) != CURLM_OK)
                return CURLE_FAILED_INIT;
        }
        int left = 0;
        while (const CURLMsg* message = curl_multi_info_read(m_multi.get(), &left))
            if (message->msg == CURLMSG_DONE)
                return message->data.result;
        return CURLE_ABORTED_BY_CALLBACK;
    }

    [[nodiscard]] Error fault(const std::string& text) const { return fail(m_address + ": " + text); }

    [[nodiscard]] std::string reasonOf(CURLcode code) const
    {
        std::string words = m_reason[0] != '\0' ? m_reason.data() : curl_easy_strerror(code);
        for (char& c : words) // some of them are the server's
            c = static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? ' ' : c;
        const double limit = seconds(m_request.timeLimit);
        long number = 0;
        curl_easy_getinfo(m_easy.get(), CURLINFO_OS_ERRNO, &number);
        curl_off_t connected = 0;
        curl_easy_getinfo(m_easy.get(), CURLINFO_CONNECT_TIME_T, &connected);
        if (m_isTooLong || code == CURLE_FILESIZE_EXCEEDED)
            return fmt::format("the answer is larger than {} MB", m_request.mostBytes / (1024 * 1024));
        switch (code) {
        case CURLE_COULDNT_RESOLVE_HOST:
            return "the host's name is not known";
        case CURLE_COULDNT_CONNECT:
            return number != 0 ? systemReason(number) : words;
        case CURLE_OPERATION_TIMEDOUT:
            return fmt::format(
                "{} within {:g} s", connected == 0 ? "no connection" : "no whole answer", limit);
        case CURLE_PEER_FAILED_VERIFICATION:
            return "the certificate is not trusted: " + words + "; ca_file names the authority";
        case CURLE_SSL_CACERT_BADFILE:
            return "ca_file cannot be used: " + words;
        case CURLE_SSL_CONNECT_ERROR:
            return "no TLS connection: " + words;
        case CURLE_PARTIAL_FILE:
        case CURLE_RECV_ERROR:
            return "the answer is cut off: " + (number != 0 ? systemReason(number) : words);
        case CURLE_GOT_NOTHING:
            return "the server closed the connection without an answer";
        case CURLE_UNSUPPORTED_PROTOCOL:
        case CURLE_WEIRD_SERVER_REPLY:
            return "this is no HTTP server";
        default:
            return words;
        }
    }

    HttpRequest m_request;
    std::string m_address;
    std::array<char, CURL_ERROR_SIZE> m_reason {};
    std::string m_body;
    bool m_isTooLong = false;
    // The transfer ends before what holds its connection, and both before what they point to.
    std::unique_ptr<curl_slist, ListDeleter> m_headers;
    std::unique_ptr<CURLM, MultiDeleter> m_multi;
    std::unique_ptr<CURL, EasyDeleter> m_easy;
};

HttpClient::HttpClient(std::unique_ptr<Impl> impl)
    : m_impl(std::move(impl))
{
}
HttpClient::HttpClient(HttpClient&&) noexcept = default;
HttpClient& HttpClient::operator=(HttpClient&&) noexcept = default;
HttpClient::~HttpClient() = default;

Result<HttpClient> HttpClient::create(HttpRequest request)
{
    if (!startCurl())
        return fail("libcurl does not start");
    auto address = addressIn(request.url);
    if (!address)
        return address.error();
    auto impl = std::make_unique<Impl>(std::move(request), *std::move(address));
    if (const auto prepared = impl->prepare(); !prepared)
        return prepared.error();
    return HttpClient(std::move(impl));
}

const std::string& HttpClient::address() const
{
    return m_impl->address();
}

Result<HttpAnswer> HttpClient::get(std::stop_token stop)
{
    return m_impl->get(stop);
}

} // namespace loadstone::counters

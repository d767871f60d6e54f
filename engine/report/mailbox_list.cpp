// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/posix_file.h"
#include "plan/model/plan.h"

#include <loadstone/mailbox_list.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace loadstone {

namespace {

using plan::AuthMethod;

constexpr std::array<std::pair<MailboxListFormat, const char*>, 5> kListFormats { {
    { MailboxListFormat::csv, "csv" },
    { MailboxListFormat::passwdFile, "passwd-file" },
    { MailboxListFormat::ldif, "ldif" },
    { MailboxListFormat::dovecot, "dovecot" },
    { MailboxListFormat::postfix, "postfix" },
} };

struct Entry {
    std::string name, address;
    std::vector<std::string> logins; ///< different ones; mostly one
};

std::string base64(std::string_view bytes)
{
    constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        const auto at = [&](std::size_t j) {
            return j < bytes.size() ? static_cast<unsigned>(static_cast<unsigned char>(bytes[j])) : 0U;
        };
        const unsigned three = at(i) << 16U | at(i + 1) << 8U | at(i + 2);
        for (unsigned j = 0; j < 4; ++j)
            text += i + j > bytes.size() ? '=' : kDigits[three >> (18 - 6 * j) & 63U];
    }
    return text;
}

bool hasControls(std::string_view text)
{
    return std::any_of(text.begin(), text.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte == 0x7f;
    });
}

Error cannotHave(std::string_view what, std::string_view value, std::string_view why)
{
    return fail(fmt::format("the {} \"{}\" cannot stand in this format: {}", what, value, why));
}

/// As RFC 4180 has it, and otherwise as it is: a server is to get the very name and password.
std::string quotedForCsv(std::string_view value)
{
    if (value.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(value);
    std::string text = "\"";
    for (const char c : value)
        text.append(c == '"' ? 2 : 1, c);
    return text + "\"";
}

/// "uid: u00000", or in base64 what RFC 2849 does not take as it is.
void addLdif(std::string& to, std::string_view attribute, std::string_view value)
{
    const bool safe = !value.empty() && value.front() != ' ' && value.front() != ':' && value.front() != '<'
        && value.back() != ' ' && std::all_of(value.begin(), value.end(), [](char c) {
               const auto byte = static_cast<unsigned char>(c);
               return byte != 0 && byte != '\n' && byte != '\r' && byte < 0x80;
           });
    if (safe)
        to.append(attribute).append(": ").append(value).append("\n");
    else
        to.append(attribute).append(":: ").append(base64(value)).append("\n");
}

/// Of a distinguished name (RFC 4514, 2.4).
std::string escapedForDn(std::string_view value)
{
    std::string text;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const char c = value[i];
        const bool edge = (c == ' ' && (i == 0 || i + 1 == value.size())) || (c == '#' && i == 0);
        if (edge || std::string_view("\"+,;<>\\=").find(c) != std::string_view::npos)
            text += '\\';
        text += c;
    }
    return text;
}

std::string baseOf(const std::string& domain)
{
    std::string base;
    for (std::size_t begin = 0; begin <= domain.size();) {
        const std::size_t end = std::min(domain.find('.', begin), domain.size());
        base += (base.empty() ? "dc=" : ",dc=") + escapedForDn(domain.substr(begin, end - begin));
        begin = end + 1;
    }
    return base;
}

/// One format: what stands before all entries, and an entry's lines.
class Writer {
public:
    Writer(const MailboxListOptions& options, const plan::Target& target, std::optional<std::string> password)
        : m_format(options.format)
        , m_domain(target.domain)
        , m_base(options.base.empty() ? baseOf(target.domain) : options.base)
        , m_password(std::move(password))
    {
    }
    [[nodiscard]] std::string head() const
    {
        if (m_format == MailboxListFormat::csv)
            return m_password ? "name,address,login,password\n" : "name,address,login\n";
        return m_format == MailboxListFormat::ldif ? "version: 1\n" : "";
    }
    Result<void> add(std::string& to, const Entry& entry) const
    {
        switch (m_format) {
        case MailboxListFormat::csv:
            return addCsv(to, entry);
        case MailboxListFormat::passwdFile:
            return addAccount(to, entry);
        case MailboxListFormat::ldif:
            return addPerson(to, entry);
        case MailboxListFormat::dovecot:
            return addLogins(to, entry);
        case MailboxListFormat::postfix:
            return addRoute(to, entry);
        }
        return {};
    }

private:
    Result<void> addCsv(std::string& to, const Entry& entry) const
    {
        for (const std::string& login : entry.logins) {
            to += quotedForCsv(entry.name) + "," + quotedForCsv(entry.address) + "," + quotedForCsv(login);
            if (m_password)
                to += "," + quotedForCsv(*m_password);
            to += "\n";
        }
        return {};
    }
    /// passwd(5) has no way to write a colon.
    static Result<void> checkField(std::string_view what, std::string_view value)
    {
        if (value.find(':') != std::string_view::npos)
            return cannotHave(what, value, "it has a colon, which separates fields");
        if (value.starts_with('#') || hasControls(value) || value.empty())
            return cannotHave(what, value, "it is empty, begins with # or has control characters");
        return {};
    }
    Result<void> addAccount(std::string& to, const Entry& entry) const
    {
        if (auto good = checkField("name", entry.name); !good)
            return good;
        if (entry.name.find('/') != std::string::npos || entry.name.front() == '-'
            || entry.name.front() == '.')
            return cannotHave(
                "name", entry.name, "an account of the system has neither / in it nor - or . in front");
        if (const std::string& password = m_password.value();
            password.find(':') != std::string::npos || hasControls(password))
            return fail("the password cannot stand in this format: it has a colon or control characters");
        to += fmt::format(
            "{}:{}:::{}:/home/{}:/usr/sbin/nologin\n", entry.name, *m_password, entry.address, entry.name);
        return {};
    }
    Result<void> addPerson(std::string& to, const Entry& entry) const
    {
        to += "\n";
        addLdif(to, "dn", "uid=" + escapedForDn(entry.name) + "," + m_base);
        addLdif(to, "objectClass", "inetOrgPerson");
        for (const char* attribute : { "uid", "cn", "sn" })
            addLdif(to, attribute, entry.name);
        addLdif(to, "mail", entry.address);
        if (m_password)
            addLdif(to, "userPassword", *m_password);
        return {};
    }
    Result<void> addLogins(std::string& to, const Entry& entry) const
    {
        for (const std::string& login : entry.logins) {
            if (auto good = checkField("login", login); !good)
                return good;
            to += login + ":";
            if (m_password) {
                const bool plain = m_password->find(':') == std::string::npos && !hasControls(*m_password);
                to += plain ? "{PLAIN}" + *m_password : "{PLAIN.b64}" + base64(*m_password);
            }
            to += "::::::\n";
        }
        return {};
    }
    Result<void> addRoute(std::string& to, const Entry& entry) const
    {
        if (entry.address.find_first_of(" \t") != std::string::npos || entry.address.starts_with('#')
            || entry.address.starts_with('"') || hasControls(entry.address))
            return cannotHave("address", entry.address,
                "a table of Postfix ends an address at a blank, and # begins a comment");
        if (entry.name.find('/') != std::string::npos || entry.name == "." || entry.name == "..")
            return cannotHave("name", entry.name, "it would not be the name of a folder");
        to += fmt::format("{} {}/{}/\n", entry.address, m_domain, entry.name);
        return {};
    }

    MailboxListFormat m_format;
    std::string m_domain, m_base;
    std::optional<std::string> m_password;
};

/// Endpoints whose clients log in.
std::vector<const plan::Endpoint*> loginEndpoints(const plan::Target& target)
{
    std::vector<const plan::Endpoint*> all;
    for (const plan::Endpoint* endpoint :
        std::initializer_list<const plan::Endpoint*> { &target.imap, &target.pop3, &target.smtp })
        if (endpoint->present && endpoint->auth != AuthMethod::none)
            all.push_back(endpoint);
    return all;
}

bool usesTokens(const plan::Target& target)
{
    return std::ranges::any_of(loginEndpoints(target), [](const plan::Endpoint* endpoint) {
        return endpoint->auth == AuthMethod::xoauth2 || endpoint->auth == AuthMethod::oauthBearer;
    });
}

/// The password where it may be written; else `without` says why not.
Result<std::optional<std::string>> passwordFor(
    const plan::Target& target, const MailboxListOptions& options, std::string& without)
{
    using Kind = plan::PasswordSource::Kind;
    const auto none = [&](const char* why) {
        without = why;
        return std::optional<std::string>();
    };
    const plan::PasswordSource& source = target.password;
    if (options.format == MailboxListFormat::postfix)
        return std::optional<std::string>();
    if (usesTokens(target))
        return none("the plan's clients log in with a token of OAuth, which a server does not keep");
    if (source.kind == Kind::literal && source.text.empty())
        return none("the plan states none");
    if (source.kind != Kind::literal && !options.withPasswords)
        return none(
            "the plan does not state the password itself; write --with-passwords to have it in the list");
    if (source.kind == Kind::prompt) {
        if (!options.password)
            return fail("the plan asks for the password, and it was not given");
        return options.password;
    }
    auto password = plan::readPassword(source);
    if (!password)
        return password.error();
    return std::optional(*std::move(password));
}

/// The part of the plan that is listed.
Result<plan::MailPlan> partOf(const plan::MailPlan& plan, const std::string& target)
{
    std::vector<plan::MailPlan> parts = plan::partsOf(plan);
    if (target.empty() && parts.size() == 1)
        return std::move(parts.front());
    std::string names;
    for (plan::MailPlan& part : parts) {
        if (!target.empty() && part.targetName == target)
            return std::move(part);
        if (!part.targetName.empty())
            names += (names.empty() ? "" : ", ") + part.targetName;
    }
    if (target.empty())
        return fail(fmt::format("the plan has several targets; name one of them with --target: {}", names));
    return fail(
        fmt::format("the plan has no target \"{}\"{}", target, names.empty() ? "" : "; it has " + names));
}

} // namespace

const char* toString(MailboxListFormat format)
{
    return std::ranges::find(kListFormats, format, &std::pair<MailboxListFormat, const char*>::first)->second;
}

std::optional<MailboxListFormat> mailboxListFormatOf(std::string_view name)
{
    for (const auto& [format, known] : kListFormats)
        if (name == known)
            return format;
    return std::nullopt;
}

Result<MailboxList> listMailboxes(const PlanInput& input, const MailboxListOptions& options,
    const std::function<Result<void>(std::string_view)>& write)
{
    const auto loaded = plan::loadPlan(input);
    if (!loaded)
        return loaded.error();
    if (!loaded->ok())
        return fail("the plan has errors; \"loadstone check\" names them");
    if (loaded->plan.mail() == nullptr)
        return fail("a plan of this kind has no mailboxes");
    const auto part = partOf(*loaded->plan.mail(), options.target);
    if (!part)
        return part.error();
    const plan::Target& target = part->target;
    MailboxList list;
    auto password = passwordFor(target, options, list.without);
    if (!password)
        return password.error();
    list.passwords = password->has_value();
    if (options.format == MailboxListFormat::passwdFile && !list.passwords)
        return fail(fmt::format("newusers(8) needs a password for each account: {}", list.without));
    list.mailboxes = part->largestMix();
    const Writer writer(options, target, *std::move(password));
    const std::vector<const plan::Endpoint*> endpoints = loginEndpoints(target);
    constexpr std::size_t kPiece = 64U * 1024;
    std::string piece = writer.head();
    for (std::uint64_t i = 0; i < list.mailboxes; ++i) {
        Entry entry;
        entry.name = plan::mailboxName(target, i);
        entry.address = entry.name + "@" + target.domain;
        for (const plan::Endpoint* endpoint : endpoints)
            if (std::string login = plan::loginName(target, *endpoint, i);
                std::ranges::find(entry.logins, login) == entry.logins.end())
                entry.logins.push_back(std::move(login));
        if (entry.logins.empty())
            entry.logins.push_back(plan::loginName(target, target.imap, i));
        if (const auto added = writer.add(piece, entry); !added)
            return added.error();
        if (i == 0)
            list.first = entry.name;
        list.last = entry.name;
        if (piece.size() < kPiece && i + 1 < list.mailboxes)
            continue;
        if (const auto written = write(piece); !written)
            return written.error();
        piece.clear();
    }
    return list;
}

Result<MailboxList> listMailboxes(
    const PlanInput& plan, const MailboxListOptions& options, const std::filesystem::path& file)
{
    auto made = TemporaryFile::beside(file, 0600);
    if (!made)
        return made.error();
    auto list = listMailboxes(plan, options, [&](std::string_view lines) { return made->write(lines); });
    if (!list)
        return list;
    if (const auto kept = made->become(false); !kept)
        return kept.error();
    return list;
}

} // namespace loadstone

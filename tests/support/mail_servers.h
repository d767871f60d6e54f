// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/program.h"

#include <cstdint>
#include <map>
#include <string>

namespace loadstone::test {

/// What the servers' own logs say; see mail_servers.sh.
struct ServerCounts {
    std::uint64_t accepted = 0; ///< messages that Postfix took in
    std::uint64_t delivered = 0; ///< recipients that Postfix handed to Dovecot
    std::uint64_t deferred = 0, bounced = 0;
    std::uint64_t saved = 0; ///< messages that Dovecot stored
    std::uint64_t retrieved = 0, deleted = 0; ///< over POP3
    std::uint64_t fetched = 0, expunged = 0; ///< bodies and messages over IMAP, by sessions that ended
    bool operator==(const ServerCounts&) const = default;
};

/// A private Postfix that delivers over LMTP to a private Dovecot, from a temporary folder, on free loopback
/// ports. Any mailbox name of the domain load.test exists; its password is "secret". Stopped with the object.
class MailServers {
public:
    /// simple: PLAIN and LOGIN over POP3 and IMAP, no TLS. every: all that Dovecot has, over SMTP too, STARTTLS, and ports
    /// with TLS from the first byte.
    enum class Logins { simple, every };
    /// prefixed: all folders but the Inbox have names that begin with "INBOX.", and nobody may delete kKeptFolder.
    enum class Folders { plain, prefixed };
    /// address: nobody is logged in who does not say the whole address.
    enum class Names { any, address };
    static constexpr const char* kKeptFolder = "INBOX.Folder 002";
    /// Empty when the servers can be run on this machine, else the reason why not.
    static std::string whyNot(Logins logins = Logins::simple, Folders folders = Folders::plain);

    /// Returns when both answer. Throws std::runtime_error with the servers' complaint.
    /// `more`: variables of mail_servers.sh beside those that follow from the others.
    explicit MailServers(Logins logins = Logins::simple, Folders folders = Folders::plain,
        Names names = Names::any, std::map<std::string, std::string> more = {});
    ~MailServers();
    MailServers(const MailServers&) = delete;
    MailServers& operator=(const MailServers&) = delete;

    [[nodiscard]] std::uint16_t smtpPort() const { return m_smtpPort; }
    [[nodiscard]] std::uint16_t pop3Port() const { return m_pop3Port; }
    [[nodiscard]] std::uint16_t lmtpPort() const { return m_lmtpPort; }
    [[nodiscard]] std::uint16_t imapPort() const { return m_imapPort; }
    // With every login:
    [[nodiscard]] std::uint16_t smtpsPort() const { return m_smtpsPort; }
    [[nodiscard]] std::uint16_t pop3sPort() const { return m_pop3sPort; }
    [[nodiscard]] std::uint16_t imapsPort() const { return m_imapsPort; }
    /// Vouches for mail.load.test and, over POP3 and IMAP, for expired.load.test, whose certificate has expired.
    [[nodiscard]] std::filesystem::path caFile() const { return m_folder.path() / "tls" / "ca.pem"; }
    /// Holds an OAuth token that is good for every mailbox.
    [[nodiscard]] std::filesystem::path tokenFile() const { return m_folder.path() / "token"; }

    [[nodiscard]] std::filesystem::path postfixLog() const { return m_folder.path() / "postfix.log"; }
    [[nodiscard]] std::filesystem::path dovecotLog() const { return m_folder.path() / "dovecot.log"; }
    /// Where Dovecot keeps the mail, a file for each message (sdbox), and what it was told.
    [[nodiscard]] std::filesystem::path mailFolder() const { return m_folder.path() / "dovecot" / "home"; }
    [[nodiscard]] std::filesystem::path dovecotConfig() const
    {
        return m_folder.path() / "dovecot" / "dovecot.conf";
    }
    /// Final only after stop(): the daemons write their logs a moment after the clients have their answers.
    [[nodiscard]] ServerCounts counts() const;
    /// Stops both. Twice does no harm.
    void stop();
    /// Leaves the folder with its logs behind.
    void keepFolder() { m_folder.keep(); }

private:
    [[nodiscard]] ProgramEnd script(const std::string& command) const;

    ScratchFolder m_folder;
    Logins m_logins;
    Folders m_folders;
    Names m_names;
    std::map<std::string, std::string> m_more;
    std::uint16_t m_smtpPort = 0, m_pop3Port = 0, m_lmtpPort = 0, m_imapPort = 0;
    std::uint16_t m_smtpsPort = 0, m_pop3sPort = 0, m_imapsPort = 0;
    bool m_running = false;
};

} // namespace loadstone::test

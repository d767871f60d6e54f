// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <vector>

namespace loadstone::test {

/// A plain IMAP client that shares nothing with the program's own: a witness of what a server holds, and a foreigner who puts
/// things there. Blocking; throws std::runtime_error where a command is not answered with OK.
class ImapTalk {
public:
    ImapTalk(int port, const std::string& user, const std::string& password);
    ~ImapTalk();
    ImapTalk(const ImapTalk&) = delete;
    ImapTalk& operator=(const ImapTalk&) = delete;

    /// The lines that were sent before the tagged OK.
    std::vector<std::string> command(const std::string& text);
    void append(const std::string& folder, const std::string& message);
    std::set<std::string> folders();
    int messages(const std::string& folder);
    /// The values that a header field has in all messages of all folders.
    void collect(const std::string& field, std::multiset<std::string>& values);

private:
    void send(const std::string& text);
    std::string line();

    int m_socket = -1;
    std::string m_in;
    int m_tag = 0;
};

} // namespace loadstone::test

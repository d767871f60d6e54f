// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/imap_talk.h"

#include <arpa/inet.h>
#include <array>
#include <netinet/in.h>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

namespace loadstone::test {

ImapTalk::ImapTalk(int port, const std::string& user, const std::string& password)
    : m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
{
    const timeval patience { 10, 0 };
    ::setsockopt(m_socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_in address {};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (::connect(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        throw std::runtime_error("no connection to the IMAP server");
    line();
    command("LOGIN " + user + " " + password);
}

ImapTalk::~ImapTalk()
{
    ::close(m_socket);
}

void ImapTalk::send(const std::string& text)
{
    for (std::size_t at = 0; at < text.size();) {
        const ssize_t n = ::send(m_socket, text.data() + at, text.size() - at, MSG_NOSIGNAL);
        if (n <= 0)
            throw std::runtime_error("the IMAP server takes nothing");
        at += static_cast<std::size_t>(n);
    }
}

std::string ImapTalk::line()
{
    std::array<char, 4096> buffer {};
    std::size_t end = m_in.find("\r\n");
    while (end == std::string::npos) {
        const ssize_t n = ::recv(m_socket, buffer.data(), buffer.size(), 0);
        if (n <= 0)
            throw std::runtime_error("the IMAP server says nothing");
        m_in.append(buffer.data(), static_cast<std::size_t>(n));
        end = m_in.find("\r\n");
    }
    std::string text = m_in.substr(0, end);
    m_in.erase(0, end + 2);
    return text;
}

std::vector<std::string> ImapTalk::command(const std::string& text)
{
    const std::string tag = "t" + std::to_string(++m_tag);
    send(tag + " " + text + "\r\n");
    std::vector<std::string> lines;
    for (std::string one = line();; one = line()) {
        if (one.rfind(tag + " OK", 0) == 0)
            return lines;
        if (one.rfind(tag + " ", 0) == 0)
            throw std::runtime_error(text + ": " + one);
        lines.push_back(one);
    }
}

void ImapTalk::append(const std::string& folder, const std::string& message)
{
    command("APPEND \"" + folder + "\" {" + std::to_string(message.size()) + "+}\r\n" + message);
}

std::set<std::string> ImapTalk::folders()
{
    std::set<std::string> names;
    for (const std::string& one : command("LIST \"\" \"*\"")) {
        std::string name = one.substr(one.find(") ") + 2); // the delimiter and the name
        name = name.substr(name.find(' ') + 1);
        if (name.front() == '"')
            name = name.substr(1, name.size() - 2);
        names.insert(name);
    }
    return names;
}

int ImapTalk::messages(const std::string& folder)
{
    for (const std::string& one : command("STATUS \"" + folder + "\" (MESSAGES)"))
        if (const auto at = one.find("MESSAGES "); at != std::string::npos)
            return std::stoi(one.substr(at + 9));
    throw std::runtime_error("STATUS said nothing");
}

void ImapTalk::collect(const std::string& field, std::multiset<std::string>& values)
{
    for (const std::string& folder : folders()) {
        command("SELECT \"" + folder + "\"");
        for (const std::string& one : command("UID FETCH 1:* (BODY.PEEK[HEADER.FIELDS (" + field + ")])"))
            if (one.rfind(field + ": ", 0) == 0)
                values.insert(one.substr(field.size() + 2));
    }
}

} // namespace loadstone::test

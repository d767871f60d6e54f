// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// clang-format off
// The command log, CSV with a header line, one line per command in the order in which their replies left:
//   protocol     smtp, lmtp, pop3 or imap
//   connection   number of the connection, from 1 in the order of acceptance
//   address      of the client
//   port         of the client
//   command      number of the command in its connection; 0 is the banner
//   verb         "banner", the command's name, "EOD" for the end of a message's text, "?" for what is no command
//   received_ns  CLOCK_MONOTONIC when read() had returned the command's last byte (banner: when accept() or the
//                TLS handshake had)
//   replied_ns   CLOCK_MONOTONIC right before the write() that carried the reply's last byte; 0: none was sent
//   applied_ns   replied_ns - received_ns, what a client should measure but for the way there and back; 0 likewise
//   reply        SMTP reply code, +OK or -ERR; empty: none
//   fault        refuse, reject, stall, drop, slow, or empty
//   drawn_ns     the service time that was drawn; waiting for capacity, for earlier commands of the same connection
//                and for the end of a freeze come on top in applied_ns
//
// The message log, likewise, one line per accepted copy (per recipient):
//   token        value of the message's X-Loadstone-Token field, empty without
//   mailbox      its local part
//   accepted_ns  CLOCK_MONOTONIC when the message was accepted, before the reply left
//   visible_ns   CLOCK_MONOTONIC from when on it can be read; 0: never
//   fate         delivered, lost, duplicated, damaged or delayed
// clang-format on
#include "embedded/target_log.h"

#include "base/append_format.h"

#include <fmt/format.h>

#include <arpa/inet.h>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

namespace loadstone::embedded {

namespace {

constexpr std::string_view kCommandHeader =
    "protocol,connection,address,port,command,verb,received_ns,replied_ns,applied_ns,reply,fault,drawn_ns\n";
constexpr std::string_view kMessageHeader = "token,mailbox,accepted_ns,visible_ns,fate\n";
// Beyond this the disk is stuck: records are dropped and counted rather than memory filled.
constexpr std::size_t kMaxPending = 1U << 20;
constexpr std::size_t kBlock = 1U << 18;

const char* fateOf(Fault fault)
{
    switch (fault) {
    case Fault::lose:
        return "lost";
    case Fault::duplicate:
        return "duplicated";
    case Fault::damage:
        return "damaged";
    case Fault::delay:
        return "delayed";
    default:
        return "delivered";
    }
}

/// Tokens and mailbox names come from the client: nothing in them may look like another column or line.
std::string field(std::string_view text)
{
    std::string quoted;
    for (const char c : text)
        quoted += c == ',' || c == '"' || static_cast<unsigned char>(c) < ' ' ? '_' : c;
    return quoted;
}

Result<FileDescriptor> create(const std::string& file)
{
    FileDescriptor fd(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
    if (!fd)
        return systemError(file);
    return fd;
}

} // namespace

Result<void> TargetLog::open(const std::string& commandFile, const std::string& messageFile)
{
    if (!commandFile.empty()) {
        auto fd = create(commandFile);
        if (!fd)
            return fd.error();
        m_commandFile = std::move(*fd);
        write(m_commandFile.get(), kCommandHeader);
        m_commands.reserve(65536);
    }
    if (!messageFile.empty()) {
        auto fd = create(messageFile);
        if (!fd)
            return fd.error();
        m_messageFile = std::move(*fd);
        write(m_messageFile.get(), kMessageHeader);
    }
    if (m_commandFile || m_messageFile)
        m_writer = std::thread(&TargetLog::writeLoop, this);
    return {};
}

void TargetLog::add(const CommandRecord& record)
{
    if (!m_commandFile)
        return;
    const std::lock_guard lock(m_mutex);
    if (m_commands.size() < kMaxPending)
        m_commands.push_back(record);
    else
        ++m_dropped;
}

void TargetLog::add(MessageRecord record)
{
    if (!m_messageFile)
        return;
    const std::lock_guard lock(m_mutex);
    if (m_messages.size() < kMaxPending)
        m_messages.push_back(std::move(record));
    else
        ++m_dropped;
}

void TargetLog::writeLoop()
{
    std::vector<CommandRecord> commands;
    std::vector<MessageRecord> messages;
    commands.reserve(65536);
    for (bool ending = false; !ending;) {
        {
            std::unique_lock lock(m_mutex);
            m_wake.wait_for(lock, std::chrono::seconds(1), [this] { return m_ending; });
            ending = m_ending;
            commands.swap(m_commands);
            messages.swap(m_messages);
        }
        writeCommands(commands);
        writeMessages(messages);
        commands.clear();
        messages.clear();
    }
}

void TargetLog::writeCommands(const std::vector<CommandRecord>& records)
{
    std::string text;
    for (const CommandRecord& record : records) {
        char address[INET6_ADDRSTRLEN] = "";
        inet_ntop(record.isIpv6 ? AF_INET6 : AF_INET, record.address.data(), address, sizeof address);
        appendFormat(text, "{},{},{},{},{},{},{},{},{},", record.protocol, record.connection, address,
            record.port, record.command, record.verb, record.receivedNs, record.repliedNs,
            record.repliedNs == 0 ? 0 : record.repliedNs - record.receivedNs);
        if (record.reply == kReplyOk || record.reply == kReplyErr)
            appendFormat(text, "{}", record.reply == kReplyOk ? "+OK" : "-ERR");
        else if (record.reply != 0)
            appendFormat(text, "{}", record.reply);
        appendFormat(text, ",{},{}\n", nameOf(record.fault), record.drawnNs);
        if (text.size() > kBlock) {
            write(m_commandFile.get(), text);
            text.clear();
        }
    }
    write(m_commandFile.get(), text);
}

void TargetLog::writeMessages(const std::vector<MessageRecord>& records)
{
    std::string text;
    for (const MessageRecord& record : records) {
        appendFormat(text, "{},{},{},{},{}\n", field(record.token), field(record.mailbox), record.acceptedNs,
            record.visibleNs, fateOf(record.fault));
        if (text.size() > kBlock) {
            write(m_messageFile.get(), text);
            text.clear();
        }
    }
    write(m_messageFile.get(), text);
}

void TargetLog::write(int fd, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            if (m_problem.empty())
                m_problem = systemError("writing the log").message;
            return;
        }
        text.remove_prefix(static_cast<std::size_t>(n));
    }
}

Result<void> TargetLog::close()
{
    if (m_writer.joinable()) {
        {
            const std::lock_guard lock(m_mutex);
            m_ending = true;
        }
        m_wake.notify_one();
        m_writer.join();
    }
    if (m_dropped > 0 && m_problem.empty())
        m_problem = fmt::format("the log's disk was too slow: {} records are missing", m_dropped);
    if (!m_problem.empty())
        return fail(m_problem);
    return {};
}

} // namespace loadstone::embedded

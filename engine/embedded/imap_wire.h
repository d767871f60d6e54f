// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "embedded/mail_store.h"
#include "protocol/common/deflate.h"
#include "protocol/imap/imap_command.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>

namespace loadstone::embedded {

/// The bytes of one IMAP session. It unpacks what comes where COMPRESS=DEFLATE (RFC 4978) is agreed, cuts it into commands,
/// and compresses what is said. The store counts what it holds.
class ImapWire {
public:
    /// `mostLiteral`: bytes of a literal, until allow().
    ImapWire(MailStore& store, std::uint64_t mostLiteral);
    ImapWire(const ImapWire&) = delete;
    ImapWire& operator=(const ImapWire&) = delete;
    ~ImapWire();

    /// One read of the connection at a time: each has an arrival time of its own, and so have the commands in it.
    void feed(std::string_view bytes);
    /// The next command, the same until answered(); null when more bytes are needed.
    const protocol::ImapCommand* next();
    void answered();
    /// Bytes of a literal, from now on.
    void allow(std::uint64_t mostLiteral) { m_reader.allow(mostLiteral); }
    /// The next line is no command.
    void expectLine() { m_reader.expectLine(); }
    /// Forgets what came and was not taken yet.
    void discard();
    /// Bytes of the session that had come over the wire when its first `end` unpacked bytes were there. Asked in ascending order.
    std::uint64_t cameWith(std::uint64_t end);

    /// Adds `plain` to the output, compressed where that is agreed.
    void say(std::string& out, std::string_view plain);
    /// Compresses both ways once the command at hand is answered.
    void compressAfterAnswer() { m_compressNext = true; }
    [[nodiscard]] bool compressed() const { return m_compression != nullptr; }
    /// Whether what came is no deflate. The command that next() gives then is the last one.
    [[nodiscard]] bool damaged() const { return m_damaged; }
    /// Bytes held beyond the literal under way.
    [[nodiscard]] std::size_t backlog() const { return m_reader.backlog() + m_packedBytes; }

private:
    struct Compression {
        protocol::DeflateReader in;
        protocol::DeflateWriter out;
    };
    struct Mark {
        std::uint64_t heard, came; // the first `heard` unpacked bytes had come with `came` bytes of the wire
    };

    bool unpack();
    void hear(std::string_view plain);
    void countHeld();

    MailStore& m_store;
    protocol::ImapCommandReader m_reader;
    std::unique_ptr<Compression> m_compression;
    bool m_compressNext = false, m_damaged = false;
    std::deque<std::string> m_packed; // came compressed, and is not unpacked yet: as it came, read by read
    std::size_t m_packedBytes = 0;
    std::uint64_t m_came = 0, m_heard = 0; // bytes of the session: over the wire, and unpacked
    std::deque<Mark> m_marks; // while it is compressed
    std::int64_t m_counted = 0; // bytes held, as the store counts them
};

} // namespace loadstone::embedded

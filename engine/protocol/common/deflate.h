// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

struct z_stream_s;

namespace loadstone::protocol {

/// One direction of COMPRESS=DEFLATE (RFC 4978): raw deflate (RFC 1951), every write made whole with a sync flush, so that
/// the other side need not wait for more. Holds some 40 KB: a small window, for lines that resemble each other.
class DeflateWriter {
public:
    DeflateWriter();
    /// Appends the compressed form of `plain`.
    void write(std::string_view plain, std::string& out);
    /// Ends what was written since the last time.
    void flush(std::string& out);

private:
    void run(int flush, std::string& out);
    struct End {
        void operator()(z_stream_s* stream) const noexcept;
    };
    std::unique_ptr<z_stream_s, End> m_stream;
};

/// The other direction, into a buffer of the caller's: whatever a few bytes come to, no more is held than that.
class DeflateReader {
public:
    DeflateReader();
    enum class Status : std::uint8_t {
        needMore,
        bytes, ///< some are there; there may be more
        damaged ///< no deflate, or ended, which this protocol does not know
    };
    /// Takes bytes off the front of `in` and puts into `buffer` what they come to; `out` is the part that was used.
    Status read(std::string_view& in, std::span<char> buffer, std::string_view& out);

private:
    struct End {
        void operator()(z_stream_s* stream) const noexcept;
    };
    std::unique_ptr<z_stream_s, End> m_stream;
};

} // namespace loadstone::protocol

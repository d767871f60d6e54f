// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/common/deflate.h"

#include <algorithm>
#include <limits>
#include <new>
#include <zlib.h>

namespace loadstone::protocol {

namespace {

constexpr int kWindow = 12, kMemory = 5; // 16 KB each: sessions are many
constexpr int kAnyWindow = 15;
constexpr std::size_t kRoom = 1024; // by which the output grows

Bytef* bytesOf(std::string_view text)
{
    return reinterpret_cast<Bytef*>(const_cast<char*>(text.data())); // zlib only reads
}

uInt sizeOf(std::size_t size)
{
    return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

} // namespace

void DeflateWriter::End::operator()(z_stream_s* stream) const noexcept
{
    ::deflateEnd(stream);
    delete stream;
}

DeflateWriter::DeflateWriter()
    : m_stream(new z_stream {})
{
    if (::deflateInit2(m_stream.get(), 1, Z_DEFLATED, -kWindow, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
}

void DeflateWriter::run(int flush, std::string& out)
{
    do {
        const std::size_t before = out.size();
        out.resize(before + kRoom);
        m_stream->next_out = reinterpret_cast<Bytef*>(out.data() + before);
        m_stream->avail_out = kRoom;
        ::deflate(m_stream.get(), flush);
        out.resize(before + kRoom - m_stream->avail_out);
    } while (m_stream->avail_out == 0);
}

void DeflateWriter::write(std::string_view plain, std::string& out)
{
    while (!plain.empty()) {
        const uInt size = sizeOf(plain.size());
        m_stream->next_in = bytesOf(plain);
        m_stream->avail_in = size;
        run(Z_NO_FLUSH, out); // takes it all: it ends only with room to spare
        plain.remove_prefix(size);
    }
}

void DeflateWriter::flush(std::string& out)
{
    m_stream->avail_in = 0;
    run(Z_SYNC_FLUSH, out);
}

void DeflateReader::End::operator()(z_stream_s* stream) const noexcept
{
    ::inflateEnd(stream);
    delete stream;
}

DeflateReader::DeflateReader()
    : m_stream(new z_stream {})
{
    if (::inflateInit2(m_stream.get(), -kAnyWindow) != Z_OK)
        throw std::bad_alloc();
}

DeflateReader::Status DeflateReader::read(std::string_view& in, std::span<char> buffer, std::string_view& out)
{
    const uInt size = sizeOf(in.size());
    m_stream->next_in = bytesOf(in);
    m_stream->avail_in = size;
    m_stream->next_out = reinterpret_cast<Bytef*>(buffer.data());
    m_stream->avail_out = sizeOf(buffer.size());
    const int result = ::inflate(m_stream.get(), Z_SYNC_FLUSH);
    in.remove_prefix(size - m_stream->avail_in);
    out = { buffer.data(), buffer.size() - m_stream->avail_out };
    if (result != Z_OK && result != Z_BUF_ERROR) // Z_BUF_ERROR: there was nothing to do
        return Status::damaged;
    return out.empty() ? Status::needMore : Status::bytes;
}

} // namespace loadstone::protocol

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/log/log_reader.h"

#include "storage/device/transfers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace loadstone::storage {
namespace {

constexpr std::size_t kChunk = 128U << 10; // of one read

} // namespace

LogReader::LogReader(Loop& loop, LogFiles& files, const Checkpoint& checkpoint)
    : m_loop(loop)
    , m_files(files)
    , m_chunk(kChunk / files.geometry().segment * files.geometry().segment)
    , m_streamBegin(files.geometry().segmentBegin(checkpoint.position))
    , m_groupBegin(checkpoint.position)
    , m_next(m_streamBegin)
    , m_from(checkpoint.position)
    , m_life(checkpoint.epoch)
    , m_epoch(checkpoint.positionEpoch)
{
}

Error LogReader::damaged(const std::string& what) const
{
    const LogGeometry& geometry = m_files.geometry();
    return fail(fmt::format("{}, segment {}: {}", m_files.pathOf(geometry.fileOf(m_next)),
        geometry.offsetOf(m_next) / geometry.segment, what));
}

/// The bytes of one segment; none where the file is not there.
Task<Result<std::span<std::byte>>> LogReader::segmentAt(std::uint64_t file, std::uint64_t offset)
{
    const LogGeometry& geometry = m_files.geometry();
    if (file != m_chunkFile || offset < m_chunkOffset
        || offset + geometry.segment > m_chunkOffset + m_chunkLength) {
        const std::optional<FileId> id = m_files.find(file);
        if (!id)
            co_return std::span<std::byte>();
        IoRequest request;
        request.ioClass = IoClass::logRead;
        request.file = *id;
        request.data = m_chunk.data();
        request.offset = offset;
        request.length =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(m_chunk.size(), geometry.fileSize - offset));
        const int error = co_await m_loop.transfer(request);
        if (error != 0)
            co_return transferError(m_files.pathOf(file), "reading", error);
        m_chunkFile = file;
        m_chunkOffset = offset;
        m_chunkLength = request.length;
    }
    co_return m_chunk.bytes().subspan(offset - m_chunkOffset, geometry.segment);
}

Task<Result<bool>> LogReader::readSegment()
{
    const LogGeometry& geometry = m_files.geometry();
    const std::uint64_t file = geometry.fileOf(m_next);
    for (const bool shadow : { false, true }) {
        const std::uint64_t offset = geometry.offsetOf(m_next) + (shadow ? geometry.segment : 0);
        const Result<std::span<std::byte>> segment = co_await segmentAt(file, offset);
        if (!segment)
            co_return segment.error();
        if (segment->empty())
            co_return false;
        const std::optional<SegmentHeader> found = storage::readSegment(*segment, m_files.signature());
        if (!found || found->position != m_next || (found->shadow != 0) != shadow || found->epoch < m_epoch)
            continue;
        const SegmentHeader& header = *found;
        if (header.epoch > m_epoch && m_next > m_streamBegin && header.durable < m_next) {
            // The first flush after a recovery, torn: it began before this segment, and of the one before, an earlier life's
            // content is still there. What that has from the flush's begin on was cut by the recovery.
            m_stream.resize(std::max(header.durable, m_groupBegin) - m_streamBegin);
            co_return false;
        }
        m_epoch = header.epoch;
        m_shadow = shadow;
        m_stream.append(reinterpret_cast<const char*>(segment->data() + sizeof header), header.used);
        m_next += geometry.payload();
        // One that is not full was the last of its flush, and would be full had anything been written behind it since.
        m_ended = header.used < geometry.payload() || shadow;
        co_return true;
    }
    co_return false;
}

Task<Result<std::optional<LogReader::Group>>> LogReader::next()
{
    for (;;) {
        const std::size_t at = m_groupBegin - m_streamBegin;
        GroupHeader header {};
        if (m_stream.size() >= at + sizeof header) {
            std::memcpy(&header, m_stream.data() + at, sizeof header);
            if (m_stream.size() >= at + sizeof header + header.length) {
                const auto records =
                    std::as_bytes(std::span(m_stream)).subspan(at + sizeof header, header.length);
                if (header.length == 0 || groupHash(records, m_groupBegin) != header.hash)
                    co_return damaged("the records are not what was written");
                Group group { m_groupBegin, m_groupBegin + sizeof header + header.length, records };
                m_groupBegin = group.end;
                co_return std::optional(group);
            }
        }
        // What was handed out is no longer needed; the segment that it ends in is, for partial().
        const LogPosition keep = m_files.geometry().segmentBegin(m_groupBegin);
        if (keep > m_streamBegin + kChunk) {
            m_stream.erase(0, keep - m_streamBegin);
            m_streamBegin = keep;
        }
        bool more = false;
        if (!m_ended) {
            const Result<bool> read = co_await readSegment();
            if (!read)
                co_return read.error();
            more = *read;
        }
        if (!more) {
            m_ended = true;
            const Result<void> sound = co_await lookForDamage();
            if (!sound)
                co_return sound.error();
            co_return std::optional<Group>();
        }
    }
}

/// Whether any segment from the log's end on says that more had been durable.
Task<Result<void>> LogReader::lookForDamage()
{
    const LogGeometry& geometry = m_files.geometry();
    const LogPosition end = m_streamBegin + m_stream.size();
    if (end < m_from)
        co_return damaged("the log ends before the checkpoint");
    const std::vector<std::uint64_t> numbers = m_files.numbers();
    for (const std::uint64_t file : numbers) {
        if (file < geometry.fileOf(end))
            continue;
        for (std::uint64_t offset = geometry.segment; offset < geometry.fileSize;
             offset += geometry.segment) {
            const Result<std::span<std::byte>> segment = co_await segmentAt(file, offset);
            if (!segment)
                co_return segment.error();
            const auto header = storage::readSegment(*segment, m_files.signature());
            if (header && header->epoch >= m_life && header->durable > end)
                co_return damaged(
                    fmt::format("damaged or overwritten: the log ends here, and a later part of it says that"
                                " {} more bytes had been written",
                        header->durable - end));
        }
    }
    co_return Result<void>();
}

bool LogReader::endedInShadow() const noexcept
{
    const LogGeometry& geometry = m_files.geometry();
    return m_shadow && geometry.segmentBegin(m_groupBegin) + geometry.payload() == m_next;
}

std::string LogReader::partial() const
{
    const LogPosition begin = m_files.geometry().segmentBegin(m_groupBegin);
    return m_stream.substr(begin - m_streamBegin, m_groupBegin - begin);
}

} // namespace loadstone::storage

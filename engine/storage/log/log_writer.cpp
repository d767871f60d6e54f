// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/log/log_writer.h"

#include "storage/device/transfers.h"
#include "storage/page/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace loadstone::storage {
namespace {

constexpr std::size_t kMostSegments = 512; // in one transfer, its shadow not counted

} // namespace

LogWriter::LogWriter(Loop& loop, LogFiles& files, std::size_t buffer, LogPosition position,
    std::uint32_t epoch, std::span<const std::byte> partial, std::function<LogPosition()> checkpoint,
    Durability durability)
    : m_loop(loop)
    , m_files(files)
    , m_buffer(buffer)
    , m_staging((kMostSegments + 1) * files.geometry().segment)
    , m_begin(position)
    , m_end(position)
    , m_durable(position)
    , m_epoch(epoch)
    , m_checkpoint(std::move(checkpoint))
    , m_durability(durability)
{
    const LogPosition begin = files.geometry().segmentBegin(position);
    for (std::size_t i = 0; i < partial.size(); ++i)
        m_buffer.bytes()[(begin + i) % m_buffer.size()] = partial[i];
    // Until it is looked for, no file counts as ready but the one that the log ends in, where that is there.
    const std::uint64_t file = files.geometry().fileOf(position);
    m_lastFile = file;
}

bool LogWriter::hasRoom(std::size_t records) const noexcept
{
    // What is durable in a segment that is not full is needed until that is written again.
    const LogPosition kept = m_files.geometry().segmentBegin(m_durable);
    return m_end + sizeof(GroupHeader) + records - kept <= m_buffer.size();
}

Task<> LogWriter::waitForRoom(std::size_t records)
{
    ++m_counts.stalls;
    while (!hasRoom(records) && !m_failure) {
        m_wanted = std::max(m_wanted, m_end);
        m_flushWanted.wakeAll(m_loop);
        co_await m_flushed.wait();
    }
}

LogPosition LogWriter::append(std::span<const std::byte> records)
{
    const GroupHeader header { static_cast<std::uint32_t>(records.size()), groupHash(records, m_end) };
    const auto put = [&](std::span<const std::byte> bytes) {
        const std::size_t at = m_end % m_buffer.size(), first = std::min(bytes.size(), m_buffer.size() - at);
        std::memcpy(m_buffer.data() + at, bytes.data(), first);
        std::memcpy(m_buffer.data(), bytes.data() + first, bytes.size() - first);
        m_end += bytes.size();
    };
    put(std::as_bytes(std::span(&header, 1)));
    put(records);
    if (m_end - m_durable >= m_buffer.size() / 2 && m_wanted <= m_durable) {
        m_wanted = m_end;
        ++m_counts.halfFull;
        m_flushWanted.wakeAll(m_loop);
    }
    return m_end;
}

Task<> LogWriter::makeDurable(LogPosition position)
{
    while (m_durable < position && !m_failure) {
        m_wanted = std::max(m_wanted, position);
        m_flushWanted.wakeAll(m_loop);
        co_await m_flushed.wait();
    }
}

void LogWriter::failWith(Error error)
{
    if (!m_failure)
        m_failure = std::move(error);
    m_flushed.wakeAll(m_loop);
    m_flushWanted.wakeAll(m_loop);
    m_fileWanted.wakeAll(m_loop);
    m_fileReady.wakeAll(m_loop);
}

void LogWriter::stop()
{
    m_stopping = true;
    m_wanted = m_end;
    m_flushWanted.wakeAll(m_loop);
    m_fileWanted.wakeAll(m_loop);
}

Task<> LogWriter::run()
{
    while (!m_failure) {
        if (m_wanted <= m_durable) {
            if (m_stopping && m_end <= m_durable) {
                m_fileWanted.wakeAll(m_loop);
                co_return;
            }
            co_await m_flushWanted.wait();
            if (m_stopping)
                m_wanted = m_end;
            continue;
        }
        const Result<void> done = co_await flush();
        if (!done)
            failWith(done.error());
        m_flushed.wakeAll(m_loop);
    }
}

Task<Result<void>> LogWriter::secureEnd(bool fromShadow)
{
    const LogPosition begin = m_files.geometry().segmentBegin(m_durable);
    if (begin == m_durable || planted(Mutant::noShadow))
        co_return Result<void>();
    if (fromShadow) {
        const Result<void> written = co_await write(begin, m_durable, false);
        if (!written)
            co_return written.error();
    }
    co_return co_await write(m_durable, m_durable, true);
}

Task<Result<void>> LogWriter::flush()
{
    const LogGeometry& geometry = m_files.geometry();
    const LogPosition end = m_end;
    ++m_counts.flushes;
    while (m_durable < end) {
        const std::uint64_t file = geometry.fileOf(m_durable);
        while (m_lastFile < file || !m_files.find(file)) {
            m_fileWanted.wakeAll(m_loop);
            co_await m_fileReady.wait();
            if (m_failure)
                co_return *m_failure;
        }
        const LogPosition first = geometry.segmentBegin(m_durable), fileEnd = geometry.beginOf(file + 1);
        const LogPosition to = std::min({ end, fileEnd, first + kMostSegments * geometry.payload() });
        const LogPosition alone = first + geometry.payload();
        const bool again = m_durable > first && !planted(Mutant::rewriteWithRest);
        const bool shadow = to % geometry.payload() != 0 && !planted(Mutant::noShadow);
        if (again) {
            const Result<void> rewritten = co_await write(first, std::min(to, alone), false);
            if (!rewritten)
                co_return rewritten.error();
        }
        const LogPosition rest = again ? std::min(to, alone) : first;
        if (rest < to || shadow) {
            const Result<void> written = co_await write(rest, to, shadow);
            if (!written)
                co_return written.error();
        }
        m_durable = to;
        if (file + 1 > m_lastFile)
            m_fileWanted.wakeAll(m_loop);
    }
    co_return Result<void>();
}

/// Writes the segments from the one that begins at `from` to the one that ends at `to`, all of one file, and the shadow of the
/// last one behind it. Nothing but the shadow, where from is to.
Task<Result<void>> LogWriter::write(LogPosition from, LogPosition to, bool shadow)
{
    const LogGeometry& geometry = m_files.geometry();
    const LogPosition last = geometry.segmentBegin(to - 1);
    std::size_t segments = 0;
    const auto stage = [&](LogPosition begin, bool asShadow) {
        const auto segment = m_staging.bytes().subspan(segments++ * geometry.segment, geometry.segment);
        const auto used = static_cast<std::size_t>(std::min<LogPosition>(to - begin, geometry.payload()));
        const std::size_t at = begin % m_buffer.size(), whole = std::min(used, m_buffer.size() - at);
        std::byte* const payload = segment.data() + sizeof(SegmentHeader);
        std::memcpy(payload, m_buffer.data() + at, whole);
        std::memcpy(payload + whole, m_buffer.data(), used - whole);
        SegmentHeader header {};
        header.position = begin;
        header.durable = m_durable;
        header.signature = m_files.signature();
        header.epoch = m_epoch;
        header.used = static_cast<std::uint16_t>(used);
        header.shadow = asShadow;
        sealSegment(segment, header);
    };
    for (LogPosition begin = from; begin < to; begin += geometry.payload())
        stage(begin, false);
    if (shadow)
        stage(last, true);
    const std::uint64_t number = geometry.fileOf(last);
    const std::optional<FileId> file = m_files.find(number);
    if (!file)
        co_return fail(fmt::format("{}: no log file has the part that is to be written (position {})",
            m_files.pathOf(number), last));
    IoRequest request;
    request.kind = IoKind::write;
    request.ioClass = IoClass::logWrite;
    request.file = *file;
    request.data = m_staging.data();
    request.offset = from < to ? geometry.offsetOf(from) : geometry.offsetOf(last) + geometry.segment;
    request.length = static_cast<std::uint32_t>(segments * geometry.segment);
    ++m_counts.writes;
    m_counts.bytes += request.length;
    int error = co_await m_loop.transfer(request);
    if (error == 0 && m_durability == Durability::flushed) {
        IoRequest sync;
        sync.kind = IoKind::flush;
        sync.ioClass = IoClass::logWrite;
        sync.file = request.file;
        error = co_await m_loop.transfer(sync);
    }
    if (error != 0)
        co_return transferError(m_files.pathOf(number), "writing", error);
    co_return Result<void>();
}

Task<> LogWriter::prepareFiles()
{
    const LogGeometry& geometry = m_files.geometry();
    while (!m_failure && !(m_stopping && m_end <= m_durable)) {
        // The file in use, and the one after it.
        const std::uint64_t wanted = geometry.fileOf(m_durable) + 1;
        const std::uint64_t next = m_files.find(m_lastFile) ? m_lastFile + 1 : m_lastFile;
        if (next > wanted) {
            co_await m_fileWanted.wait();
            continue;
        }
        const std::uint64_t needed =
            planted(Mutant::logReusedEarly) ? geometry.fileOf(m_durable) : geometry.fileOf(m_checkpoint());
        const Result<FileId> ready = co_await m_files.prepare(next, needed);
        if (!ready)
            co_return failWith(ready.error());
        m_lastFile = next;
        ++m_counts.filesBegun;
        m_fileReady.wakeAll(m_loop);
    }
}

} // namespace loadstone::storage

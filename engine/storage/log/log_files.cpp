// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/log/log_files.h"

#include "storage/device/aligned_memory.h"
#include "storage/device/transfers.h"

#include <fmt/format.h>

#include <algorithm>

namespace loadstone::storage {
namespace {

constexpr std::size_t kFillSize = 1U << 20; // of one write that fills a new file
constexpr std::size_t kMostMissing = 64; // files behind the last one that are looked for

} // namespace

LogFiles::LogFiles(Loop& loop, std::filesystem::path folder, std::string prefix, const LogGeometry& geometry,
    std::uint32_t signature, const FileOptions& options)
    : m_loop(loop)
    , m_folder(std::move(folder))
    , m_prefix(std::move(prefix))
    , m_geometry(geometry)
    , m_signature(signature)
    , m_options(options)
{
}

std::filesystem::path LogFiles::pathOf(
    const std::filesystem::path& folder, const std::string& prefix, std::size_t slot)
{
    return folder / fmt::format("{}{:06}.log", prefix, slot + 1);
}

Task<Result<void>> LogFiles::openAll(std::uint64_t needed)
{
    while (m_loop.device().exists(pathOfSlot(m_slots.size()))) {
        Slot slot;
        slot.path = pathOfSlot(m_slots.size());
        const Result<FileId> file = m_loop.device().open(slot.path, m_options);
        if (!file)
            co_return file.error();
        slot.file = *file;
        const Result<bool> whole = co_await readSlot(slot, needed);
        if (!whole || !*whole)
            m_loop.device().close(slot.file);
        if (!whole)
            co_return whole.error();
        if (!*whole)
            co_return m_loop.device().remove(slot.path);
        m_slots.push_back(std::move(slot));
    }
    for (std::size_t later = 1; later <= kMostMissing; ++later)
        if (m_loop.device().exists(pathOfSlot(m_slots.size() + later)))
            co_return fail(
                pathOfSlot(m_slots.size()).string() + ": this log file is missing, and later ones exist");
    co_return Result<void>();
}

/// Finds out which part the next file has. False: it was being made when all ended.
Task<Result<bool>> LogFiles::readSlot(Slot& slot, std::uint64_t needed)
{
    const AlignedMemory header(std::max<std::size_t>(m_geometry.segment, m_loop.device().block()));
    const std::uint64_t size = m_loop.device().size(slot.file);
    if (size >= header.size()) {
        const Result<void> read =
            co_await readAt(m_loop, slot.file, 0, header.bytes(), IoClass::logRead, slot.path.string());
        if (!read)
            co_return read.error();
        if (const auto head = readLogHeader(header.bytes().first(m_geometry.segment))) {
            if (head->signature != m_signature || head->segment != m_geometry.segment
                || head->fileSize != m_geometry.fileSize)
                co_return fail(
                    slot.path.string() + ": belongs to another storage group; move it to another folder");
            slot.number = head->number;
        }
    }
    // Its header would have been written when all of it was there.
    const bool last = !m_loop.device().exists(pathOfSlot(m_slots.size() + 1));
    if (size < m_geometry.fileSize && !slot.number && last)
        co_return false;
    if (size != m_geometry.fileSize)
        co_return fail(
            fmt::format("{}: {} bytes long, and a log file of this group has {}: it was cut or extended",
                slot.path.string(), size, m_geometry.fileSize));
    if (!slot.number) {
        const Result<void> sound = co_await checkUnnumbered(slot, needed);
        if (!sound)
            co_return sound.error();
    }
    co_return true;
}

Task<Result<void>> LogFiles::flushAll()
{
    for (const Slot& slot : m_slots) {
        const Result<void> flushed =
            co_await flushFile(m_loop, slot.file, IoClass::other, slot.path.string());
        if (!flushed)
            co_return flushed.error();
    }
    co_return Result<void>();
}

void LogFiles::closeAll()
{
    for (const Slot& slot : m_slots)
        m_loop.device().close(slot.file);
    m_slots.clear();
}

/// A file whose header says nothing: it is new, or was being made ready for another part. Else its segments tell.
Task<Result<void>> LogFiles::checkUnnumbered(const Slot& slot, std::uint64_t needed)
{
    const AlignedMemory memory(kFillSize / m_geometry.segment * m_geometry.segment);
    for (std::uint64_t offset = 0; offset < m_geometry.fileSize; offset += memory.size()) {
        const auto part =
            memory.bytes().first(std::min<std::uint64_t>(memory.size(), m_geometry.fileSize - offset));
        const Result<void> read =
            co_await readAt(m_loop, slot.file, offset, part, IoClass::logRead, slot.path.string());
        if (!read)
            co_return read.error();
        for (std::size_t at = 0; at + m_geometry.segment <= part.size(); at += m_geometry.segment) {
            const auto header = readSegment(part.subspan(at, m_geometry.segment), m_signature);
            if (header && m_geometry.fileOf(header->position) >= needed)
                co_return fail(
                    fmt::format("{}: its header is damaged, and it has a part of the log that is needed",
                        slot.path.string()));
        }
    }
    co_return Result<void>();
}

std::optional<FileId> LogFiles::find(std::uint64_t number) const
{
    for (const Slot& slot : m_slots)
        if (slot.number == number)
            return slot.file;
    return {};
}

std::string LogFiles::pathOf(std::uint64_t number) const
{
    for (const Slot& slot : m_slots)
        if (slot.number == number)
            return slot.path.string();
    return fmt::format("{}*.log: file {} of the log", (m_folder / m_prefix).string(), number + 1);
}

std::vector<std::uint64_t> LogFiles::numbers() const
{
    std::vector<std::uint64_t> all;
    for (const Slot& slot : m_slots)
        if (slot.number)
            all.push_back(*slot.number);
    std::sort(all.begin(), all.end());
    return all;
}

Task<Result<std::size_t>> LogFiles::makeSlot()
{
    Slot slot;
    slot.path = pathOfSlot(m_slots.size());
    const Result<FileId> file = m_loop.device().create(slot.path, m_geometry.fileSize, m_options);
    if (!file)
        co_return file.error();
    slot.file = *file;
    const Result<void> filled = co_await fillWithZeros(slot);
    if (!filled) {
        m_loop.device().close(slot.file);
        static_cast<void>(m_loop.device().remove(slot.path)); // what went wrong first is told
        co_return filled.error();
    }
    ++m_created;
    m_slots.push_back(std::move(slot));
    co_return m_slots.size() - 1;
}

/// Written once, so that no write of the load has to turn reserved blocks into written ones.
Task<Result<void>> LogFiles::fillWithZeros(const Slot& slot)
{
    const AlignedMemory zeros(std::min<std::size_t>(kFillSize, m_geometry.fileSize));
    for (std::uint64_t offset = 0; offset < m_geometry.fileSize; offset += zeros.size()) {
        IoRequest request;
        request.kind = IoKind::write;
        request.ioClass = IoClass::other;
        request.file = slot.file;
        request.data = zeros.data();
        request.offset = offset;
        request.length =
            static_cast<std::uint32_t>(std::min<std::uint64_t>(zeros.size(), m_geometry.fileSize - offset));
        const int error = co_await m_loop.transfer(request);
        if (error != 0)
            co_return transferError(slot.path.string(), "writing", error);
    }
    co_return Result<void>();
}

Task<Result<void>> LogFiles::makeAtLeast(std::size_t files)
{
    while (m_slots.size() < files) {
        const Result<std::size_t> made = co_await makeSlot();
        if (!made)
            co_return made.error();
    }
    co_return Result<void>();
}

Task<Result<FileId>> LogFiles::prepare(std::uint64_t number, std::uint64_t needed)
{
    if (const auto there = find(number))
        co_return *there;
    const auto old = std::find_if(m_slots.begin(), m_slots.end(),
        [&](const Slot& slot) { return !slot.number || *slot.number < needed; });
    std::size_t index = static_cast<std::size_t>(old - m_slots.begin());
    if (old == m_slots.end()) {
        const Result<std::size_t> made = co_await makeSlot();
        if (!made)
            co_return made.error();
        index = *made;
    }
    m_slots[index].number.reset();
    const FileId file = m_slots[index].file;
    const AlignedMemory header(std::max<std::size_t>(m_geometry.segment, m_loop.device().block()));
    writeLogHeader(header.bytes().first(m_geometry.segment), m_geometry, m_signature, number);
    IoRequest request;
    request.kind = IoKind::write;
    request.ioClass = IoClass::other;
    request.file = file;
    request.data = header.data();
    request.length = static_cast<std::uint32_t>(m_geometry.segment);
    int error = co_await m_loop.transfer(request);
    if (error == 0 && m_options.durability == Durability::flushed) {
        IoRequest flush;
        flush.kind = IoKind::flush;
        flush.ioClass = IoClass::other;
        flush.file = file;
        error = co_await m_loop.transfer(flush);
    }
    if (error != 0)
        co_return transferError(m_slots[index].path.string(), "writing", error);
    m_slots[index].number = number;
    co_return file;
}

} // namespace loadstone::storage

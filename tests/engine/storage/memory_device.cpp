// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/storage/memory_device.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/uio.h>

namespace loadstone::test {

using namespace storage;

MemoryDevice::MemoryDevice(MemoryDisk& disk, std::uint64_t seed)
    : m_disk(disk)
    , m_random(seed)
{
}

Result<FileId> MemoryDevice::create(
    const std::filesystem::path& path, std::uint64_t size, const FileOptions& options)
{
    if (exists(path))
        return fail(path.string() + ": exists");
    m_disk.files[path.string()].assign(size, std::byte {});
    return open(path, options);
}

Result<FileId> MemoryDevice::open(const std::filesystem::path& path, const FileOptions& options)
{
    if (!exists(path))
        return fail(path.string() + ": No such file or directory");
    m_files.push_back({ path.string(), options.durability == Durability::writeThrough });
    if (!m_files.back().writeThrough)
        m_disk.cached.try_emplace(path.string(), m_disk.files[path.string()]);
    return static_cast<FileId>(m_files.size() - 1);
}

Result<void> MemoryDevice::grow(FileId file, std::uint64_t size)
{
    m_disk.files[m_files[file].path].resize(size);
    content(file).resize(size);
    return {};
}

std::uint64_t MemoryDevice::size(FileId file) const
{
    return m_disk.files.at(m_files[file].path).size();
}

void MemoryDevice::close(FileId file)
{
    m_files[file].open = false;
}

std::size_t MemoryDevice::openFiles() const
{
    return static_cast<std::size_t>(
        std::count_if(m_files.begin(), m_files.end(), [](const File& file) { return file.open; }));
}

Result<void> MemoryDevice::remove(const std::filesystem::path& path)
{
    m_disk.files.erase(path.string());
    m_disk.cached.erase(path.string());
    std::erase_if(m_disk.unflushed, [&](const Write& write) { return write.path == path.string(); });
    return {};
}

bool MemoryDevice::exists(const std::filesystem::path& path) const
{
    return m_disk.files.contains(path.string());
}

std::vector<std::byte>& MemoryDevice::content(FileId file)
{
    return (m_files[file].writeThrough ? m_disk.files : m_disk.cached).at(m_files[file].path);
}

void MemoryDevice::forgetMemory(std::span<std::byte> gone)
{
    std::erase_if(memory, [&](std::span<std::byte> one) { return one.data() == gone.data(); });
}

void MemoryDevice::submit(std::span<const IoRequest> requests)
{
    for (const IoRequest& request : requests)
        (holdFlushes && request.kind == IoKind::flush ? m_held : m_pending).push_back(request);
}

MemoryDevice::Write MemoryDevice::takeBytes(const IoRequest& request) const
{
    Write write { m_files[request.file].path, request.offset, {} };
    if (request.pieces.empty())
        write.bytes.assign(request.data, request.data + request.length);
    for (const iovec& piece : request.pieces) {
        const auto* const begin = static_cast<const std::byte*>(piece.iov_base);
        write.bytes.insert(write.bytes.end(), begin, begin + piece.iov_len);
    }
    return write;
}

void MemoryDevice::put(const Write& write, std::vector<std::byte>& into)
{
    std::copy(
        write.bytes.begin(), write.bytes.end(), into.begin() + static_cast<std::ptrdiff_t>(write.offset));
}

void MemoryDevice::carryOut(const IoRequest& request, IoCompletion& completion)
{
    const File& file = m_files[request.file];
    if (!file.open) {
        completion.error = EBADF;
        return;
    }
    std::vector<std::byte>& bytes = content(request.file);
    if (request.kind == IoKind::flush) {
        for (const Write& write : m_disk.unflushed)
            if (write.path == file.path)
                put(write, m_disk.files.at(file.path));
        std::erase_if(m_disk.unflushed, [&](const Write& write) { return write.path == file.path; });
        return;
    }
    const int fails = request.kind == IoKind::write ? failWritesWith : failReadsWith;
    if (fails != 0 && file.path.find(failPath) != std::string::npos) {
        completion.error = fails;
        return;
    }
    if (request.offset + request.length > bytes.size()) {
        completion.error = EIO;
        return;
    }
    if (request.kind == IoKind::write) {
        Write write = takeBytes(request);
        put(write, bytes);
        if (!file.writeThrough)
            m_disk.unflushed.push_back(std::move(write));
        return;
    }
    const std::byte* from = bytes.data() + request.offset;
    if (request.pieces.empty())
        std::memcpy(request.data, from, request.length);
    for (const iovec& piece : request.pieces) {
        std::memcpy(piece.iov_base, from, piece.iov_len);
        from += piece.iov_len;
    }
}

std::size_t MemoryDevice::reap(std::span<IoCompletion> completions, Nanoseconds wait)
{
    m_now += m_pending.empty() ? wait : std::chrono::microseconds(100);
    const std::size_t most = std::min(completions.size(), m_pending.size());
    const std::size_t count = most == 0 ? 0 : m_random.below(most) + (wait > Nanoseconds(0) ? 1 : 0);
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t at = m_random.below(m_pending.size());
        const IoRequest request = m_pending[at];
        m_pending[at] = m_pending.back();
        m_pending.pop_back();
        IoCompletion& done = completions[i];
        done = { request.tag, 0, request.file, request.kind, request.ioClass, request.length, request.queued,
            request.queued, m_now };
        carryOut(request, done);
    }
    return count;
}

void MemoryDevice::survive(const Write& write)
{
    std::vector<std::byte>& durable = m_disk.files.at(write.path);
    const std::uint64_t dice = m_random.below(4);
    if (dice == 0)
        return put(write, durable);
    if (dice == 1) {
        ++droppedWrites;
        return;
    }
    ++tornWrites;
    constexpr std::size_t kSector = 512;
    for (std::size_t sector = 0; sector < write.bytes.size(); sector += kSector) {
        std::size_t begin = 0, end = std::min(kSector, write.bytes.size() - sector);
        switch (m_random.below(8)) {
        case 0: // the first part is new
            end = m_random.below(end);
            break;
        case 1: // the last part is
            begin = m_random.below(end);
            break;
        case 2:
        case 3:
        case 4:
            continue;
        default:;
        }
        std::copy(write.bytes.begin() + static_cast<std::ptrdiff_t>(sector + begin),
            write.bytes.begin() + static_cast<std::ptrdiff_t>(sector + end),
            durable.begin() + static_cast<std::ptrdiff_t>(write.offset + sector + begin));
    }
}

void MemoryDevice::crash()
{
    std::vector<Write> lost = std::move(m_disk.unflushed);
    for (const IoRequest& request : m_pending)
        if (request.kind == IoKind::write)
            lost.push_back(takeBytes(request));
    while (!lost.empty()) {
        const std::size_t at = m_random.below(lost.size());
        survive(lost[at]);
        lost[at] = std::move(lost.back());
        lost.pop_back();
    }
    m_disk.cached.clear();
    m_disk.unflushed.clear();
    m_pending.clear();
    m_held.clear();
}

void MemoryDevice::kill()
{
    IoCompletion nobodys;
    for (const IoRequest& request : m_pending)
        if (request.kind == IoKind::write && m_random.below(2) == 0)
            carryOut(request, nobodys);
    m_pending.clear();
    m_held.clear();
}

} // namespace loadstone::test

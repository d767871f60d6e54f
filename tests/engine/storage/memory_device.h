// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "base/random.h"
#include "storage/device.h"

#include <map>
#include <string>
#include <vector>

namespace loadstone::test {

/// What survives a crash.
struct MemoryDisk {
    std::map<std::string, std::vector<std::byte>> files;
};

/// A device whose transfers complete in a random order, and whose writes are only as durable as they are said to be. At a crash,
/// each write that is not durable is there, or not, or torn: of its 512-byte sectors some are new and some are old, and
/// one may be half and half. Time passes only while somebody waits.
class MemoryDevice : public storage::Device {
public:
    MemoryDevice(MemoryDisk& disk, std::uint64_t seed);

    Result<storage::FileId> create(
        const std::filesystem::path& path, std::uint64_t size, const storage::FileOptions& options) override;
    Result<storage::FileId> open(
        const std::filesystem::path& path, const storage::FileOptions& options) override;
    Result<void> grow(storage::FileId file, std::uint64_t size) override;
    [[nodiscard]] std::uint64_t size(storage::FileId file) const override;
    void close(storage::FileId) override { }
    Result<void> remove(const std::filesystem::path& path) override;
    [[nodiscard]] bool exists(const std::filesystem::path& path) const override;
    [[nodiscard]] std::uint32_t block() const override { return 512; }
    void useMemory(std::span<std::byte>) override { }
    void submit(std::span<const storage::IoRequest> requests) override;
    std::size_t reap(std::span<storage::IoCompletion> completions, Nanoseconds wait) override;
    [[nodiscard]] std::size_t pending() const override { return m_pending.size(); }
    [[nodiscard]] MonoTime now() const override { return m_now; }

    /// The power goes. Nothing else may be called any more.
    void crash();

    std::uint64_t tornWrites = 0, droppedWrites = 0;
    int failWritesWith = 0; ///< errno of every write from now on
    std::string failPath; ///< only of files whose path has this in it

private:
    struct File {
        std::string path;
        bool writeThrough = true;
        std::vector<std::byte> seen; // !writeThrough: with all that was written
    };
    struct Write {
        storage::FileId file;
        std::uint64_t offset;
        std::vector<std::byte> bytes;
    };
    std::vector<std::byte>& content(storage::FileId file);
    Write takeBytes(const storage::IoRequest& request) const;
    void carryOut(const storage::IoRequest& request, storage::IoCompletion& completion);
    static void put(const Write& write, std::vector<std::byte>& into);
    void survive(const Write& write);
    MemoryDisk& m_disk;
    Random m_random;
    std::vector<File> m_files;
    std::vector<storage::IoRequest> m_pending;
    std::vector<Write> m_unflushed;
    MonoTime m_now {};
};

} // namespace loadstone::test

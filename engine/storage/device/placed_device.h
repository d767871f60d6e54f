// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/device.h"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace loadstone::storage {

/// Another device that also knows on which of a test's volumes each of its files lies.
class PlacedDevice : public Device {
public:
    /// `volumeOf` gives a volume's index by the path of a file there.
    using VolumeOf = std::function<std::size_t(const std::filesystem::path&)>;
    PlacedDevice(std::unique_ptr<Device> device, VolumeOf volumeOf)
        : m_device(std::move(device))
        , m_volumeOf(std::move(volumeOf))
    {
    }

    [[nodiscard]] const Device& device() const { return *m_device; }
    [[nodiscard]] std::size_t volume(FileId file) const { return m_volumes[file]; }

    Result<FileId> create(
        const std::filesystem::path& path, std::uint64_t size, const FileOptions& options) override
    {
        return noted(m_device->create(path, size, options), path);
    }
    Result<FileId> open(const std::filesystem::path& path, const FileOptions& options) override
    {
        return noted(m_device->open(path, options), path);
    }
    Result<void> grow(FileId file, std::uint64_t size) override { return m_device->grow(file, size); }
    [[nodiscard]] std::uint64_t size(FileId file) const override { return m_device->size(file); }
    void close(FileId file) override { m_device->close(file); }
    Result<void> remove(const std::filesystem::path& path) override { return m_device->remove(path); }
    [[nodiscard]] bool exists(const std::filesystem::path& path) const override
    {
        return m_device->exists(path);
    }
    [[nodiscard]] std::uint32_t block() const override { return m_device->block(); }
    void useMemory(std::span<std::byte> memory) override { m_device->useMemory(memory); }
    void forgetMemory(std::span<std::byte> memory) override { m_device->forgetMemory(memory); }
    void submit(std::span<const IoRequest> requests) override { m_device->submit(requests); }
    std::size_t reap(std::span<IoCompletion> completions, Nanoseconds wait) override
    {
        return m_device->reap(completions, wait);
    }
    [[nodiscard]] MonoTime now() const override { return m_device->now(); }
    void sleepUntil(MonoTime until) override { m_device->sleepUntil(until); }
    [[nodiscard]] std::size_t pending() const override { return m_device->pending(); }

private:
    Result<FileId> noted(Result<FileId> file, const std::filesystem::path& path)
    {
        if (file) {
            if (*file >= m_volumes.size())
                m_volumes.resize(std::size_t { *file } + 1);
            m_volumes[*file] = m_volumeOf(path);
        }
        return file;
    }
    std::unique_ptr<Device> m_device;
    VolumeOf m_volumeOf;
    std::vector<std::size_t> m_volumes; // by file
};

} // namespace loadstone::storage

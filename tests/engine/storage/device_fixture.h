// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "storage/device/uring_device.h"
#include "support/catch.h"
#include "support/program.h"

#include <array>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace loadstone::storage {

/// Memory for direct I/O, zeros.
class Buffer {
public:
    explicit Buffer(std::size_t bytes)
        : m_data(static_cast<std::byte*>(std::aligned_alloc(4096, (bytes + 4095) / 4096 * 4096)))
        , m_bytes(bytes)
    {
        std::memset(m_data, 0, bytes);
    }
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { std::free(m_data); }
    [[nodiscard]] std::byte* at(std::size_t offset) { return m_data + offset; }
    [[nodiscard]] std::span<std::byte> all() { return { m_data, m_bytes }; }

private:
    std::byte* m_data;
    std::size_t m_bytes;
};

/// The back ends, with io_uring also as older kernels have it.
enum class Kind { uring, linux519, linux511, polled, threads };

inline std::unique_ptr<FileDevice> deviceOf(Kind kind, unsigned depth)
{
    DeviceOptions options;
    options.depth = depth;
    options.backend = kind == Kind::threads ? Backend::threads : Backend::uring;
    options.poll =
        kind == Kind::polled; // whether or not the device below can: the kernel then goes by interrupts
    if (kind == Kind::threads) {
        auto made = makeDevice(options);
        REQUIRE(made);
        return std::move(*made);
    }
    auto made = UringDevice::make(options, 4096, "",
        kind == Kind::linux519       ? 1
            : kind == Kind::linux511 ? 2
                                     : 0);
    if (!made) {
        WARN("not tried here: " << made.error().message);
        return nullptr;
    }
    return std::move(*made);
}

/// All completions of what is pending, in the order in which they came.
inline std::vector<IoCompletion> finish(Device& device)
{
    std::vector<IoCompletion> all;
    std::array<IoCompletion, 7> some;
    while (device.pending() > 0) {
        const std::size_t n = device.reap(some, std::chrono::seconds(20));
        REQUIRE(n > 0);
        all.insert(all.end(), some.begin(), some.begin() + static_cast<std::ptrdiff_t>(n));
    }
    return all;
}

inline IoRequest transfer(IoKind kind, FileId file, std::byte* data, std::uint64_t offset,
    std::uint32_t length, std::uint64_t tag = 0)
{
    IoRequest request;
    request.tag = tag;
    request.data = data;
    request.offset = offset;
    request.length = length;
    request.file = file;
    request.kind = kind;
    request.ioClass = kind == IoKind::read ? IoClass::databaseRead : IoClass::databaseWrite;
    request.queued = monoNow();
    return request;
}

inline IoCompletion carryOut(Device& device, const IoRequest& request)
{
    device.submit({ &request, 1 });
    const auto all = finish(device);
    REQUIRE(all.size() == 1);
    return all.front();
}

} // namespace loadstone::storage

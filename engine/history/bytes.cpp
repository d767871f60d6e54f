// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// packed := varint(length of the raw bytes * 2 + compressed) [varint(length of the frame)] bytes
#include "history/bytes.h"

#include <zstd.h>

#include <memory>

namespace loadstone::history {

namespace {

constexpr int kLevel = 3;

struct Contexts {
    std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> compress { ZSTD_createCCtx(), ZSTD_freeCCtx };
    std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> expand { ZSTD_createDCtx(), ZSTD_freeDCtx };
};

// Making one costs more than a small block does; each thread keeps its own.
Contexts& contexts()
{
    static thread_local Contexts mine;
    return mine;
}

} // namespace

void putPacked(std::string& out, std::string_view raw)
{
    std::string frame(ZSTD_compressBound(raw.size()), '\0');
    const std::size_t size = ZSTD_compressCCtx(
        contexts().compress.get(), frame.data(), frame.size(), raw.data(), raw.size(), kLevel);
    if (ZSTD_isError(size) != 0 || size + 2 >= raw.size()) {
        putVarint(out, raw.size() * 2);
        out.append(raw);
        return;
    }
    putVarint(out, raw.size() * 2 + 1);
    putVarint(out, size);
    out.append(frame, 0, size);
}

bool takePacked(ByteReader& in, std::size_t limit, std::string& raw)
{
    std::uint64_t head = 0;
    std::uint64_t size = 0;
    std::string_view bytes;
    if (!in.varint(head) || head / 2 > limit)
        return false;
    if ((head & 1U) == 0) {
        if (!in.bytes(head / 2, bytes))
            return false;
        raw = bytes;
        return true;
    }
    if (!in.varint(size) || !in.bytes(size, bytes))
        return false;
    // The frame's own idea of its length does not count: what does not fit exactly is damage.
    raw.resize(head / 2);
    return ZSTD_decompressDCtx(contexts().expand.get(), raw.data(), raw.size(), bytes.data(), bytes.size())
        == raw.size();
}

} // namespace loadstone::history

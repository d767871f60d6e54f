// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// A page and log records that somebody else wrote: a page that passes for well formed can be read, changed and checked, and
// whatever a record says, nothing outside the page is touched, and what is left is well formed or was refused. First two
// bytes: how long the page's part is; the rest are records.

#include "storage/page/redo.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>

using namespace loadstone::storage;

namespace {

void require(bool condition)
{
    if (!condition)
        std::abort();
}

std::uint64_t readAll(Page page)
{
    std::uint64_t sum = 0;
    for (unsigned slot = 0; slot < page.slots(); ++slot) {
        sum += page.key(slot);
        for (const std::byte byte : page.value(slot))
            sum += std::to_integer<unsigned>(byte);
        if (page.header().kind == PageKind::internal)
            sum += page.child(slot);
        require(page.find(page.key(slot)) == slot);
    }
    return sum;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    constexpr std::size_t kSize = kSmallestPage;
    std::uint16_t length = 0;
    if (size < sizeof length)
        return 0;
    std::memcpy(&length, data, sizeof length);
    data += sizeof length;
    size -= sizeof length;
    const auto memory = std::make_unique<std::byte[]>(kSize); // of its own, so that a byte too far is seen
    const Page page(std::span(memory.get(), kSize));
    const std::size_t image = std::min({ std::size_t { length }, size, kSize });
    std::memcpy(memory.get(), data, image);
    // The slots lie at the end: of a short image, its last 64 bytes do.
    if (image < kSize && image >= 64)
        std::memcpy(memory.get() + kSize - 64, data + image - 64, 64);
    (void)page.verify(1, 2);
    if (!page.wellFormed())
        page.format(1, 2, PageKind::leaf, 0);
    (void)readAll(page);
    auto left = std::as_bytes(std::span(data + image, size - image));
    while (const auto record = nextRedo(left)) {
        if (!redo(*record, page, 2))
            break;
        if (record->kind != RedoKind::space) { // which is for pages that have no entries
            const PageKind kind = page.header().kind;
            const bool node = (kind == PageKind::leaf || kind == PageKind::internal) && page.wellFormed();
            if (!node)
                break;
            (void)readAll(page);
        } else {
            break;
        }
    }
    return 0;
}

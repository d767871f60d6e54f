// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/log/checkpoint_file.h"

#include "storage/device/transfers.h"

#include <cstring>

namespace loadstone::storage {
namespace {

constexpr char kCheckpointMagic[8] = { 'L', 'S', 't', 'o', 'n', 'e', 'C', '2' };

} // namespace

CheckpointFile::CheckpointFile(Loop& loop, FileId file, std::string path, Durability durability)
    : m_loop(loop)
    , m_file(file)
    , m_path(std::move(path))
    , m_durability(durability)
    , m_block(kBlock)
{
}

Task<Result<Checkpoint>> CheckpointFile::read()
{
    std::optional<Checkpoint> best;
    for (std::uint64_t block = 0; block < 2; ++block) {
        const Result<void> done =
            co_await readAt(m_loop, m_file, block * kBlock, m_block.bytes(), IoClass::logRead, m_path);
        if (!done)
            co_return done.error();
        Checkpoint found;
        std::memcpy(&found, m_block.data(), sizeof found);
        if (std::memcmp(found.magic, kCheckpointMagic, sizeof kCheckpointMagic) == 0
            && found.hash == hashOfRest(m_block.bytes()) && (!best || found.sequence > best->sequence))
            best = found;
    }
    if (!best)
        co_return fail(m_path
            + ": both copies of the checkpoint are damaged, so the beginning of the log is not known; create "
              "the group again (loadstone storage clean, loadstone storage init)");
    m_sequence = best->sequence;
    co_return *best;
}

Task<Result<void>> CheckpointFile::write(Checkpoint checkpoint)
{
    checkpoint.sequence = m_sequence + 1;
    std::memcpy(checkpoint.magic, kCheckpointMagic, sizeof kCheckpointMagic);
    std::memset(m_block.data(), 0, kBlock);
    std::memcpy(m_block.data(), &checkpoint, sizeof checkpoint);
    checkpoint.hash = hashOfRest(m_block.bytes());
    std::memcpy(m_block.data(), &checkpoint.hash, sizeof checkpoint.hash);
    const Result<void> done = co_await writeAt(m_loop, m_file, checkpoint.sequence % 2 * kBlock,
        m_block.bytes(), IoClass::other, m_path, m_durability);
    if (done)
        m_sequence = checkpoint.sequence;
    co_return done;
}

} // namespace loadstone::storage

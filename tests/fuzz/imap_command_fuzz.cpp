// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Whatever an IMAP client says, in whatever pieces: the reader makes the same commands of it, and holds no more than a
// literal and a line.

#include "protocol/imap/imap_command.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

using namespace loadstone::protocol;

namespace {

constexpr std::uint64_t kMostLiteral = 2000;

void require(bool condition)
{
    if (!condition)
        std::abort();
}

std::vector<std::string> read(std::string_view bytes, std::size_t piece, bool lines)
{
    ImapCommandReader reader(kMostLiteral);
    std::vector<std::string> all;
    std::uint64_t end = 0;
    const std::size_t size = bytes.size();
    while (!bytes.empty()) {
        reader.feed(bytes.substr(0, piece));
        bytes.remove_prefix(std::min(piece, bytes.size()));
        while (const ImapCommand* command = reader.next()) {
            require(reader.next() == command);
            require(command->end > end && command->end <= size);
            end = command->end;
            const bool literal = command->kind == ImapCommand::Kind::literal;
            if (command->kind == ImapCommand::Kind::command) {
                require(!command->tag.empty() && !command->name.empty());
                require(command->arguments <= command->text.text.size());
            }
            all.push_back(std::to_string(static_cast<int>(command->kind)) + command->tag + "|" + command->name
                + "|" + (literal ? "" : command->text.text) + command->fault);
            const bool next = lines && command->name == "IDLE";
            reader.answered();
            if (next)
                reader.expectLine();
        }
        require(reader.backlog() <= reader.held());
        require(reader.held() <= kMostLiteral + 2 * ImapCommandReader::kMaxLine + piece);
    }
    return all;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    if (size < 2)
        return 0;
    const std::string_view bytes(reinterpret_cast<const char*>(data + 1), size - 1);
    const bool lines = data[0] % 2 == 0;
    require(read(bytes, bytes.size(), lines) == read(bytes, 1 + data[0] / 2, lines));
    return 0;
}

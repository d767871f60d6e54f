// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/common/deflate.h"
#include "support/catch.h"

#include <array>
#include <string>

using namespace loadstone::protocol;
using Status = DeflateReader::Status;

namespace {

struct Unpacked {
    std::string text;
    Status last = Status::needMore;
    std::size_t largest = 0; ///< bytes of one step
};

Unpacked unpack(std::string_view packed, std::size_t piece, std::size_t room = 100)
{
    DeflateReader reader;
    Unpacked all;
    std::string buffer(room, '\0');
    while (!packed.empty()) {
        std::string_view in = packed.substr(0, piece), out;
        packed.remove_prefix(in.size());
        while ((all.last = reader.read(in, buffer, out)) == Status::bytes) {
            all.text += out;
            all.largest = std::max(all.largest, out.size());
        }
        if (all.last == Status::damaged)
            break;
        CHECK(in.empty());
    }
    return all;
}

std::string pack(std::string_view text)
{
    DeflateWriter writer;
    std::string out;
    writer.write(text, out);
    writer.flush(out);
    return out;
}

} // namespace

TEST_CASE("what is deflated comes out whole after each flush, however it is cut")
{
    DeflateWriter writer;
    DeflateReader reader;
    std::array<char, 4096> buffer;
    for (int i = 0; i < 50;
         ++i) { // one conversation: each line is there at once, and later ones lean on earlier ones
        const std::string line = "* " + std::to_string(i) + " FETCH (UID 5 FLAGS (\\Seen))\r\n";
        std::string packed;
        writer.write(line, packed);
        writer.flush(packed);
        std::string_view in = packed, out;
        CHECK(reader.read(in, buffer, out) == Status::bytes);
        CHECK(out == line);
        CHECK(in.empty());
        CHECK(packed.size() < (i == 0 ? 60 : 25));
    }
    std::string text;
    for (int i = 0; i < 20000; ++i)
        text += std::to_string(i * i) + " ";
    const std::string packed = pack(text);
    CHECK(packed.size() < text.size());
    for (const std::size_t piece : { 1U, 7U, 4096U, 1000000U })
        CHECK(unpack(packed, piece).text == text);
}

TEST_CASE("a few bytes that come to many are handed out a buffer at a time")
{
    const std::string bomb = pack(std::string(50'000'000, 'x'));
    CHECK(bomb.size() < 300'000);
    const Unpacked all = unpack(bomb, bomb.size(), 4096);
    CHECK(all.text.size() == 50'000'000);
    CHECK(all.largest <= 4096);
}

TEST_CASE("what is no deflate is told from what is not complete")
{
    CHECK(unpack("* OK this is plain text\r\n", 100).last == Status::damaged);
    std::string packed = pack("* OK hello and hello and hello again\r\n");
    CHECK(unpack(packed.substr(0, packed.size() / 2), 100).last == Status::needMore);
    packed[0] = static_cast<char>(packed[0] | 6); // the block type that there is not
    CHECK(unpack(packed, 100).last == Status::damaged);
    CHECK(unpack(std::string("\x03\x00", 2), 100).last
        == Status::damaged); // an end, which a session does not have
}

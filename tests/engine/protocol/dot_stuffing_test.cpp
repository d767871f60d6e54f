// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/random.h"
#include "protocol/common/dot_stuffing.h"
#include "support/catch.h"

#include <vector>

using namespace loadstone;
using namespace loadstone::protocol;

namespace {

std::string stuffed(std::string_view text)
{
    std::string out;
    appendStuffed(out, text);
    return out;
}

struct Unstuffed {
    std::string text;
    std::size_t used = 0;
    bool done = false;
};

Unstuffed unstuffed(const std::vector<std::string_view>& pieces)
{
    Unstuffed result;
    DotUnstuffer unstuffer;
    for (const std::string_view piece : pieces)
        if (!unstuffer.done())
            result.used += unstuffer.feed(piece, [&](std::string_view view) { result.text += view; });
    result.done = unstuffer.done();
    return result;
}

} // namespace

TEST_CASE("a line that begins with a dot gets a second one, and the text its terminator")
{
    CHECK(stuffed("") == ".\r\n");
    CHECK(stuffed("a\r\n") == "a\r\n.\r\n");
    CHECK(stuffed("a") == "a\r\n.\r\n");
    CHECK(stuffed(".\r\n") == "..\r\n.\r\n");
    CHECK(stuffed("a.b\r\n.c\r\n..\r\n") == "a.b\r\n..c\r\n...\r\n.\r\n");
    CHECK(stuffed("a\r") == "a\r\r\n.\r\n");
}

TEST_CASE("a bare line feed neither begins a line nor ends a message")
{
    CHECK(stuffed("a\n.b\r\n") == "a\n.b\r\n.\r\n");
    const std::string stream = "a\n.\nb\r.\rc\r\n.\nd\r\n.\r\n";
    const Unstuffed result = unstuffed({ stream });
    CHECK(result.done);
    CHECK(result.used == stream.size());
    CHECK(result.text == "a\n.\nb\r.\rc\r\n\nd\r\n");
}

TEST_CASE("what follows the terminator is left for the next reply")
{
    const Unstuffed result = unstuffed({ "..x\r\n.\r\n+OK next\r\n" });
    CHECK(result.done);
    CHECK(result.used == 8);
    CHECK(result.text == ".x\r\n");
}

TEST_CASE("stuffing is undone whatever the text and wherever the stream is split")
{
    Random random(4);
    constexpr std::string_view kLetters = ".\r\n.a\r\n"; // mostly what matters
    for (int round = 0; round < 400; ++round) {
        std::string text;
        for (std::uint64_t left = random.below(24); left > 0; --left) {
            text += kLetters[random.below(kLetters.size())];
            if (random.below(3) == 0)
                text += "\r\n";
        }
        const std::string stream = stuffed(text);
        const std::string expected = text.empty() || text.ends_with("\r\n") ? text : text + "\r\n";
        std::string inPieces;
        DotStuffer stuffer;
        for (std::size_t at = 0; at < text.size();) {
            const std::size_t size = 1 + random.below(4);
            stuffer.append(inPieces, std::string_view(text).substr(at, size));
            at += size;
        }
        stuffer.finish(inPieces);
        REQUIRE(inPieces == stream);
        const std::string_view view = stream;
        for (std::size_t split = 0; split <= stream.size(); ++split)
            for (std::size_t second = split; second <= stream.size(); second += 1 + stream.size() / 12) {
                const Unstuffed result = unstuffed(
                    { view.substr(0, split), view.substr(split, second - split), view.substr(second) });
                REQUIRE(result.done);
                REQUIRE(result.used == stream.size());
                REQUIRE(result.text == expected);
            }
    }
}

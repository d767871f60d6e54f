// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "protocol/imap/imap_extensions.h"
#include "support/catch.h"

using namespace loadstone::protocol;

namespace {

struct Line {
    explicit Line(std::string line)
        : text { std::move(line), {} }
        , response(parseImapResponse(text.text).value())
    {
    }
    ImapText text;
    ImapResponse response;
};

} // namespace

TEST_CASE("an extended search gives the numbers, or what was asked for instead of them")
{
    const Line all("* ESEARCH (TAG \"a5\") UID ALL 1:3,5 MODSEQ 917162500");
    const auto search = parseImapEsearch(all.text, all.response, 100);
    REQUIRE(search);
    CHECK(search->tag == "a5");
    CHECK(search->uid);
    CHECK(search->all == std::vector<std::uint32_t> { 1, 2, 3, 5 });
    CHECK(search->modSequence == 917162500U);
    const Line counted("* esearch COUNT 18 MIN 2 max 90 X-NEW (a (b))");
    const auto count = parseImapEsearch(counted.text, counted.response, 100);
    REQUIRE(count);
    CHECK(count->tag.empty());
    CHECK_FALSE(count->uid);
    CHECK(count->all.empty());
    CHECK(count->count == 18U);
    CHECK(count->least == 2U);
    CHECK(count->most == 90U);
    const Line nothing("* ESEARCH (TAG \"a5\") UID");
    REQUIRE(parseImapEsearch(nothing.text, nothing.response, 100));
    for (const char* wrong : { "* ESEARCH (TAG", "* ESEARCH (TUG \"a\") ALL 1", "* ESEARCH ALL 1:4000000000",
             "* ESEARCH ALL 0", "* ESEARCH ALL", "* ESEARCH COUNT x", "* ESEARCH UID ALL 1:3 X (" }) {
        INFO(wrong);
        const Line line(wrong);
        CHECK_FALSE(parseImapEsearch(line.text, line.response, 100));
    }
}

TEST_CASE("namespaces are told with prefix and delimiter")
{
    const Line several(
        "* NAMESPACE ((\"INBOX.\" \".\")(\"#mh/\" \"/\" \"X-PARAM\" (\"F1\" \"F2\"))) ((\"~\" \"/\")) NIL");
    const auto own = parseImapNamespace(several.text, several.response);
    REQUIRE(own);
    REQUIRE(own->size() == 2);
    CHECK(own->front().prefix == "INBOX.");
    CHECK(own->front().delimiter == ".");
    CHECK(own->back().prefix == "#mh/");
    const Line flat("* NAMESPACE ((\"\" NIL)) NIL NIL");
    const auto one = parseImapNamespace(flat.text, flat.response);
    REQUIRE(one);
    CHECK(one->front().prefix.empty());
    CHECK(one->front().delimiter.empty());
    const Line none("* NAMESPACE NIL NIL ((\"\" \".\"))");
    CHECK(parseImapNamespace(none.text, none.response)->empty());
    for (const char* wrong : { "* NAMESPACE", "* NAMESPACE ((", "* NAMESPACE ((\"a\"))",
             "* NAMESPACE x NIL NIL", "* NAMESPACE ((\"\" \"/\" (((" }) {
        INFO(wrong);
        const Line line(wrong);
        CHECK_FALSE(parseImapNamespace(line.text, line.response));
    }
}

TEST_CASE("quotas are told by root and resource")
{
    const Line quota("* QUOTA \"\" (STORAGE 10 512 MESSAGE 20 100)");
    const auto parsed = parseImapQuota(quota.text, quota.response);
    REQUIRE(parsed);
    CHECK(parsed->root.empty());
    REQUIRE(parsed->resources.size() == 2);
    CHECK(parsed->resources[1].name == "MESSAGE");
    CHECK(parsed->resources[1].usage == 20);
    CHECK(parsed->resources[1].limit == 100);
    const Line roots("* QUOTAROOT INBOX \"\" \"User quota\"");
    const auto named = parseImapQuotaRoots(roots.text, roots.response);
    REQUIRE(named);
    CHECK(named->mailbox == "INBOX");
    CHECK(named->roots == std::vector<std::string> { "", "User quota" });
    for (const char* wrong : { "* QUOTA", "* QUOTA \"\" (STORAGE 10", "* QUOTA \"\" (STORAGE ten 512)",
             "* QUOTA \"\" (STORAGE 10 99999999999999999999999)" }) {
        INFO(wrong);
        const Line line(wrong);
        CHECK_FALSE(parseImapQuota(line.text, line.response));
    }
    const Line open("* QUOTAROOT INBOX \"root");
    CHECK_FALSE(parseImapQuotaRoots(open.text, open.response));
}

TEST_CASE("a code's number is whole and not 0, or none")
{
    CHECK(numberOfCode(Line("* OK [HIGHESTMODSEQ 715194045007] x").response) == 715194045007U);
    for (const char* none : { "* OK [NOMODSEQ] x", "* OK [UIDVALIDITY 0] x", "* OK [UIDNEXT 4 5] x",
             "* OK [UIDNEXT 99999999999999999999999] x" })
        CHECK_FALSE(numberOfCode(Line(none).response));
}

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/message/attachment_corpus.h"

#include "base/random.h"
#include "protocol/sasl/sasl.h"

#include <algorithm>
#include <array>

namespace loadstone::mail {

namespace {

using plan::ContentKind;

constexpr std::size_t kLines = 2048; // 114 KB of file, 156 KB of base64
constexpr std::size_t kBytes = kLines * AttachmentCorpus::kLineBytes;

struct KindFacts {
    std::string_view mediaType, extension;
    std::string_view magic; // what such a file begins with
};

KindFacts factsOf(ContentKind kind)
{
    using namespace std::string_view_literals;
    constexpr std::string_view kCompoundFile =
        "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv; // of Word and Excel to 2003
    switch (kind) {
    case ContentKind::text:
        return { "text/plain", "txt", "" };
    case ContentKind::rtf:
        return { "application/rtf", "rtf",
            "{\\rtf1\\ansi\\deff0{\\fonttbl{\\f0\\fswiss Arial;}}\\f0\\fs20 " };
    case ContentKind::bitmap:
        return { "image/bmp", "bmp", "BM" };
    case ContentKind::document:
        return { "application/msword", "doc", kCompoundFile };
    case ContentKind::sheet:
        return { "application/vnd.ms-excel", "xls", kCompoundFile };
    }
    return {};
}

/// Photographs and screen shots in 24 bits: areas of one colour, runs, and grain.
void appendPixels(std::string& bytes, Random& random)
{
    std::array<unsigned char, 3> colour {};
    for (unsigned char& part : colour)
        part = static_cast<unsigned char>(random());
    const bool flat = random.below(3) == 0;
    for (std::uint64_t run = 8 + random.below(56); run > 0; --run)
        for (const unsigned char part : colour)
            bytes.push_back(static_cast<char>(flat ? part : part + random.below(9)));
}

/// A stretch of text, its formatting records, and the empty rest of a block, as word processors save them.
void appendDocumentBlock(std::string& bytes, Random& random, const Corpus& text)
{
    const std::size_t begin = bytes.size();
    for (const char c : text.lines(random(), 300)) {
        bytes.push_back(c);
        bytes.push_back('\0'); // UTF-16
    }
    for (std::uint64_t records = random.below(24); records > 0; --records)
        for (int i = 0; i < 6; ++i)
            bytes.push_back(static_cast<char>(i < 2 ? random() : random.below(4)));
    const std::size_t used = bytes.size() - begin;
    bytes.append((512 - used % 512) % 512, '\0');
}

/// Rows of cells: a type, a length, the place, and a number.
void appendSheetRow(std::string& bytes, Random& random)
{
    const auto row = static_cast<char>(random.below(200));
    for (char column = 0; column < 12; ++column) {
        bytes.append({ '\x03', '\x02', '\x0e', '\0', row, '\0', column, '\0', '\x0f', '\0' });
        const double value = static_cast<double>(random.below(1'000'000)) / 100;
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
}

std::string content(ContentKind kind, std::uint64_t seed, const Corpus& text)
{
    Random random(hashOf({ seed, 0x617474616368, static_cast<std::uint64_t>(kind) }));
    std::string bytes;
    bytes.reserve(kBytes + 4096);
    while (bytes.size() < kBytes) {
        switch (kind) {
        case ContentKind::text:
            bytes += text.lines(random(), 1000);
            break;
        case ContentKind::rtf:
            bytes.append("\\par\\fs").append(std::to_string(20 + 2 * random.below(4))).append(" ");
            bytes += text.lines(random(), 300);
            break;
        case ContentKind::bitmap:
            appendPixels(bytes, random);
            break;
        case ContentKind::document:
            appendDocumentBlock(bytes, random, text);
            break;
        case ContentKind::sheet:
            appendSheetRow(bytes, random);
            break;
        }
    }
    bytes.resize(kBytes);
    return bytes;
}

} // namespace

AttachmentCorpus::AttachmentCorpus(ContentKind kind, std::uint64_t seed, const Corpus& text)
{
    const KindFacts facts = factsOf(kind);
    m_mediaType = facts.mediaType;
    m_extension = facts.extension;
    const std::string bytes = content(kind, seed, text);
    std::string first(facts.magic);
    first.append(bytes, 0, kLineBytes - first.size());
    m_firstLine = protocol::base64Encode(first).append("\r\n");
    m_lines.reserve(kLines * kLineLength);
    for (std::size_t at = 0; at < kBytes; at += kLineBytes)
        m_lines.append(protocol::base64Encode(std::string_view(bytes).substr(at, kLineBytes))).append("\r\n");
}

std::string_view AttachmentCorpus::lines(std::uint64_t line, std::size_t count) const
{
    const std::size_t first = line % kLines;
    return std::string_view(m_lines).substr(
        first * kLineLength, std::clamp<std::size_t>(count, 1, kLines - first) * kLineLength);
}

} // namespace loadstone::mail

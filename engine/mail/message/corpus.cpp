// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/message/corpus.h"

#include "base/random.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace loadstone::mail {

namespace {

constexpr std::size_t kCorpusBytes = 256U
    << 10; // stays in a core's second-level cache, from which every message is sent
constexpr std::size_t kColumns = 76;
constexpr std::size_t kVocabulary = 6000;
constexpr std::size_t kSubjectCount = 512;

constexpr std::array kCommon { "the", "to", "of", "and", "a", "in", "is", "for", "that", "we", "on", "you",
    "it", "with", "be", "this", "have", "are", "as", "not", "will", "at", "by", "from", "please", "can",
    "our", "if", "has", "or", "was", "your", "all", "an", "meeting", "would", "there", "report", "they",
    "which", "but", "new", "time", "week", "any", "know", "team", "been", "project", "let", "next", "thanks",
    "need", "one", "should", "what", "so", "about", "do", "more", "were", "customer", "me", "could", "no",
    "data", "attached", "up", "also", "get", "out", "order", "today", "see", "when", "send", "some", "other",
    "review", "system", "after", "work", "their", "call", "first", "schedule", "price", "only", "draft",
    "office", "than", "into", "contract", "server", "question", "before", "monday", "friday", "budget",
    "number", "change", "two", "may", "date", "plan", "update", "list", "over", "page", "regards", "forward",
    "version", "delivery", "quarter", "version", "group", "test", "sales", "invoice", "product" };
constexpr std::array kSyllables { "ba", "con", "der", "el", "fin", "gra", "hal", "in", "jor", "kel", "lo",
    "mar", "nor", "op", "per", "qua", "ra", "sen", "tor", "ul", "ver", "wen", "ex", "zan", "tion", "ment",
    "al", "er", "ing", "able", "ist", "um", "pre", "sub", "trans", "inter" };
constexpr std::array kAccented { "caf\xc3\xa9", "Z\xc3\xbcrich", "na\xc3\xafve", "se\xc3\xb1or",
    "Malm\xc3\xb6",
    "fa\xc3\xa7"
    "ade",
    "\xc3\xa9"
    "tude",
    "Gda\xc5\x84sk" };

std::string rareWord(Random& random)
{
    std::string word;
    const std::uint64_t parts = 2 + random.below(3);
    for (std::uint64_t i = 0; i < parts; ++i)
        word += kSyllables[random.below(kSyllables.size())];
    return word;
}

/// Ranks 1..n with probability proportional to 1/rank, by inversion of the harmonic sum's logarithm.
std::size_t zipf(Random& random, std::size_t n)
{
    const double rank = std::exp(random.uniform() * std::log(static_cast<double>(n) + 1));
    return std::min(n - 1, static_cast<std::size_t>(rank) - 1);
}

} // namespace

Corpus::Corpus(std::uint64_t seed, bool eightBit)
{
    Random random(hashOf({ seed, 0x636f72707573 }));
    std::vector<std::string> vocabulary(kCommon.begin(), kCommon.end());
    while (vocabulary.size() < kVocabulary)
        vocabulary.push_back(rareWord(random));

    m_text.reserve(kCorpusBytes + 256);
    std::string line;
    bool sentenceStart = true;
    std::uint64_t wordsLeft = 4 + random.below(18);
    const auto endLine = [&] {
        if (line.starts_with("From ")) // some stores quote such a line
            line[0] = 'f';
        m_starts.push_back(static_cast<std::uint32_t>(m_text.size()));
        m_text.append(line).append("\r\n");
        line.clear();
    };
    while (m_text.size() < kCorpusBytes) {
        std::string word = vocabulary[zipf(random, vocabulary.size())];
        if (eightBit && random.below(60) == 0)
            word = kAccented[random.below(kAccented.size())];
        else if (random.below(40) == 0)
            word = std::to_string(random.below(100000));
        if (sentenceStart)
            word[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(word[0])));
        sentenceStart = --wordsLeft == 0;
        if (sentenceStart) {
            word += random.below(8) == 0 ? '?' : '.';
            wordsLeft = 4 + random.below(18);
        } else if (random.below(11) == 0)
            word += ',';
        if (line.size() + 1 + word.size() > kColumns)
            endLine();
        if (!line.empty())
            line += ' ';
        line += word;
        if (sentenceStart && random.below(7) == 0) { // a paragraph ends
            endLine();
            endLine();
        }
    }
    endLine();
    m_starts.push_back(static_cast<std::uint32_t>(m_text.size()));

    for (std::size_t i = 0; i < kSubjectCount; ++i) {
        std::string subject;
        for (std::uint64_t n = 2 + random.below(5); n > 0; --n)
            subject += (subject.empty() ? "" : " ") + vocabulary[zipf(random, vocabulary.size())];
        subject[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(subject[0])));
        m_subjects.push_back(std::move(subject));
    }
}

std::string_view Corpus::lines(std::uint64_t line, std::size_t bytes) const
{
    const std::size_t first = line % lineCount();
    const std::size_t begin = m_starts[first];
    // The last line start within reach: no line is longer than kColumns, so the search begins close to it.
    std::size_t last = std::min(first + std::max<std::size_t>(1, bytes / (kColumns + 2)), lineCount());
    while (last < lineCount() && m_starts[last + 1] <= begin + bytes)
        ++last;
    return std::string_view(m_text).substr(begin, m_starts[last] - begin);
}

} // namespace loadstone::mail

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "mail/message/message_check.h"

#include "mail/message/damage.h"

#define XXH_STATIC_LINKING_ONLY // the state's layout, to keep it on the stack
#include <xxhash.h>
#if defined(__x86_64__) && __has_include(<xxh_x86dispatch.h>)
#include <xxh_x86dispatch.h> // the same functions, by the vector unit that is there
#endif

#include <algorithm>
#include <cstring>
#include <new>

namespace loadstone::mail {

namespace {
constexpr std::size_t kMostKept = 256U * 1024;
}

struct MessageCheck::Explaining {
    const DamageExplainer* explainer = nullptr;
    std::string kept; // what follows the token's line, while there is an explainer
    std::vector<Damage> damages;
};

MessageCheck::MessageCheck(std::uint32_t run)
    : m_run(run)
    , m_state(XXH3_createState())
{
    if (m_state == nullptr)
        throw std::bad_alloc();
}

MessageCheck::~MessageCheck()
{
    XXH3_freeState(m_state);
}

void MessageCheck::begin()
{
    m_part = Part::header;
    m_hashing = m_tokenRead = m_initial = m_hasMessageId = false;
    m_line.clear();
    m_held.clear();
    if (m_explaining)
        m_explaining->kept.clear();
}

void MessageCheck::explainBy(const DamageExplainer* explainer)
{
    if (explainer != nullptr && !m_explaining)
        m_explaining = std::make_unique<Explaining>();
    if (m_explaining)
        m_explaining->explainer = explainer;
}

std::vector<Damage> MessageCheck::takeDamages()
{
    return m_explaining ? std::exchange(m_explaining->damages, {}) : std::vector<Damage>();
}

void MessageCheck::data(std::string_view text)
{
    m_bytes += text.size();
    while (m_part == Part::header && !text.empty()) {
        const auto* const lf = static_cast<const char*>(std::memchr(text.data(), '\n', text.size()));
        const std::size_t size = lf == nullptr ? text.size() : static_cast<std::size_t>(lf - text.data()) + 1;
        const std::string_view piece = text.substr(0, size);
        text.remove_prefix(size);
        if (m_hashing)
            hash(piece);
        m_line.append(piece.substr(0, kMaxHeld - m_line.size())); // longer ones are none of ours
        if (lf == nullptr)
            return;
        headerLine(m_line);
        m_line.clear();
    }
    if (m_hashing)
        hash(text);
}

void MessageCheck::headerLine(std::string_view line)
{
    while (!line.empty() && (line.back() == '\n' || line.back() == '\r'))
        line.remove_suffix(1);
    if (line.empty()) {
        m_part = Part::body;
        return;
    }
    constexpr std::string_view kMessageId = "Message-ID: ";
    if (!m_tokenRead && line.starts_with(kTokenHeader)) {
        if (const auto token = MessageToken::parse(line.substr(kTokenHeader.size()))) {
            m_token = *token;
            m_tokenRead = m_hashing = true;
            XXH3_64bits_reset(m_state);
        }
    } else if (line.starts_with(kInitialHeader)) {
        m_initial = m_initial || MessageToken::parse(line.substr(kInitialHeader.size())).has_value();
    } else if (line.starts_with(kMessageId)) {
        if (const auto id = parseMessageId(line.substr(kMessageId.size()), m_run)) {
            m_idFromMessageId = *id;
            m_hasMessageId = true;
        }
    }
}

void MessageCheck::hash(std::string_view text)
{
    if (m_explaining && m_explaining->explainer != nullptr) {
        std::string& kept = m_explaining->kept;
        kept.append(text.substr(0, kMostKept - std::min(kMostKept, kept.size())));
    }
    std::size_t end = text.size();
    while (end > 0 && (text[end - 1] == '\n' || text[end - 1] == '\r'))
        --end;
    if (end > 0) {
        if (!m_held.empty())
            XXH3_64bits_update(m_state, m_held.data(), m_held.size());
        m_held.clear();
        XXH3_64bits_update(m_state, text.data(), end);
    }
    m_held.append(text.substr(end));
    if (m_held.size() > kMaxHeld) { // a body of empty lines is no message of ours: no need to be exact
        XXH3_64bits_update(m_state, m_held.data(), m_held.size());
        m_held.clear();
    }
}

void MessageCheck::end(MonoTime when)
{
    ++m_count;
    RetrievedMessage message;
    message.at = when;
    if (m_tokenRead && m_token.run == m_run) {
        message.id = m_token.id;
        message.kind = XXH3_64bits_digest(m_state) == m_token.digest ? RetrievedMessage::Kind::whole
                                                                     : RetrievedMessage::Kind::damaged;
        constexpr std::size_t kMostExplained = 1000; // the audit keeps no more
        if (message.kind == RetrievedMessage::Kind::damaged && m_explaining
            && m_explaining->explainer != nullptr && m_explaining->damages.size() < kMostExplained)
            m_explaining->damages.push_back({ message.id,
                m_explaining->kept.size() < kMostKept
                    ? m_explaining->explainer->explain(m_token, m_explaining->kept)
                    : std::string("it is too long to find the difference") });
    } else if (!m_tokenRead && m_hasMessageId) {
        message.id = m_idFromMessageId;
        message.kind = RetrievedMessage::Kind::damaged;
    } else if (m_initial)
        message.kind = RetrievedMessage::Kind::initial;
    m_messages.push_back(message);
}

std::uint64_t digestOf(const std::vector<std::string_view>& pieces)
{
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    std::size_t last = pieces.size();
    const auto isEnd = [](char c) { return c == '\r' || c == '\n'; };
    while (last > 0 && std::all_of(pieces[last - 1].begin(), pieces[last - 1].end(), isEnd))
        --last;
    for (std::size_t i = 0; i < last; ++i) {
        std::string_view piece = pieces[i];
        while (i + 1 == last && isEnd(piece.back()))
            piece.remove_suffix(1);
        XXH3_64bits_update(&state, piece.data(), piece.size());
    }
    return XXH3_64bits_digest(&state);
}

} // namespace loadstone::mail

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "embedded/mail_store.h"

#include "base/random.h"
#include "protocol/common/server_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace loadstone::embedded {

namespace {

// What the book-keeping of a message, a copy and a mailbox costs beside the text; measured with malloc's
// overhead.
constexpr std::uint64_t kMessageCost = 80, kCopyCost = 64, kMailboxCost = 160;

/// Where a bit may be flipped: in the body, never a CR or LF and never making one. False when there is no
/// such place.
bool placeDamage(std::string_view content, std::uint64_t dice, std::uint32_t& at, std::uint8_t& bit)
{
    const auto headerEnd = content.find("\r\n\r\n");
    if (headerEnd == std::string_view::npos)
        return false;
    const std::size_t body = headerEnd + 4;
    const std::size_t length = content.size() - body;
    Random random(dice);
    const std::size_t start = length == 0 ? 0 : random.below(length);
    const unsigned shift = static_cast<unsigned>(random.below(7)); // 7-bit text stays 7-bit text
    const auto isLineEnd = [](unsigned c) { return c == '\r' || c == '\n'; };
    for (std::size_t i = 0; i < length; ++i) {
        const std::size_t place = body + (start + i) % length;
        const unsigned c = static_cast<unsigned char>(content[place]);
        for (unsigned turn = 0; turn < 7 && !isLineEnd(c); ++turn) {
            const unsigned mask = 1U << (shift + turn) % 7;
            if (isLineEnd(c ^ mask) || (c ^ mask) == 0)
                continue;
            at = static_cast<std::uint32_t>(place);
            bit = static_cast<std::uint8_t>(mask);
            return true;
        }
    }
    return false;
}

} // namespace

std::string_view headerField(std::string_view content, std::string_view name)
{
    while (!content.empty()) {
        const auto end = std::min(content.find("\r\n"), content.size());
        const auto line = content.substr(0, end);
        if (line.empty())
            return {};
        if (line.size() > name.size() && line[name.size()] == ':'
            && protocol::equalsIgnoringCase(line.substr(0, name.size()), name)) {
            auto value = line.substr(name.size() + 1);
            while (value.starts_with(' '))
                value.remove_prefix(1);
            while (value.ends_with(' '))
                value.remove_suffix(1);
            return value;
        }
        content.remove_prefix(std::min(end + 2, content.size()));
    }
    return {};
}

void MailStore::add(Mailbox& mailbox, Copy copy)
{
    copy.uid = ++m_lastUid;
    copy.changed = mailbox.changed = ++m_lastChange;
    m_used += kCopyCost;
    mailbox.copies.push_back(std::move(copy));
}

void MailStore::release(Copy& copy)
{
    m_used -= kCopyCost;
    if (copy.content.use_count() == 1)
        m_used -= copy.content->capacity() + kMessageCost;
    copy.content.reset();
}

std::vector<CopyFate> MailStore::deliver(
    std::string content, const std::vector<std::string>& mailboxes, std::int64_t nowNs, std::string* token)
{
    ++m_messages;
    const std::string given(headerField(content, "X-Loadstone-Token"));
    const std::string key = given.empty() ? fmt::format("#{}", m_messages) : given;
    *token = given;
    const auto message = std::make_shared<const std::string>(std::move(content));
    std::vector<CopyFate> fates;
    fates.reserve(mailboxes.size());
    for (const std::string& name : mailboxes) {
        CopyFate& fate = fates.emplace_back();
        fate.mailbox = name;
        fate.fault = m_faults.ofCopy(key, name);
        if (fate.fault == Fault::lose)
            continue;
        Copy copy;
        copy.content = message;
        copy.visibleNs = nowNs + m_delay.count();
        if (fate.fault == Fault::damage
            && !placeDamage(*message, m_faults.detail(key, name), copy.damagedAt, copy.damagedBit))
            fate.fault = Fault::none;
        if (fate.fault == Fault::delay)
            copy.visibleNs += m_faults.duration(Fault::delay).count();
        fate.visibleNs = copy.visibleNs;
        const auto [it, isNew] = m_mailboxes.try_emplace(name);
        m_used += isNew ? kMailboxCost : 0;
        if (fate.fault == Fault::duplicate)
            add(it->second, copy);
        add(it->second, std::move(copy));
        m_bell.ring(name);
    }
    if (message.use_count() > 1)
        m_used += message->capacity() + kMessageCost;
    return fates;
}

std::optional<std::vector<MailStore::Entry>> MailStore::open(const std::string& mailbox, std::int64_t nowNs)
{
    const auto [it, isNew] = m_mailboxes.try_emplace(mailbox);
    m_used += isNew ? kMailboxCost : 0;
    if (std::exchange(it->second.open, true))
        return std::nullopt;
    std::vector<Entry> entries;
    entries.reserve(it->second.copies.size());
    for (const Copy& copy : it->second.copies)
        if (copy.visibleNs <= nowNs)
            entries.push_back({ copy.uid, copy.content->size() });
    return entries;
}

std::optional<std::string> MailStore::content(const std::string& mailbox, std::uint64_t uid) const
{
    const auto box = m_mailboxes.find(mailbox);
    if (box == m_mailboxes.end())
        return std::nullopt;
    const auto& copies = box->second.copies;
    const auto copy = std::lower_bound(
        copies.begin(), copies.end(), uid, [](const Copy& c, std::uint64_t id) { return c.uid < id; });
    if (copy == copies.end() || copy->uid != uid)
        return std::nullopt;
    std::string text = *copy->content;
    if (copy->damagedBit != 0)
        text[copy->damagedAt] = static_cast<char>(text[copy->damagedAt] ^ copy->damagedBit);
    return text;
}

std::size_t MailStore::erase(const std::string& mailbox, const std::vector<std::uint64_t>& sortedUids)
{
    const auto box = m_mailboxes.find(mailbox);
    if (box == m_mailboxes.end())
        return 0;
    box->second.changed = ++m_lastChange;
    m_bell.ring(mailbox);
    return std::erase_if(box->second.copies, [&](Copy& copy) {
        if (!std::binary_search(sortedUids.begin(), sortedUids.end(), copy.uid))
            return false;
        release(copy);
        return true;
    });
}

MailStore::Mailbox& MailStore::reach(const std::string& mailbox)
{
    const auto [it, isNew] = m_mailboxes.try_emplace(mailbox);
    m_used += isNew ? kMailboxCost : 0;
    return it->second;
}

const MailStore::Copy* MailStore::find(const std::string& mailbox, std::uint64_t uid) const
{
    const auto box = m_mailboxes.find(mailbox);
    if (box == m_mailboxes.end())
        return nullptr;
    const auto& copies = box->second.copies;
    const auto copy = std::lower_bound(
        copies.begin(), copies.end(), uid, [](const Copy& c, std::uint64_t id) { return c.uid < id; });
    return copy == copies.end() || copy->uid != uid ? nullptr : &*copy;
}

MailStore::Copy* MailStore::find(const std::string& mailbox, std::uint64_t uid)
{
    return const_cast<Copy*>(std::as_const(*this).find(mailbox, uid));
}

std::vector<MailStore::Entry> MailStore::view(const std::string& mailbox, std::int64_t nowNs)
{
    std::vector<Entry> entries;
    const auto box = m_mailboxes.find(mailbox);
    if (box == m_mailboxes.end())
        return entries;
    auto& copies = box->second.copies;
    std::uint64_t& shownUpTo = box->second.shownUpTo;
    std::vector<Copy> late;
    std::erase_if(copies, [&](Copy& copy) {
        const bool overtaken = !copy.shown && copy.visibleNs <= nowNs && copy.uid < shownUpTo;
        if (overtaken)
            late.push_back(std::move(copy));
        return overtaken;
    });
    for (Copy& copy : late) {
        copy.uid = ++m_lastUid;
        copies.push_back(std::move(copy));
    }
    entries.reserve(copies.size());
    for (Copy& copy : copies)
        if (copy.visibleNs <= nowNs) {
            copy.shown = true;
            shownUpTo = std::max(shownUpTo, copy.uid);
            entries.push_back({ copy.uid, copy.content->size(), copy.flags, copy.changed });
        }
    return entries;
}

std::uint64_t MailStore::nextUid(const std::string& mailbox, std::int64_t nowNs) const
{
    if (const auto box = m_mailboxes.find(mailbox); box != m_mailboxes.end())
        for (const Copy& copy : box->second.copies)
            if (!copy.shown && copy.visibleNs > nowNs && copy.uid > box->second.shownUpTo)
                return copy.uid;
    return m_lastUid + 1;
}

std::int64_t MailStore::nextVisible(const std::string& mailbox, std::int64_t nowNs) const
{
    std::int64_t next = 0;
    if (const auto box = m_mailboxes.find(mailbox); box != m_mailboxes.end())
        for (const Copy& copy : box->second.copies)
            if (copy.visibleNs > nowNs && (next == 0 || copy.visibleNs < next))
                next = copy.visibleNs;
    return next;
}

std::uint64_t MailStore::highestChange(const std::string& mailbox) const
{
    const auto box = m_mailboxes.find(mailbox);
    return box == m_mailboxes.end() ? 1 : box->second.changed;
}

std::string_view MailStore::peek(const std::string& mailbox, std::uint64_t uid, std::string& damaged) const
{
    const Copy* copy = find(mailbox, uid);
    if (copy == nullptr)
        return {};
    if (copy->damagedBit == 0)
        return *copy->content;
    damaged = *copy->content;
    damaged[copy->damagedAt] = static_cast<char>(damaged[copy->damagedAt] ^ copy->damagedBit);
    return damaged;
}

bool MailStore::setFlags(const std::string& mailbox, std::uint64_t uid, std::uint8_t flags)
{
    Copy* copy = find(mailbox, uid);
    if (copy == nullptr || copy->flags == flags)
        return copy != nullptr;
    copy->flags = flags;
    copy->changed = reach(mailbox).changed = ++m_lastChange;
    m_bell.ring(mailbox);
    return true;
}

std::uint64_t MailStore::append(const std::string& mailbox, std::string content, std::uint8_t flags)
{
    Copy copy;
    copy.content = std::make_shared<const std::string>(std::move(content));
    copy.flags = flags;
    m_used += copy.content->capacity() + kMessageCost;
    add(reach(mailbox), std::move(copy));
    m_bell.ring(mailbox);
    return m_lastUid;
}

std::uint64_t MailStore::copy(const std::string& from, std::uint64_t uid, const std::string& to)
{
    const Copy* original = find(from, uid);
    if (original == nullptr)
        return 0;
    Copy second = *original;
    second.shown = false;
    add(reach(to), std::move(second));
    m_bell.ring(to);
    return m_lastUid;
}

const std::vector<std::string>& MailStore::folders(const std::string& user) const
{
    static const std::vector<std::string> kNone;
    const auto known = m_folders.find(user);
    return known == m_folders.end() ? kNone : known->second;
}

bool MailStore::hasFolder(const std::string& user, const std::string& folder) const
{
    const auto& known = folders(user);
    return std::find(known.begin(), known.end(), folder) != known.end();
}

bool MailStore::createFolder(const std::string& user, const std::string& folder)
{
    if (hasFolder(user, folder))
        return false;
    m_used += kMailboxCost + folder.size();
    m_folders[user].push_back(folder);
    return true;
}

bool MailStore::removeFolder(const std::string& user, const std::string& folder)
{
    if (!hasFolder(user, folder))
        return false;
    m_used -= kMailboxCost + folder.size();
    std::erase(m_folders[user], folder);
    if (const auto box = m_mailboxes.find(folderKey(user, folder)); box != m_mailboxes.end()) {
        for (Copy& copy : box->second.copies)
            release(copy);
        m_mailboxes.erase(box);
        m_used -= kMailboxCost;
    }
    return true;
}

std::string MailStore::folderKey(const std::string& user, const std::string& folder)
{
    // No user's name has a line end in it.
    return protocol::equalsIgnoringCase(folder, "INBOX") ? user : user + "\n" + folder;
}

void MailStore::close(const std::string& mailbox)
{
    const auto box = m_mailboxes.find(mailbox);
    if (box == m_mailboxes.end())
        return;
    box->second.open = false;
    if (box->second.copies.empty() && box->second.shownUpTo == 0) {
        m_mailboxes.erase(box);
        m_used -= kMailboxCost;
    }
}

} // namespace loadstone::embedded

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/key_words.h"

#include "format.h"

#include <QCoreApplication>

#include <array>
#include <utility>

namespace loadstone::ui {

namespace {

/// What is written in other letters than a key has them.
constexpr std::array<std::pair<const char*, const char*>, 13> kNames { { { "smtp", "SMTP" },
    { "pop3", "POP3" }, { "imap", "IMAP" }, { "caldav", "CalDAV" }, { "carddav", "CardDAV" },
    { "tls", "TLS" }, { "lmtp", "LMTP" }, { "iops", "IOPS" }, { "io", "I/O" }, { "ca", "CA" },
    { "ssh", "SSH" }, { "openmetrics", "OpenMetrics" }, { "condstore", "CONDSTORE" } } };

std::size_t beginOfLast(const std::string& path)
{
    std::size_t begin = 0;
    char quote = '\0';
    for (std::size_t i = 0; i < path.size(); ++i)
        if (quote != '\0')
            quote = path[i] == quote ? '\0' : quote;
        else if (path[i] == '"' || path[i] == '\'')
            quote = path[i];
        else if (path[i] == '.')
            begin = i + 1;
    return begin;
}

} // namespace

std::string keyOf(const KeyRow& row)
{
    return std::string(row.path.substr(row.path.rfind('.') + 1));
}

QString labelOf(const KeyRow& row)
{
    if (!row.label.empty())
        return text(std::string(row.label));
    QStringList words = text(keyOf(row)).split(QLatin1Char('_'));
    for (QString& word : words)
        for (const auto& [plain, name] : kNames)
            if (word == QLatin1String(plain))
                word = QString::fromLatin1(name);
    QString label = words.join(QLatin1Char(' '));
    if (!label.isEmpty())
        label[0] = label[0].toUpper();
    return label;
}

QString hintOf(const KeyRow& row)
{
    return text(describeValue(row));
}

QString objectionOf(const Problem& problem)
{
    return text(problem.remedy.empty() ? problem.message : problem.message + "; " + problem.remedy);
}

QString lineOf(const Problem& problem)
{
    QString words = objectionOf(problem);
    if (!problem.field.empty())
        words = QCoreApplication::translate("KeyWords", "%1: %2").arg(text(problem.field), words);
    return problem.line > 0
        ? QCoreApplication::translate("KeyWords", "Line %1: %2").arg(problem.line).arg(words)
        : words;
}

std::string genericPath(const std::string& path)
{
    std::string generic;
    for (std::size_t i = 0; i < path.size(); ++i) {
        generic += path[i];
        const std::size_t close = path[i] == '[' ? path.find(']', i) : std::string::npos;
        if (close != std::string::npos)
            i = close - 1;
    }
    return generic;
}

std::string tableOf(const std::string& path)
{
    const std::size_t begin = beginOfLast(path);
    return begin == 0 ? std::string() : path.substr(0, begin - 1);
}

std::string lastKeyOf(const std::string& path)
{
    return path.substr(beginOfLast(path));
}

} // namespace loadstone::ui

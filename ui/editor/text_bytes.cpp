// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text_bytes.h"

#include <QCoreApplication>
#include <QStringDecoder>
#include <QTextBlock>
#include <QTextDocument>

#include <string_view>
#include <vector>

namespace loadstone::ui {

namespace {

constexpr std::string_view kMark = "\xef\xbb\xbf"; // of the byte order

struct Line {
    std::string_view text, end;
};

std::vector<Line> linesOf(std::string_view bytes)
{
    std::vector<Line> lines;
    std::size_t begin = 0;
    while (true) {
        const std::size_t end = bytes.find_first_of("\r\n", begin);
        if (end == std::string_view::npos) {
            lines.push_back({ bytes.substr(begin), {} });
            return lines;
        }
        const std::size_t length = bytes.substr(end, 2) == "\r\n" ? 2 : 1;
        lines.push_back({ bytes.substr(begin, end - begin), bytes.substr(end, length) });
        begin = end + length;
    }
}

QString words(const char* text)
{
    return QCoreApplication::translate("TextEditor", text);
}

} // namespace

QString notEditable(const std::string& bytes)
{
    if (bytes.size() > kMostEditedBytes)
        return words("The text has more than 4 MB. Edit it in another program.");
    if (bytes.find('\0') != std::string::npos)
        return words("The file has zero bytes and is not a text.");
    QStringDecoder decoder(QStringDecoder::Utf8, QStringDecoder::Flag::Stateless);
    const QString text = decoder.decode(QByteArrayView(bytes.data(), static_cast<qsizetype>(bytes.size())));
    if (decoder.hasError())
        return words("The file is not UTF-8. Files of Loadstone have this encoding.");
    for (const Line& line : linesOf(bytes))
        if (line.text.size() > static_cast<std::size_t>(kLongestEditedLine))
            return words("The file has a line of more than 20,000 characters. Edit it in another program.");
    // Characters that the text widget takes for ends of lines or frames could not be told from line feeds afterwards.
    for (const char32_t c : { 0x2029, 0xfdd0, 0xfdd1 })
        if (text.contains(QChar(static_cast<char16_t>(c))))
            return words("The file has characters that the editor cannot keep (U+2029, U+FDD0 or U+FDD1).");
    return {};
}

QString shownText(const std::string& bytes)
{
    QString text = QString::fromUtf8(bytes.data(), static_cast<qsizetype>(bytes.size()));
    if (text.startsWith(QChar(0xfeff)))
        text.remove(0, 1);
    text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
    text.replace(QLatin1Char('\r'), QLatin1Char('\n'));
    return text;
}

QString textOf(const QTextDocument& document)
{
    QString text;
    text.reserve(document.characterCount());
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        if (block.blockNumber() > 0)
            text += QLatin1Char('\n');
        text += block.text();
    }
    return text;
}

std::string bytesOf(const QString& shown, const std::string& original)
{
    const std::string edited = shown.toStdString();
    const bool marked = original.starts_with(kMark);
    if (!marked && original.find('\r') == std::string::npos)
        return edited;
    const auto before = linesOf(std::string_view(original).substr(marked ? kMark.size() : 0));
    const auto now = linesOf(edited);
    const std::string_view usual = before.front().end.empty() ? std::string_view("\n") : before.front().end;
    std::size_t first = 0;
    while (first < std::min(before.size(), now.size()) && before[first].text == now[first].text)
        ++first;
    std::size_t last = 0;
    while (last < std::min(before.size(), now.size()) - first
        && before[before.size() - 1 - last].text == now[now.size() - 1 - last].text)
        ++last;
    std::string bytes(marked ? kMark : std::string_view());
    for (std::size_t i = 0; i < now.size(); ++i) {
        bytes += now[i].text;
        if (i + 1 == now.size())
            break;
        const bool isLast = i >= now.size() - last;
        const std::string_view kept = i < first ? before[i].end
            : isLast                            ? before[before.size() - (now.size() - i)].end
                                                : usual;
        bytes += kept.empty() ? usual : kept;
    }
    return bytes;
}

} // namespace loadstone::ui

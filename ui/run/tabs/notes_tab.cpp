// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/tabs/notes_tab.h"

#include "format.h"

#include <QFormLayout>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <utility>

namespace loadstone::ui {

namespace {

/// "clockSource" as "Clock source", "cpuModel" as "CPU model".
QString keyName(const QString& key)
{
    QString name;
    for (const QChar letter : key) {
        if (letter.isUpper())
            name += QLatin1Char(' ');
        name += letter.toLower();
    }
    name.replace(QStringLiteral("cpu"), QStringLiteral("CPU"));
    if (!name.isEmpty())
        name[0] = name[0].toUpper();
    return name;
}

QString valueText(const QJsonValue& value)
{
    if (value.isArray()) {
        QStringList parts;
        for (const QJsonValue& v : value.toArray())
            parts.append(valueText(v));
        return parts.join(QStringLiteral(", "));
    }
    if (value.isObject()) {
        QStringList parts;
        const QJsonObject object = value.toObject();
        for (auto it = object.begin(); it != object.end(); ++it)
            parts.append(keyName(it.key()).toLower() + QLatin1Char(' ') + valueText(it.value()));
        return parts.join(QStringLiteral(", "));
    }
    if (value.isDouble())
        return QString::number(value.toDouble(), 'g', 12);
    return value.toVariant().toString();
}

QString rowHtml(const QString& name, const QString& value)
{
    return QStringLiteral("<tr><td style='padding-right:16px'>%1</td><td>%2</td></tr>")
        .arg(name.toHtmlEscaped(), value.toHtmlEscaped());
}

QString rowsHtml(const std::string& json)
{
    QString html;
    const QJsonObject object = QJsonDocument::fromJson(QByteArray::fromStdString(json)).object();
    for (auto it = object.begin(); it != object.end(); ++it)
        html += rowHtml(keyName(it.key()), valueText(it.value()));
    return html;
}

} // namespace

QStringList parseTags(const QString& text)
{
    QStringList tags;
    for (const QString& part : text.split(QLatin1Char(','))) {
        const QString tag = part.simplified();
        if (!tag.isEmpty() && !tags.contains(tag))
            tags.append(tag);
    }
    return tags;
}

NotesTab::NotesTab(QWidget* parent)
    : QWidget(parent)
    , m_note(new QPlainTextEdit)
    , m_elsewhere(new QLabel)
    , m_tags(new QLineEdit)
    , m_save(new QPushButton(tr("S&ave note")))
    , m_facts(new QTextBrowser)
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    auto* splitter = new QSplitter(Qt::Horizontal);
    auto* editor = new QWidget;
    auto* form = new QVBoxLayout(editor);
    form->setContentsMargins(0, 0, 6, 0);
    auto* noteLabel = new QLabel(tr("Note:"));
    noteLabel->setBuddy(m_note);
    form->addWidget(noteLabel);
    m_note->setTabChangesFocus(true);
    m_note->setPlaceholderText(tr("What was special about this run? What did it show?"));
    form->addWidget(m_note, 1);
    m_elsewhere->setTextFormat(Qt::PlainText);
    m_elsewhere->setWordWrap(true);
    m_elsewhere->hide();
    form->addWidget(m_elsewhere);
    auto* row = new QHBoxLayout;
    auto* tagLabel = new QLabel(tr("Tags:"));
    tagLabel->setBuddy(m_tags);
    m_tags->setPlaceholderText(tr("separated by commas"));
    row->addWidget(tagLabel);
    row->addWidget(m_tags, 1);
    row->addWidget(m_save);
    form->addLayout(row);
    splitter->addWidget(editor);
    splitter->addWidget(m_facts);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 1);
    layout->addWidget(splitter);
    m_facts->setAccessibleName(tr("Facts recorded with the run"));
    connect(m_note, &QPlainTextEdit::textChanged, this, &NotesTab::updateButton);
    connect(m_tags, &QLineEdit::textChanged, this, &NotesTab::updateButton);
    connect(m_save, &QPushButton::clicked, this, [this] {
        m_otherNote.reset(); // the words beside the button say that it goes
        flush();
    });
    updateButton();
}

QStringList NotesTab::tags() const
{
    return parseTags(m_tags->text());
}

void NotesTab::setHeader(const RunHeader& header)
{
    m_savedNote.clear();
    m_listedNote.clear();
    m_savedTags.clear();
    m_sentNote.reset();
    m_sentTags.reset();
    m_otherNote.reset();
    m_note->clear();
    m_tags->clear();
    m_elsewhere->hide();
    QString html = QStringLiteral("<table>");
    html += rowHtml(tr("Run"), text(header.id.text()));
    html += rowHtml(tr("Title"), text(header.title));
    html += rowHtml(tr("Plan"), text(header.planName));
    html += rowHtml(tr("Started"), formatWhen(header.started));
    html += rowHtml(tr("Planned length"), formatElapsed(header.plannedLength));
    html += rowHtml(tr("Seed"), QString::number(header.seed));
    html += rowHtml(tr("Generator"), text(header.computer));
    html += QStringLiteral("</table><h4>%1</h4><table>").arg(tr("This machine when the run began"));
    html += rowsHtml(header.hostJson);
    html += QStringLiteral("</table><h4>%1</h4><table>").arg(tr("Versions"));
    html += rowsHtml(header.versionsJson) + QStringLiteral("</table>");
    m_facts->setHtml(html);
}

void NotesTab::setNote(const QString& note, const QStringList& newTags)
{
    m_otherNote.reset();
    if (noteChanged() && note != m_listedNote && note != m_sentNote)
        m_otherNote = note;
    m_elsewhere->setText(tr("Meanwhile the run has got another note. Save note replaces it by this one; "
                            "leaving the page keeps both: %1")
                             .arg(note));
    m_elsewhere->setVisible(m_otherNote.has_value());
    // Setting a field takes its cursor and its history of changes away: only when there is something new.
    if (!noteChanged() && note != m_listedNote) {
        m_note->setPlainText(note);
        m_listedNote = note;
        m_savedNote = m_note->toPlainText(); // without what the field does not keep, carriage returns for one
    }
    const QString line = newTags.join(QStringLiteral(", "));
    if (const QStringList known = parseTags(line); !tagsChanged() && known != m_savedTags) {
        m_savedTags = known; // a tag with a comma, which only other programs make, reads as two
        m_tags->setText(line);
    }
    updateButton();
}

void NotesTab::flush()
{
    if (const auto other = std::exchange(m_otherNote, {}); other && !other->isEmpty() && noteChanged())
        m_note->setPlainText(*other + QStringLiteral("\n\n") + m_note->toPlainText());
    const QString note = m_note->toPlainText();
    if (noteChanged() && m_sentNote != note) {
        m_sentNote = note;
        emit noteEdited(note);
    }
    const QStringList after = tags();
    if (tagsChanged() && m_sentTags != after) {
        const QStringList before = std::exchange(m_sentTags, after).value_or(m_savedTags);
        emit tagsEdited(before, after);
    }
    updateButton();
}

void NotesTab::noteDone(const QString& note, bool saved)
{
    if (!m_sentNote) // the tab has turned to another run since
        return;
    if (saved) {
        m_savedNote = m_listedNote = note;
        m_otherNote.reset();
        m_elsewhere->hide();
    }
    if (m_sentNote == note)
        m_sentNote.reset();
    updateButton();
}

void NotesTab::tagsDone(const QStringList& after, bool saved)
{
    if (!m_sentTags)
        return;
    if (saved)
        m_savedTags = after;
    if (m_sentTags == after)
        m_sentTags.reset();
    updateButton();
}

void NotesTab::drop()
{
    m_otherNote.reset();
    m_note->setPlainText(m_savedNote);
    m_tags->setText(m_savedTags.join(QStringLiteral(", ")));
}

bool NotesTab::noteChanged() const
{
    return m_note->toPlainText() != m_savedNote;
}

bool NotesTab::tagsChanged() const
{
    return tags() != m_savedTags;
}

void NotesTab::updateButton()
{
    m_save->setEnabled(
        (noteChanged() && m_sentNote != m_note->toPlainText()) || (tagsChanged() && m_sentTags != tags()));
}

} // namespace loadstone::ui

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "forms/secret_editor.h"

#include "format.h"
#include "forms/box_steps.h"
#include "forms/key_words.h"

#include <QAction>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLineEdit>

namespace loadstone::ui {

namespace {

const char* keyOfWay(SecretEditor::Way way)
{
    switch (way) {
    case SecretEditor::Way::environment:
        return "environment";
    case SecretEditor::Way::file:
        return "file";
    case SecretEditor::Way::prompt:
        return "prompt";
    default:
        return "";
    }
}

} // namespace

SecretEditor::SecretEditor(const KeyRow& row, QWidget* parent)
    : FieldEditor(row, parent)
    , m_way(new QComboBox)
    , m_line(new QLineEdit)
{
    const auto add = [this](const QString& words, Way way) { m_way->addItem(words, static_cast<int>(way)); };
    add(tr("none"), Way::none);
    add(tr("in the plan's text"), Way::written);
    add(tr("environment variable"), Way::environment);
    add(tr("first line of a file"), Way::file);
    add(row.path.starts_with("counters") ? tr("asked for (not possible here)")
                                         : tr("asked for when a run begins"),
        Way::prompt);
    m_way->setFocusPolicy(Qt::StrongFocus);
    m_way->setAccessibleName(tr("How the %1 is kept").arg(labelOf(row).toLower()));
    m_way->installEventFilter(this);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_way);
    layout->addWidget(m_line, 1);
    auto* show = new QAction(tr("Show it"), m_line);
    show->setShortcut(Qt::CTRL | Qt::Key_H);
    show->setShortcutContext(Qt::WidgetShortcut);
    show->setCheckable(true);
    m_line->addAction(show);
    m_line->setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(show, &QAction::toggled, this, &SecretEditor::follow);
    const auto* steps = new BoxSteps(m_way);
    connect(steps, &BoxSteps::passed, this, &SecretEditor::pass);
    connect(steps, &BoxSteps::chosen, this, &SecretEditor::choose);
    connect(m_line, &QLineEdit::textEdited, this, &SecretEditor::typed);
    connect(m_line, &QLineEdit::editingFinished, this, &SecretEditor::done);
    dress();
    setFocusProxy(nullptr); // or Tab would pass over the way
    follow();
}

QWidget* SecretEditor::field() const
{
    return m_line;
}

SecretEditor::Way SecretEditor::way() const
{
    return static_cast<Way>(m_way->currentData().toInt());
}

void SecretEditor::pass()
{
    if (way() != m_shownWay)
        m_line->clear(); // the name of a variable is no password
    else
        m_line->setText(m_shown);
    follow();
}

void SecretEditor::choose()
{
    pass();
    if (way() == Way::none || way() == Way::prompt)
        emit done();
    else if (way() != m_shownWay)
        m_line->setFocus();
}

void SecretEditor::follow()
{
    const bool has = way() == Way::written || way() == Way::environment || way() == Way::file;
    m_line->setEnabled(has);
    const bool isShown = !m_line->actions().isEmpty() && m_line->actions().constFirst()->isChecked();
    m_line->setEchoMode(way() == Way::written && !isShown ? QLineEdit::Password : QLineEdit::Normal);
    m_line->setPlaceholderText(way() == Way::environment ? QStringLiteral("MAIL_PASSWORD")
            : way() == Way::file                         ? QStringLiteral("/etc/loadstone/password")
                                                         : QString());
}

void SecretEditor::read(const Document& document, const std::string& path)
{
    Way way = Way::none;
    QString value;
    m_isForeign = false;
    if (const auto written = document.getText(path)) {
        way = Way::written;
        value = text(*written);
    } else if (document.has(path)) {
        const auto keys = document.keys(path);
        m_isForeign = true;
        for (const Way one : { Way::environment, Way::file, Way::prompt })
            if (keys.size() == 1 && keys.front() == keyOfWay(one)) {
                way = one;
                value = text(document.getText(path + "." + keys.front()).value_or(""));
                m_isForeign = one == Way::prompt && value != QLatin1String("true");
            }
    }
    // What somebody is choosing stays while the text says the same as before.
    const bool isSame = path == m_path && way == m_shownWay && value == m_shown;
    m_path = path;
    m_shownWay = way;
    m_shown = value;
    if (!isSame) {
        m_way->setCurrentIndex(m_way->findData(static_cast<int>(way)));
        m_line->setText(way == Way::prompt ? QString() : value);
    }
    follow();
    setReadOnly(m_isReadOnly);
}

Result<void> SecretEditor::write(Document& document, const std::string& path) const
{
    const std::string value = bytes(m_line->text());
    if (m_isForeign || (way() == m_shownWay && (text(value) == m_shown || way() == Way::prompt)))
        return {};
    const bool needsWords = way() != Way::none && way() != Way::prompt;
    if (needsWords && value.empty()) // half entered; or what was there is taken away
        return way() == m_shownWay && document.has(path) ? document.erase(path) : Result<void>();
    const bool isTable = document.has(path) && !document.getText(path);
    return document.change(path, [&](Document& changed) -> Result<void> {
        if (way() == Way::none)
            return changed.erase(path);
        if (way() == m_shownWay)
            return changed.setText(way() == Way::written ? path : path + "." + keyOfWay(way()), value);
        if (isTable)
            if (const auto gone = changed.erase(path); !gone)
                return gone;
        if (way() == Way::written)
            return changed.setText(path, value);
        const std::string what = way() == Way::prompt ? std::string("true") : tomlText(value);
        return changed.set(path, std::string("{ ") + keyOfWay(way()) + " = " + what + " }");
    });
}

void SecretEditor::setReadOnly(bool readOnly)
{
    m_isReadOnly = readOnly;
    m_way->setEnabled(!readOnly && !m_isForeign);
    m_line->setReadOnly(readOnly || m_isForeign);
}

void SecretEditor::setWithoutIt(const QString&)
{
    // Nothing stands for a password.
}

} // namespace loadstone::ui

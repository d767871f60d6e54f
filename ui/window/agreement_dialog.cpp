// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/agreement_dialog.h"

#include "format.h"

#include <loadstone/report.h>

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTextOption>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace loadstone::ui {

namespace {

/// Texts about which the user is not asked again while this program runs. Kept nowhere else: another start asks again.
std::set<std::string>& remembered()
{
    static std::set<std::string> texts;
    return texts;
}

} // namespace

AgreementDialog::AgreementDialog(
    const QString& plan, const std::vector<std::string>& agreements, QWidget* parent)
    : AgreementDialog(tr("Commands of the plan"),
        tr("The sources of counters of %1 do this on your machine, as you, while the run lasts. Run the plan "
           "only if you know what each line does:")
            .arg(plan),
        agreements, parent)
{
}

AgreementDialog::AgreementDialog(
    const QString& title, const QString& words, const std::vector<std::string>& agreements, QWidget* parent)
    : QDialog(parent)
    , m_agreements(agreements)
    , m_remember(
          new QCheckBox(tr("&Do not ask again about exactly these lines until the workbench is closed")))
{
    setWindowTitle(title);
    resize(760, 360);
    auto* layout = new QVBoxLayout(this);
    auto* heading = new QLabel(words);
    heading->setTextFormat(Qt::PlainText);
    heading->setWordWrap(true);
    layout->addWidget(heading);

    QStringList lines;
    for (const std::string& agreement : agreements)
        lines.append(text(plainLines(agreement)));
    auto* shown = new QPlainTextEdit(lines.join(QLatin1Char('\n')));
    shown->setReadOnly(true);
    // Nothing of a line is out of sight to the right, however long it is.
    shown->setLineWrapMode(QPlainTextEdit::WidgetWidth);
    shown->setWordWrapMode(QTextOption::WrapAnywhere);
    shown->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    shown->setTabChangesFocus(true);
    shown->setAccessibleName(tr("What the plan does on this machine"));
    heading->setBuddy(shown);
    layout->addWidget(shown);
    layout->addWidget(m_remember);

    auto* buttons = new QDialogButtonBox;
    QPushButton* agree = buttons->addButton(tr("&Run with these commands"), QDialogButtonBox::AcceptRole);
    QPushButton* cancel = buttons->addButton(QDialogButtonBox::Cancel);
    agree->setAutoDefault(false);
    cancel->setDefault(true); // Enter alone agrees to nothing
    cancel->setFocus();
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    layout->addWidget(buttons);
}

bool AgreementDialog::ask()
{
    const bool isKnown =
        std::ranges::all_of(m_agreements, [](const std::string& one) { return remembered().contains(one); });
    if (isKnown)
        return true;
    if (exec() != Accepted)
        return false;
    if (m_remember->isChecked())
        remembered().insert(m_agreements.begin(), m_agreements.end());
    return true;
}

} // namespace loadstone::ui

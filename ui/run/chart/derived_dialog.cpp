// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/derived_dialog.h"

#include "confirm.h"
#include "format.h"

#include <loadstone/derived.h>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <optional>

namespace loadstone::ui {

namespace {

constexpr int kPauseMilliseconds = 200;

QLabel* plainLabel()
{
    auto* label = new QLabel;
    label->setTextFormat(Qt::PlainText); // names come from plans and servers
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

/// "in % per user, from 3 counters".
QString wordsOf(const DerivedCounter& counter)
{
    const QString unit = counter.unit.empty() ? DerivedDialog::tr("a bare number")
                                              : DerivedDialog::tr("in %1").arg(text(counter.unit));
    return counter.parts.size() == 1
        ? DerivedDialog::tr("The result is %1, computed from one counter.").arg(unit)
        : DerivedDialog::tr("The result is %1, computed from %2 counters.")
              .arg(unit)
              .arg(counter.parts.size());
}

} // namespace

/// Lives on the worker's thread.
struct DerivedDialog::Checker {
    std::filesystem::path file;
    std::string target;
    std::optional<Recording> recording {};

    Result<DerivedCounter> check(const std::string& definition)
    {
        if (!recording) {
            auto opened = Recording::open(file, target);
            if (!opened)
                return opened.error();
            recording.emplace(std::move(*opened));
        }
        if (const auto news = recording->refresh(); !news)
            return news.error();
        auto derived = derive(*recording, definition);
        if (!derived)
            return derived;
        const PlanDerived planned = derivedOf(*recording);
        if (std::ranges::find(planned.counters, derived->name, &DerivedCounter::name)
            != planned.counters.end())
            return fail("the plan of this run has a derived counter of this name; choose another name");
        return derived;
    }
};

DerivedDialog::DerivedDialog(
    std::filesystem::path recording, std::string target, const QString& formula, QWidget* parent)
    : QDialog(parent)
    , m_name(new QComboBox)
    , m_unit(new QLineEdit)
    , m_formula(new QLineEdit(formula))
    , m_whole(plainLabel())
    , m_verdict(plainLabel())
    , m_checker(std::make_shared<Checker>(Checker { std::move(recording), std::move(target) }))
{
    setWindowTitle(tr("Derived counter"));
    resize(680, 320);
    m_name->setEditable(true);
    m_name->setInsertPolicy(QComboBox::NoInsert);
    for (const DerivedDefinition& one : derivedDefinitions())
        m_name->addItem(one.title);
    m_name->setCurrentIndex(-1);
    m_name->setCurrentText({});
    m_name->lineEdit()->setPlaceholderText(tr("A new name, or one of your derived counters"));
    m_unit->setPlaceholderText(tr("That of its parts"));
    m_formula->setPlaceholderText(QStringLiteral("sum(\"…\", \"…\") / users"));
    m_formula->setClearButtonEnabled(true);

    auto* form = new QFormLayout;
    form->addRow(tr("&Name:"), m_name);
    form->addRow(tr("&Unit:"), m_unit);
    form->addRow(tr("&Formula:"), m_formula);
    auto* help = plainLabel();
    help->setText(tr(
        "Counters by their paths in quotes (* is any text), sum(…) and mean(…) of several, numbers, users, "
        "processors, * and /, brackets. Charts of all runs that have the counters offer it."));
    m_whole->setFont(QFont(QStringLiteral("monospace")));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
    m_add = buttons->addButton(tr("&Add"), QDialogButtonBox::AcceptRole);
    m_remove = buttons->addButton(tr("&Delete"), QDialogButtonBox::DestructiveRole);
    m_remove->setToolTip(tr("Deletes the definition of this name: charts have this counter no more"));
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    layout->addWidget(help);
    layout->addWidget(m_whole);
    layout->addWidget(m_verdict);
    layout->addStretch(1);
    layout->addWidget(buttons);
    m_add->setDefault(true); // within the dialog: else Enter in a field would cancel it

    m_pause.setSingleShot(true);
    m_pause.setInterval(kPauseMilliseconds);
    connect(&m_pause, &QTimer::timeout, this, &DerivedDialog::check);
    connect(m_name, &QComboBox::textActivated, this, &DerivedDialog::choose);
    connect(m_name, &QComboBox::editTextChanged, this, &DerivedDialog::typed);
    connect(m_unit, &QLineEdit::textChanged, this, &DerivedDialog::typed);
    connect(m_formula, &QLineEdit::textChanged, this, &DerivedDialog::typed);
    connect(buttons, &QDialogButtonBox::accepted, this, &DerivedDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_remove, &QPushButton::clicked, this, &DerivedDialog::removeChosen);
    typed();
}

DerivedDefinition DerivedDialog::definition() const
{
    return { m_name->currentText().trimmed(), m_unit->text().trimmed(), m_formula->text().trimmed() };
}

void DerivedDialog::choose(const QString& name)
{
    for (const DerivedDefinition& one : derivedDefinitions())
        if (one.title == name) {
            m_unit->setText(one.unit);
            m_formula->setText(one.formula);
        }
}

void DerivedDialog::typed()
{
    const DerivedDefinition now = definition();
    const std::vector<DerivedDefinition> known = derivedDefinitions();
    const bool mine = std::ranges::find(known, now.title, &DerivedDefinition::title) != known.end();
    m_remove->setEnabled(mine);
    m_add->setText(mine ? tr("&Change") : tr("&Add"));
    m_add->setEnabled(false); // until it has been checked
    m_pause.stop();
    if (now.title.isEmpty() || now.formula.isEmpty()) {
        m_whole->clear();
        m_verdict->setText(tr("A derived counter has a name and a formula."));
        return;
    }
    m_whole->setText(now.text());
    m_pause.start();
}

void DerivedDialog::check()
{
    const QString whole = definition().text();
    m_worker.post([checker = m_checker, definition = bytes(whole)] { return checker->check(definition); },
        this,
        [this, whole](const Result<DerivedCounter>& derived) {
            if (whole != definition().text())
                return; // something else has been typed since
            if (derived)
                showCheck(wordsOf(*derived), {});
            else
                showCheck({}, text(derived.error().message));
        });
}

void DerivedDialog::showCheck(const QString& good, const QString& problem)
{
    m_verdict->setText(problem.isEmpty() ? good : problem);
    m_add->setEnabled(problem.isEmpty());
    emit checked(problem);
}

void DerivedDialog::accept()
{
    if (!m_add->isEnabled())
        return;
    keepDerivedDefinition(definition());
    QDialog::accept();
}

void DerivedDialog::removeChosen()
{
    const QString name = definition().title;
    if (!confirmLoss(this, tr("Delete derived counter"),
            tr("Delete %1? Charts and counter sets no longer have it.").arg(name)))
        return;
    removeDerivedDefinition(name);
    m_name->removeItem(m_name->findText(name));
    m_name->setCurrentIndex(-1);
    m_name->setCurrentText({});
    m_unit->clear();
    m_formula->clear();
    typed();
}

} // namespace loadstone::ui

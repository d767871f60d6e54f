// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/last_page.h"

#include "banner.h"
#include "format.h"
#include "forms/inks.h"
#include "forms/key_words.h"
#include "icons.h"
#include "plan_words.h"
#include "wizard/also_in_plan.h"
#include "wizard/plan_name.h"
#include "wizard/preflight_box.h"
#include "wizard/rehearsal_box.h"
#include "wizard/shell_line.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFontDatabase>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTextBlock>
#include <QVBoxLayout>

namespace loadstone::ui {

namespace {

constexpr int kAround = 3; // lines beside a changed one

QListWidget* makeList(const QString& name)
{
    auto* list = new QListWidget;
    list->setAccessibleName(name);
    list->setWordWrap(true);
    list->setSelectionMode(QAbstractItemView::SingleSelection);
    return list;
}

QString problemLine(const Problem& problem)
{
    QString words = problem.field.empty()
        ? objectionOf(problem)
        : LastPage::tr("%1: %2").arg(text(problem.field), objectionOf(problem));
    return problem.line > 0 ? LastPage::tr("Line %1: %2").arg(problem.line).arg(words) : words;
}

/// The lines with what is near a change; "…" stands for what is left out.
std::vector<DiffLine> nearChanges(const std::vector<DiffLine>& diff)
{
    std::vector<DiffLine> near;
    const auto isChanged = [&](std::ptrdiff_t at) {
        return at >= 0 && at < std::ssize(diff)
            && diff[static_cast<std::size_t>(at)].kind != DiffLine::Kind::same;
    };
    bool isLeftOut = false;
    for (std::ptrdiff_t i = 0; i < std::ssize(diff); ++i) {
        bool isNear = false;
        for (std::ptrdiff_t by = -kAround; by <= kAround; ++by)
            isNear = isNear || isChanged(i + by);
        if (isNear)
            near.push_back(diff[static_cast<std::size_t>(i)]);
        else if (!isLeftOut)
            near.push_back({ DiffLine::Kind::same, QStringLiteral("…") });
        isLeftOut = !isNear;
    }
    return near;
}

} // namespace

LastPage::LastPage(
    PlanModel& model, QString opened, std::function<std::set<std::string>()> keys, QWidget* parent)
    : PlanPage(model, tr("Summary"),
        tr("The plan as it stands. Nothing is written to a file until you save it."), parent)
    , m_opened(std::move(opened))
    , m_keys(std::move(keys))
    , m_facts(makeProse())
    , m_also(makeProse())
    , m_problems(makeList(tr("Problems")))
    , m_lint(makeList(tr("What this plan does not test")))
    , m_diff(new QPlainTextEdit)
    , m_whole(new QCheckBox(tr("&Whole text")))
    , m_tabs(new QTabWidget)
    , m_command(new QLineEdit)
{
    m_diff->setReadOnly(true);
    m_diff->setTabChangesFocus(true);
    m_diff->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_diff->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_diff->setAccessibleName(tr("Text of the plan with what changed"));
    auto* review = new QWidget;
    auto* lists = new QVBoxLayout(review);
    auto* problemsLabel = new QLabel(tr("&Problems:"));
    problemsLabel->setBuddy(m_problems);
    auto* lintLabel = new QLabel(tr("What this plan does &not test:"));
    lintLabel->setBuddy(m_lint);
    lists->addWidget(problemsLabel);
    lists->addWidget(m_problems, 2);
    lists->addWidget(lintLabel);
    lists->addWidget(m_lint, 5);
    lists->addWidget(m_also);
    auto* changes = new QWidget;
    auto* texts = new QVBoxLayout(changes);
    texts->addWidget(m_whole);
    texts->addWidget(m_diff, 1);
    m_tabs->addTab(review, tr("Re&view"));
    m_tabs->addTab(changes, tr("&Text"));
    if (m_model.kind() == RunKind::mail) {
        m_rehearsal = new RehearsalBox(m_model);
        m_tabs->addTab(m_rehearsal, tr("R&ehearsal"));
    } else {
        auto* places = new QWidget;
        auto* layout = new QVBoxLayout(places);
        layout->addWidget(new PreflightBox(m_model));
        layout->addStretch(1);
        m_tabs->addTab(places, tr("Plac&es"));
    }
    m_command->setReadOnly(true);
    m_command->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_command->setAccessibleName(tr("The command that does the same"));
    auto* copy = new QPushButton(tr("&Copy"));
    copy->setToolTip(tr("Copies the command"));
    connect(
        copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(m_command->text()); });
    auto* line = new QHBoxLayout;
    auto* label = new QLabel(tr("The same on the command &line:"));
    label->setBuddy(m_command);
    line->addWidget(label);
    line->addWidget(m_command, 1);
    line->addWidget(copy);
    auto* whole = new QWidget;
    auto* layout = new QVBoxLayout(whole);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_facts);
    layout->addWidget(m_tabs, 1);
    layout->addLayout(line);
    takeWhole(whole);
    connect(m_whole, &QCheckBox::toggled, this, &LastPage::showDiff);
    connect(m_problems, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        emit fieldWanted(bytes(item->data(Qt::UserRole).toString()));
    });
    connect(m_lint, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        emit fieldWanted(bytes(item->data(Qt::UserRole).toString()));
    });
    connect(&m_model, &DocumentModel::changed, this, [this] {
        if (isVisible())
            follow();
    });
}

void LastPage::entered()
{
    follow();
}

QString LastPage::command() const
{
    return m_command->text();
}

QString LastPage::also() const
{
    return m_also->text();
}

void LastPage::follow()
{
    const PlanSummary* plan = m_model.summary();
    if (plan == nullptr)
        m_facts->setText(tr("checking…"));
    else {
        QStringList facts { plan->title.empty() ? tr("Without a title") : text(plan->title) };
        if (plan->tests > 0)
            facts.append(plan->tests == 1 ? tr("1 test") : tr("%1 tests").arg(plan->tests));
        else
            facts.append(plan->mixes == 1 ? tr("1 mix") : tr("%1 mixes").arg(plan->mixes));
        if (plan->users > 0)
            facts.append(tr("up to %1 users").arg(formatCount(plan->users)));
        facts.append(planLength(*plan));
        if (!plan->target.empty())
            facts.append(text(plan->target));
        m_facts->setText(facts.join(QStringLiteral(", ")));
    }
    const std::filesystem::path file = m_model.document().file();
    m_command->setText(
        text(runCommand(file.empty() ? std::filesystem::path(planFileName(m_model.document())) : file)));
    m_command->setCursorPosition(0);
    m_command->setToolTip(file.empty() || m_model.document().isModified()
            ? tr("Save the plan first: the command reads its file")
            : tr("What Run starts, and a report beside the plan"));
    const QStringList others = alsoInPlan(m_model.document(), m_keys());
    m_also->setVisible(!others.isEmpty());
    m_also->setText(tr("Also in this plan, and left as it is: %1").arg(others.join(QStringLiteral(", "))));
    showProblems();
    showDiff();
    if (m_model.isChecked())
        askLint();
}

void LastPage::showProblems()
{
    m_problems->clear();
    for (const Problem& problem : m_model.problems()) {
        const bool isError = problem.severity == ProblemSeverity::error;
        auto* item = new QListWidgetItem(icon(isError ? QStringLiteral("error") : QStringLiteral("warning")),
            problemLine(problem), m_problems);
        item->setData(Qt::UserRole, text(problem.field));
        item->setToolTip(tr("Enter or a double click leads to the field"));
        if (isError)
            item->setForeground(problemInk(palette()));
    }
    if (m_problems->count() != 0)
        return;
    // "No problems" alone would be a promise about servers and folders that nobody has looked at.
    const QString fine = m_model.kind() == RunKind::mail
        ? tr("The plan has no problems. The page Servers tests whether its servers answer.")
        : m_model.kind() == RunKind::raw
        ? tr("The plan has no problems. The page Device checks whether its place can be used.")
        : tr("The plan has no problems. The page Volumes checks whether its folders can be used.");
    new QListWidgetItem(
        icon(QStringLiteral("valid")), m_model.isChecked() ? fine : tr("checking…"), m_problems);
}

void LastPage::showDiff()
{
    const auto diff = diffOf(m_opened, text(m_model.document().text()));
    const auto shown = m_whole->isChecked() || changedLines(diff) == 0 ? diff : nearChanges(diff);
    QStringList lines;
    for (const DiffLine& line : shown) {
        const QLatin1Char mark(line.kind == DiffLine::Kind::added ? '+'
                : line.kind == DiffLine::Kind::removed            ? '-'
                                                                  : ' ');
        lines.append(QString(mark) + QLatin1Char(' ') + line.text);
    }
    m_diff->setPlainText(lines.join(QLatin1Char('\n')));
    QList<QTextEdit::ExtraSelection> colours;
    for (std::size_t i = 0; i < shown.size(); ++i) {
        if (shown[i].kind == DiffLine::Kind::same)
            continue;
        QTextEdit::ExtraSelection colour;
        colour.cursor = QTextCursor(m_diff->document()->findBlockByNumber(static_cast<int>(i)));
        colour.format.setBackground(
            shown[i].kind == DiffLine::Kind::added ? addedGround(palette()) : removedGround(palette()));
        colour.format.setProperty(QTextFormat::FullWidthSelection, true);
        colours.append(colour);
    }
    m_diff->setExtraSelections(colours);
    const std::size_t changed = changedLines(diff);
    m_tabs->setTabText(1,
        changed == 0       ? tr("&Text (as opened)")
            : changed == 1 ? tr("&Text (1 line changed)")
                           : tr("&Text (%1 lines changed)").arg(changed));
}

void LastPage::askLint()
{
    m_worker->post([plan = m_model.document()] { return lintPlan(plan); }, this,
        [this, version = ++m_version](Result<std::vector<PlanLint>> lint) {
            if (version != m_version)
                return;
            showLint(lint ? *lint : std::vector<PlanLint>());
            emit lintShown();
        });
}

void LastPage::showLint(const std::vector<PlanLint>& lint)
{
    m_lint->clear();
    for (const PlanLint& one : lint) {
        QString words = text(one.what);
        if (!words.isEmpty())
            words[0] = words[0].toUpper();
        if (!one.remedy.empty())
            words += tr("\n→ %1").arg(text(one.remedy));
        auto* item = new QListWidgetItem(icon(QStringLiteral("info")), words, m_lint);
        item->setData(Qt::UserRole, text(one.field));
        item->setToolTip(tr("Enter or a double click leads to the field"));
    }
    if (lint.empty())
        m_lint->addItem(
            m_model.isRunnable() ? tr("Nothing was found.") : tr("Shown when the plan has no errors."));
}

} // namespace loadstone::ui

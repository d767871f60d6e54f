// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/plan_chooser.h"

#include "format.h"
#include "plan_words.h"
#include "plans/plan_facts.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QKeyEvent>
#include <QScopedValueRollback>
#include <QSignalBlocker>

#include <algorithm>

namespace loadstone::ui {

namespace {
const QString kOpen = QStringLiteral("open");
constexpr int kMostRecent = 6;
}

PlanChooser::PlanChooser(QWidget* parent)
    : QComboBox(parent)
{
    setAccessibleName(tr("Plan"));
    setMinimumContentsLength(38);
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    rebuild();
    connect(this, &QComboBox::currentIndexChanged, this, &PlanChooser::updateTip);
    connect(this, &QComboBox::activated, this, [this](int index) {
        if (itemData(index) != kOpen)
            m_chosen = itemData(index).toString();
        else if (m_stepping)
            showChosen();
        else
            openFile();
    });
}

std::filesystem::path PlanChooser::plan() const
{
    const QString chosen = currentData().toString();
    return chosen.isEmpty() || chosen == kOpen ? std::filesystem::path()
                                               : std::filesystem::path(bytes(chosen));
}

void PlanChooser::choose(const std::filesystem::path& file)
{
    std::error_code gone; // the working directory, perhaps: the name as it is will do
    const auto absolute = std::filesystem::absolute(file, gone);
    const QString path = text((gone ? file : absolute).lexically_normal().string());
    if (findData(path) < 0) {
        m_recent.removeAll(path);
        m_recent.prepend(path);
        while (m_recent.size() > kMostRecent)
            m_recent.removeLast();
        rebuild();
    }
    m_chosen = path;
    setCurrentIndex(findData(path));
}

void PlanChooser::setRecent(const QStringList& files)
{
    m_recent.clear();
    for (const QString& file : files)
        if (QFileInfo::exists(file) && m_recent.size() < kMostRecent)
            m_recent.append(file);
    rebuild();
}

void PlanChooser::openFile()
{
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Open plan"), QFileInfo(m_chosen).path(), tr("Plans (*.toml);;All files (*)"));
    if (file.isEmpty())
        return showChosen();
    choose(bytes(file));
    emit opened(bytes(file));
}

void PlanChooser::showChosen()
{
    setCurrentIndex(std::max(0, findData(m_chosen)));
}

void PlanChooser::keyPressEvent(QKeyEvent* event)
{
    const bool letter =
        !event->text().isEmpty() && event->text().at(0).isPrint() && event->key() != Qt::Key_Space;
    if (letter) {
        event->ignore();
        return;
    }
    const QScopedValueRollback stepping(m_stepping, true);
    QComboBox::keyPressEvent(event);
}

void PlanChooser::updateTip()
{
    const QString about = currentData(Qt::ToolTipRole).toString();
    setToolTip(
        about.isEmpty() ? tr("The plan that Run starts") : tr("The plan that Run starts:\n%1").arg(about));
}

void PlanChooser::addPlan(const std::filesystem::path& file)
{
    const QString path = text(file.string());
    addItem(text(file.stem().string()), path);
    const int index = count() - 1;
    setItemData(index, path, Qt::ToolTipRole);
    describe(path);
}

void PlanChooser::readAgain()
{
    for (int i = 0; i < count(); ++i)
        if (const QString path = itemData(i).toString(); !path.isEmpty() && path != kOpen)
            describe(path);
}

void PlanChooser::showPopup()
{
    readAgain();
    QComboBox::showPopup();
}

/// What the plan says of itself, read beside.
void PlanChooser::describe(const QString& path)
{
    const std::filesystem::path file = bytes(path);
    m_worker.post([file] { return checkPlan(file); }, this,
        [this, path, file](const Result<PlanSummary>& summary) {
            const int at = findData(path);
            if (at < 0 || !summary)
                return;
            const QString title = text(summary->title.empty() ? file.stem().string() : summary->title);
            setItemText(at,
                summary->runnable() ? tr("%1 (%2)").arg(title, planLength(*summary))
                                    : tr("%1 (has errors)").arg(title));
            setItemData(at,
                tr("%1\n%2, against %3\n%4")
                    .arg(path, planSize(*summary), text(summary->target), text(summary->description)),
                Qt::ToolTipRole);
            updateTip();
        });
}

void PlanChooser::rebuild()
{
    const QSignalBlocker blocked(this);
    const QString chosen = m_chosen;
    clear();
    // The plan for beginners stands first.
    auto shipped = readableShippedPlans();
    std::stable_partition(
        shipped.begin(), shipped.end(), [](const auto& file) { return file.stem() == "first-run"; });
    for (const auto& file : shipped)
        addPlan(file);
    if (!m_recent.isEmpty())
        insertSeparator(count());
    for (const QString& file : m_recent)
        addPlan(bytes(file));
    insertSeparator(count());
    addItem(tr("Open file…"), kOpen);
    setCurrentIndex(std::max(0, findData(chosen)));
    m_chosen = currentData().toString();
    updateTip();
}

} // namespace loadstone::ui

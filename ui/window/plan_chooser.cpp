// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "window/plan_chooser.h"

#include "format.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QScopedValueRollback>
#include <QSignalBlocker>

#include <algorithm>

namespace loadstone::ui {

namespace {
const QString kOpen = QStringLiteral("open");
constexpr int kMostRecent = 6;

std::vector<std::filesystem::path> readableShippedPlans()
{
    try {
        return shippedPlans();
    } catch (const std::filesystem::filesystem_error&) {
        return {}; // walking a folder may throw; any file can still be opened
    }
}
}

PlanChooser::PlanChooser(QWidget* parent)
    : QComboBox(parent)
{
    setAccessibleName(tr("Plan"));
    setToolTip(tr("The plan that Run starts"));
    setMinimumContentsLength(38);
    setSizeAdjustPolicy(AdjustToMinimumContentsLengthWithIcon);
    rebuild();
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
    if (!file.isEmpty())
        choose(bytes(file));
    else
        showChosen();
}

void PlanChooser::showChosen()
{
    setCurrentIndex(std::max(0, findData(m_chosen)));
}

void PlanChooser::keyPressEvent(QKeyEvent* event)
{
    const QScopedValueRollback stepping(m_stepping, true);
    QComboBox::keyPressEvent(event);
}

void PlanChooser::wheelEvent(QWheelEvent* event)
{
    const QScopedValueRollback stepping(m_stepping, true);
    QComboBox::wheelEvent(event);
}

void PlanChooser::addPlan(const std::filesystem::path& file)
{
    const QString path = text(file.string());
    addItem(text(file.stem().string()), path);
    const int index = count() - 1;
    setItemData(index, path, Qt::ToolTipRole);
    // What the plan says of itself, read beside.
    m_worker.post([file] { return checkPlan(file); }, this,
        [this, path](Result<PlanSummary> summary) {
            const int at = findData(path);
            if (at < 0 || !summary)
                return;
            if (!summary->title.empty())
                setItemText(at, tr("%1 (%2)").arg(text(summary->title), formatElapsed(summary->length)));
            setItemData(at,
                tr("%1\n%2 mixes, up to %3 users, against %4\n%5")
                    .arg(path, QString::number(summary->mixes), formatCount(summary->users),
                        text(summary->target), text(summary->description)),
                Qt::ToolTipRole);
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
}

} // namespace loadstone::ui

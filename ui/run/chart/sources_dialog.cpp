// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/sources_dialog.h"

#include "banner.h"
#include "confirm.h"
#include "format.h"
#include "run/chart/attach_dialog.h"
#include "run/view/line_key.h"
#include "tables/data_table.h"

#include <loadstone/recording.h>

#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QHBoxLayout>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>

#include <cmath>

namespace loadstone::ui {

namespace {

constexpr double kMostSeconds = 10.0 * 365 * 86400; // what the recording takes

/// "+12.500 s"
QString offsetText(Nanoseconds offset)
{
    const auto ms = std::chrono::round<std::chrono::milliseconds>(offset); // "-0.000" would be a puzzle
    const QString number = QLocale().toString(seconds(ms), 'f', 3);
    return (ms.count() > 0 ? QStringLiteral("+") : QString()) + number + QStringLiteral(" s");
}

/// On average; none: it has no samples.
std::optional<Nanoseconds> intervalOf(const SourceInfo& info)
{
    return info.ticks == 0 ? std::nullopt
                           : std::optional((info.end - info.begin) / static_cast<std::int64_t>(info.ticks));
}

/// How often it was moved, and the last move.
QString movesText(const SourceRow& row)
{
    if (row.moves.size() < 2)
        return translated("none");
    const SourceMove& last = row.moves.back();
    return translated("%1, the last by %2 on %3")
        .arg(row.moves.size() - 1)
        .arg(offsetText(last.by), formatWhen(last.made));
}

QString allMovesText(const SourceRow& row)
{
    QStringList lines;
    for (const SourceMove& move : row.moves)
        lines.append(lines.isEmpty()
                ? translated("%1: attached at %2").arg(formatWhen(move.made), offsetText(move.offset))
                : translated("%1: by %2 to %3")
                      .arg(formatWhen(move.made), offsetText(move.by), offsetText(move.offset)));
    return lines.join(QLatin1Char('\n'));
}

QVariant orderOf(Nanoseconds time)
{
    return QVariant(static_cast<qlonglong>(time.count()));
}

Column<SourceRow> endColumn(const QString& title, const QString& tip, Nanoseconds SourceInfo::*end)
{
    return { title, tip,
        [end](const SourceRow& r) {
            return r.info.ticks == 0 ? QStringLiteral("–") : formatElapsedExact(r.info.*end + r.info.offset);
        },
        [end](const SourceRow& r) { return orderOf(r.info.*end + r.info.offset); }, {} };
}

} // namespace

std::vector<Column<SourceRow>> sourceColumns()
{
    using R = SourceRow;
    return { { translated("Source"), translated("Where its counters are from"),
                 [](const R& r) {
                     return r.info.complete ? text(r.name) : translated("%1 (incomplete)").arg(text(r.name));
                 },
                 {},
                 [](const R& r, int role) {
                     return role == Qt::ToolTipRole && !r.info.complete
                         ? QVariant(translated("It is still being written, or its writing was interrupted."))
                         : QVariant();
                 } },
        { translated("Computer"), {}, [](const R& r) { return text(r.info.computer); }, {}, {} },
        { translated("Role"), translated("What the computer does in the run, as one of its sources says"),
            [](const R& r) { return r.info.role.empty() ? QStringLiteral("–") : roleName(r.info.role); }, {},
            {} },
        endColumn(translated("Begins"), translated("Of the first sample's interval, on the run's time axis"),
            &SourceInfo::begin),
        endColumn(
            translated("Ends"), translated("With the last sample, on the run's time axis"), &SourceInfo::end),
        { translated("Interval"), translated("Between two samples, on average"),
            [](const R& r) {
                const auto interval = intervalOf(r.info);
                return interval ? formatTime(*interval) : QStringLiteral("–");
            },
            [](const R& r) { return orderOf(intervalOf(r.info).value_or(Nanoseconds(0))); }, {} },
        { translated("Offset"), translated("Where the source's time 0 lies on the run's time axis"),
            [](const R& r) { return offsetText(r.info.offset); },
            [](const R& r) { return orderOf(r.info.offset); }, {} },
        { translated("Against its clock"),
            translated("By how much the log lies later in the run (below 0: earlier) than the clock of its "
                       "computer says"),
            [](const R& r) { return r.againstClock ? offsetText(*r.againstClock) : QStringLiteral("–"); },
            [](const R& r) { return orderOf(r.againstClock.value_or(Nanoseconds(0))); }, {} },
        { translated("Moves"), {}, movesText, {}, [](const R& r, int role) {
             return role == Qt::ToolTipRole ? QVariant(allMovesText(r)) : QVariant();
         } } };
}

struct SourcesDialog::Reader {
    std::filesystem::path file;
    std::optional<Recording> recording;

    Result<std::vector<SourceRow>> read()
    {
        if (!recording) {
            auto opened = Recording::open(file);
            if (!opened)
                return opened.error();
            recording.emplace(*std::move(opened));
        }
        if (const auto news = recording->refresh(); !news)
            return news.error();
        auto sources = sourcesOf(*recording);
        if (!sources)
            return sources.error();
        const std::vector<std::string> names = sourceNames(*sources);
        std::vector<SourceRow> rows;
        for (std::size_t i = 0; i < sources->size(); ++i) {
            auto moves = movesOf(*recording, (*sources)[i].id);
            if (!moves)
                return moves.error();
            rows.push_back({ (*sources)[i], names[i], *std::move(moves),
                againstItsClock((*sources)[i], recording->header().started) });
        }
        return rows;
    }
};

SourcesDialog::SourcesDialog(std::filesystem::path recording, const QString& title, QWidget* parent)
    : QDialog(parent)
    , m_file(std::move(recording))
    , m_reader(std::make_shared<Reader>())
    , m_rows(new RowsModel<SourceRow>(sourceColumns(), this))
    , m_table(new DataTable)
    , m_empty(makeProse(tr(
          "No source is attached to this run. A source holds counters from elsewhere, such as those of the "
          "mail server's host. Attach… adds a log of PerfMon, esxtop, sar, vmstat, iostat or pmrep.")))
    , m_by(new QDoubleSpinBox)
    , m_after(new QLabel)
    , m_move(new QPushButton(tr("&Move")))
    , m_propose(new QPushButton(tr("&Propose offset…")))
    , m_remove(new QPushButton(tr("&Remove…")))
    , m_problem(new Banner)
{
    m_reader->file = m_file;
    setWindowTitle(tr("Attached sources – %1").arg(title));
    resize(860, 360);
    m_table->setSource(m_rows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAccessibleName(tr("Attached sources"));
    m_by->setRange(-2 * kMostSeconds, 2 * kMostSeconds);
    m_by->setDecimals(3);
    m_by->setSuffix(tr(" s"));
    m_by->setToolTip(tr("Seconds; below 0 the samples move to an earlier time of the run"));
    m_move->setDefault(true);
    m_problem->hide();
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->hide();

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_table, 1);
    layout->addWidget(m_empty, 1);
    auto* label = new QLabel(tr("Move &by:"));
    label->setBuddy(m_by);
    auto* row = new QHBoxLayout;
    row->addWidget(label);
    row->addWidget(m_by);
    row->addWidget(m_move);
    row->addWidget(m_after, 1);
    layout->addLayout(row);
    layout->addWidget(makeProse(tr("The samples of the source stay as they are, and no result of the run "
                                   "changes. Criteria that name the "
                                   "computer or its role are judged at the new place.")));
    layout->addWidget(m_problem);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    auto* attach = buttons->addButton(tr("&Attach…"), QDialogButtonBox::ActionRole);
    buttons->addButton(m_propose, QDialogButtonBox::ActionRole);
    buttons->addButton(m_remove, QDialogButtonBox::ActionRole);
    attach->setAutoDefault(false);
    attach->setToolTip(tr("Add a log that another computer wrote"));
    m_propose->setAutoDefault(false);
    m_propose->setToolTip(
        tr("Find where the chosen source belongs, by the traffic that both computers measured"));
    m_remove->setAutoDefault(false);
    m_remove->setToolTip(tr("Take the chosen log out of the run; what was measured during the run stays"));
    connect(m_remove, &QPushButton::clicked, this, &SourcesDialog::removeChosen);
    connect(attach, &QPushButton::clicked, this, &SourcesDialog::attachLog);
    connect(m_propose, &QPushButton::clicked, this, &SourcesDialog::proposeOffset);
    layout->addWidget(buttons);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
        &SourcesDialog::updateChoice);
    connect(m_by, &QDoubleSpinBox::valueChanged, this, &SourcesDialog::updateChoice);
    connect(m_move, &QPushButton::clicked, this, &SourcesDialog::moveChosen);
    updateChoice();
    reload();
}

SourcesDialog::~SourcesDialog()
{
    for (AttachDialog* dialog : findChildren<AttachDialog*>())
        dialog->moveBelow(parentWidget() != nullptr ? parentWidget()->window() : nullptr);
}

void SourcesDialog::reload()
{
    m_worker.post([reader = m_reader] { return reader->read(); }, this,
        [this](Result<std::vector<SourceRow>> rows) { showRows(std::move(rows)); });
}

void SourcesDialog::showRows(Result<std::vector<SourceRow>> rows)
{
    m_writing = false;
    if (m_unread != !rows) {
        m_unread = !rows;
        m_problem->setVisible(m_unread);
    }
    if (!rows) {
        m_problem->say(text(rows.error().message));
        return;
    }
    m_empty->setVisible(rows->empty());
    m_table->setVisible(!rows->empty());
    replaceRows(*m_table, *m_rows, *std::move(rows),
        [](const SourceRow& one, const SourceRow& other) { return one.info.id == other.info.id; });
    if (m_table->currentSourceRow() < 0 && m_rows->rowCount() > 0)
        m_table->setCurrentSourceRow(0);
    updateChoice();
}

const SourceRow* SourcesDialog::chosen() const
{
    const int row = m_table->currentSourceRow();
    return row < 0 ? nullptr : &m_rows->rows()[static_cast<std::size_t>(row)];
}

Nanoseconds SourcesDialog::wanted() const
{
    return chosen()->info.offset + std::chrono::milliseconds(std::llround(m_by->value() * 1e3));
}

void SourcesDialog::updateChoice()
{
    const SourceRow* source = chosen();
    m_by->setEnabled(source != nullptr && !m_writing);
    m_propose->setEnabled(source != nullptr && !m_writing);
    m_remove->setEnabled(source != nullptr && source->info.origin.starts_with(kLogOrigin) && !m_writing);
    m_move->setEnabled(source != nullptr && m_by->value() != 0 && !m_writing);
    m_after->setText(source == nullptr || m_by->value() == 0
            ? QString()
            : tr("Offset then: %1").arg(offsetText(wanted())));
}

void SourcesDialog::attachLog()
{
    auto* dialog = new AttachDialog(m_file, windowTitle().section(QStringLiteral(" – "), 1), this);
    connect(dialog, &AttachDialog::attached, this, [this] {
        reload();
        emit moved();
    });
    dialog->show();
}

void SourcesDialog::proposeOffset()
{
    const SourceRow* source = chosen();
    if (source == nullptr)
        return;
    auto* dialog = new AttachDialog(m_file, source->info, text(source->name), this);
    connect(dialog, &AttachDialog::attached, this, [this] {
        reload();
        emit moved();
    });
    dialog->show();
}

void SourcesDialog::moveChosen()
{
    const SourceRow* source = chosen();
    if (source == nullptr || m_by->value() == 0 || m_writing)
        return;
    write([file = m_file, id = source->info.id, offset = wanted()] { return moveSource(file, id, offset); });
}

void SourcesDialog::removeChosen()
{
    const SourceRow* source = chosen();
    if (source == nullptr)
        return;
    const std::uint32_t id = source->info.id; // the list may be read again while the box is open
    if (confirmLoss(this, tr("Remove source"),
            tr("Remove %1 from this run?\n\nIts lines, and criteria that need them, lose their samples. The "
               "log itself stays where it is and can be attached again.")
                .arg(text(source->name))))
        write([file = m_file, id] { return removeSource(file, id); });
}

void SourcesDialog::write(std::function<Result<void>()> change)
{
    m_writing = true; // until the list has what is new
    updateChoice();
    m_worker.post(std::move(change), this, [this](Result<void> done) {
        m_problem->setVisible(!done);
        if (!done) {
            m_writing = false;
            m_problem->say(text(done.error().message));
            return updateChoice();
        }
        m_by->setValue(0);
        reload();
        emit moved();
    });
}

} // namespace loadstone::ui

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/chart/attach_dialog.h"

#include "banner.h"
#include "format.h"
#include "run/chart/offset_curve.h"
#include "run/view/line_key.h"

#include <loadstone/recording.h>

#include <QCheckBox>
#include <QCloseEvent>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <cmath>
#include <utility>

namespace loadstone::ui {

namespace {

constexpr double kMostSeconds = 10.0 * 365 * 86400; // what the recording takes

/// "a; b": parts of names.
std::vector<std::string> patternsOf(const QLineEdit& edit)
{
    std::vector<std::string> patterns;
    for (const QString& part : edit.text().split(QLatin1Char(';'), Qt::SkipEmptyParts))
        if (const QString pattern = part.trimmed(); !pattern.isEmpty())
            patterns.push_back(bytes(pattern));
    return patterns;
}

QString widthText(Nanoseconds width)
{
    return formatElapsedExact(width);
}

/// All offsets from UTC that are in use somewhere: half hours, and three quarters.
QComboBox* makeZones()
{
    auto* zones = new QComboBox;
    zones->addItem(translated("as the log says"));
    for (int minutes = -12 * 60; minutes <= 14 * 60; minutes += 15) {
        const bool quarter = minutes % 30 != 0;
        if (quarter && minutes != 5 * 60 + 45 && minutes != 8 * 60 + 45 && minutes != 12 * 60 + 45)
            continue;
        const int size = std::abs(minutes);
        zones->addItem(minutes == 0 ? QStringLiteral("UTC")
                                    : QStringLiteral("UTC%1%2:%3")
                                          .arg(minutes < 0 ? QStringLiteral("-") : QStringLiteral("+"))
                                          .arg(size / 60, 2, 10, QLatin1Char('0'))
                                          .arg(size % 60, 2, 10, QLatin1Char('0')),
            minutes);
    }
    zones->setToolTip(
        translated("Of the computer that wrote the log, at that time; needed where the log does not say"));
    return zones;
}

} // namespace

AttachDialog::AttachDialog(std::filesystem::path recording, const QString& title, QWidget* parent)
    : QDialog(parent)
    , m_recording(std::move(recording))
{
    build(tr("Attach a log – %1").arg(title));
}

AttachDialog::AttachDialog(
    std::filesystem::path recording, const SourceInfo& source, const QString& name, QWidget* parent)
    : QDialog(parent)
    , m_recording(std::move(recording))
    , m_source(source)
{
    build(tr("Offset of %1").arg(name));
    m_begin->setValue(seconds(source.offset));
}

void AttachDialog::build(const QString& title)
{
    setWindowTitle(title);
    setAttribute(Qt::WA_DeleteOnClose);
    resize(720, 480);
    m_log = new QLineEdit;
    m_counters = new QLineEdit;
    m_computer = new QLineEdit;
    m_role = new QComboBox;
    m_zone = makeZones();
    m_compare = new QLineEdit;
    m_clocks = new QCheckBox(tr("by the &clocks of both computers"));
    m_begin = new QDoubleSpinBox;
    m_curve = new OffsetCurve;
    m_said = makeProse();
    m_problem = new Banner;
    m_propose = new QPushButton(tr("&Propose"));
    m_apply = new QPushButton(m_source ? tr("&Move there") : tr("&Attach"));

    auto* form = new QFormLayout;
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(form);
    if (!m_source) {
        auto* browse = new QPushButton(tr("&Browse…"));
        browse->setAutoDefault(false);
        auto* row = new QHBoxLayout;
        row->addWidget(m_log, 1);
        row->addWidget(browse);
        auto* label = new QLabel(tr("&Log:"));
        label->setBuddy(m_log);
        form->addRow(label, row);
        form->addRow(tr("Coun&ters:"), m_counters);
        m_log->setPlaceholderText(tr("of PerfMon, typeperf, esxtop, sadf, vmstat, iostat or pmrep"));
        m_counters->setPlaceholderText(tr("all; or parts of their names, with ; between"));
        m_counters->setToolTip(tr("* and ? stand for other letters"));
        m_computer->setObjectName(QStringLiteral("computer"));
        m_computer->setPlaceholderText(tr("as in the log"));
        m_computer->setToolTip(tr("The computer's name, as criteria and other sources call it"));
        m_role->addItem(tr("no role"), QString());
        for (const char* role : { "sut", "generator", "directory" })
            m_role->addItem(roleName(role), QString::fromLatin1(role));
        m_role->setToolTip(tr("What the computer does in the run: criteria of this role judge its counters"));
        m_role->setAccessibleName(tr("Role of the computer"));
        auto* whose = new QHBoxLayout;
        whose->addWidget(m_computer, 1);
        whose->addWidget(m_role);
        auto* computer = new QLabel(tr("Comp&uter:"));
        computer->setBuddy(m_computer);
        form->addRow(computer, whose);
        form->addRow(tr("&Zone:"), m_zone);
        connect(browse, &QPushButton::clicked, this, &AttachDialog::browse);
    } else {
        m_log->setParent(this);
        m_counters->setParent(this);
        for (QWidget* field : std::initializer_list<QWidget*> { m_computer, m_role, m_zone }) {
            field->setParent(this);
            field->hide();
        }
        m_log->hide();
        m_counters->hide();
        m_clocks->hide();
    }
    m_compare->setPlaceholderText(tr("bytes of its network, else of its disks"));
    m_compare->setToolTip(
        tr("The counters that Propose compares with the run's own bytes, as parts of their names"));
    form->addRow(tr("C&ompare:"), m_compare);
    m_begin->setRange(-kMostSeconds, kMostSeconds);
    m_begin->setDecimals(3);
    m_begin->setSuffix(tr(" s"));
    m_begin->setToolTip(tr("Where its time 0 lies on the run's time axis; below 0: before the run's start"));
    m_clocks->setChecked(!m_source);
    auto* place = new QHBoxLayout;
    place->addWidget(m_begin);
    place->addWidget(m_clocks);
    place->addStretch(1);
    auto* begin = new QLabel(tr("B&egins at:"));
    begin->setBuddy(m_begin);
    form->addRow(begin, place);
    layout->addWidget(m_curve, 1);
    layout->addWidget(m_said);
    layout->addWidget(m_problem);
    m_problem->hide();
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    buttons->addButton(m_propose, QDialogButtonBox::ActionRole);
    buttons->addButton(m_apply, QDialogButtonBox::ActionRole);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    m_propose->setAutoDefault(false);
    m_propose->setToolTip(
        tr("Find where it belongs by the traffic that both computers measured, an hour around that place"));
    layout->addWidget(buttons);

    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_propose, &QPushButton::clicked, this, &AttachDialog::propose);
    connect(m_apply, &QPushButton::clicked, this, &AttachDialog::apply);
    connect(m_log, &QLineEdit::textChanged, this, [this] {
        m_curve->setProposal({}); // it was another log's
        m_said->clear();
        m_looked = false;
        updateButtons();
    });
    connect(m_clocks, &QCheckBox::toggled, this, &AttachDialog::updateButtons);
    connect(m_begin, &QDoubleSpinBox::valueChanged, this, [this] {
        const QSignalBlocker quiet(m_clocks);
        m_clocks->setChecked(false);
        updateButtons();
    });
    connect(m_curve, &OffsetCurve::slid, this,
        [this](Nanoseconds offset) { m_begin->setValue(seconds(offset)); });
    updateButtons();
}

void AttachDialog::setLog(const QString& file)
{
    m_log->setText(file);
}

void AttachDialog::browse()
{
    // Not on the stack: this dialog, its parent, may go while it is open.
    auto* files = new QFileDialog(this, tr("Attach a log"), m_log->text(),
        tr("Logs of counters (*.csv *.tsv *.txt *.json *.log);;All files (*)"));
    files->setAttribute(Qt::WA_DeleteOnClose);
    files->setFileMode(QFileDialog::ExistingFile);
    connect(files, &QFileDialog::fileSelected, this, &AttachDialog::setLog);
    files->open();
}

void AttachDialog::reject()
{
    if (!m_working)
        return QDialog::reject();
    m_leaving = true; // deleted now it would keep the whole window waiting for its thread
    hide();
}

void AttachDialog::closeEvent(QCloseEvent* event)
{
    if (!m_working)
        return QDialog::closeEvent(event);
    event->ignore(); // else it is deleted
    reject();
}

void AttachDialog::moveBelow(QWidget* parent)
{
    if (!m_working)
        return;
    reject();
    setParent(parent, windowFlags());
}

bool AttachDialog::byClocks() const
{
    return !m_source && m_clocks->isChecked();
}

Nanoseconds AttachDialog::typed() const
{
    return std::chrono::milliseconds(std::llround(m_begin->value() * 1e3));
}

void AttachDialog::updateButtons()
{
    const bool ready = !m_working && (m_source || !m_log->text().trimmed().isEmpty());
    m_propose->setEnabled(ready);
    m_apply->setEnabled(ready && (!m_source || typed() != m_source->offset));
    // Enter in a field shows where a log lies before it attaches it.
    (m_source || m_looked ? m_apply : m_propose)->setDefault(true);
    m_curve->setChosen(byClocks()
            ? m_curve->proposal() ? std::optional(m_curve->proposal()->byClocks) : std::nullopt
            : std::optional(typed()));
}

void AttachDialog::complain(const QString& sentence)
{
    m_problem->setVisible(!sentence.isEmpty());
    m_problem->say(sentence);
}

std::optional<Nanoseconds> AttachDialog::zone() const
{
    const QVariant minutes = m_zone->currentData();
    return minutes.isValid() ? std::optional<Nanoseconds>(std::chrono::minutes(minutes.toInt()))
                             : std::nullopt;
}

OffsetOptions AttachDialog::offsetOptions() const
{
    OffsetOptions options;
    options.ofLog = patternsOf(*m_compare);
    options.attached = patternsOf(*m_counters);
    if (byClocks())
        options.zone = zone();
    else
        options.around = typed();
    return options;
}

void AttachDialog::propose()
{
    m_working = true;
    complain({});
    m_said->setText(tr("Comparing…"));
    updateButtons();
    m_worker.post(
        [recording = m_recording, source = m_source,
            log = std::filesystem::path(bytes(m_log->text().trimmed())),
            options = offsetOptions()]() -> Result<OffsetProposal> {
            const auto run = Recording::open(recording);
            if (!run)
                return run.error();
            return source ? proposeOffset(*run, source->id, options) : proposeOffset(*run, log, options);
        },
        this, [this](Result<OffsetProposal> proposal) { showProposal(std::move(proposal)); });
}

void AttachDialog::showProposal(Result<OffsetProposal> proposal)
{
    m_working = false;
    if (m_leaving)
        return deleteLater(); // the dialog is no longer shown
    m_said->clear();
    m_looked = true;
    if (!proposal) {
        m_curve->setProposal({});
        complain(text(proposal.error().message));
        return updateButtons();
    }
    const QString compared = tr("%1, compared with %2.").arg(text(proposal->ofLog), text(proposal->ofRun));
    if (proposal->offset) {
        m_said->setText(tr("Proposed: %1, with correlation %2 and a peak %3 wide. %4")
                            .arg(formatElapsedExact(*proposal->offset))
                            .arg(proposal->best.correlation, 0, 'f', 2)
                            .arg(widthText(proposal->width), compared));
        m_clocks->setChecked(false); // also where the proposal is what stands there
        m_begin->setValue(seconds(*proposal->offset));
    } else {
        m_said->setText(tr("Nothing is proposed: %1. %2").arg(text(proposal->reason), compared));
    }
    m_curve->setProposal(*std::move(proposal));
    updateButtons();
}

void AttachDialog::apply()
{
    m_working = true;
    complain({});
    updateButtons();
    m_worker.post(
        [recording = m_recording, source = m_source,
            log = std::filesystem::path(bytes(m_log->text().trimmed())), patterns = patternsOf(*m_counters),
            computer = bytes(m_computer->text().trimmed()), role = bytes(m_role->currentData().toString()),
            offset = byClocks() ? std::nullopt : std::optional(typed()),
            zone = zone()]() -> Result<AttachedLog> {
            if (source) {
                const auto moved = moveSource(recording, source->id, *offset);
                return moved ? Result<AttachedLog>(AttachedLog {}) : moved.error();
            }
            AttachOptions options;
            options.patterns = patterns;
            options.offset = offset;
            options.zone = zone;
            options.computer = computer;
            options.role = role;
            return attachLog(recording, log, options);
        },
        this, [this](const Result<AttachedLog>& done) { showDone(done); });
}

void AttachDialog::showDone(const Result<AttachedLog>& done)
{
    m_working = false;
    const bool leaving = std::exchange(m_leaving, false);
    if (!done) {
        complain(text(done.error().message));
        if (leaving)
            show();
        return updateButtons();
    }
    emit attached();
    if (leaving)
        return deleteLater();
    if (m_source || done->notes.empty())
        return accept();
    // Lines that were left out or repaired are worth a look before the dialog goes.
    QStringList notes { tr("Attached: %1 samples of %2 counters.")
                            .arg(formatCount(done->samples), formatCount(done->counters)) };
    for (const std::string& note : done->notes)
        notes.append(text(note));
    m_log->clear();
    m_said->setText(notes.join(QLatin1Char('\n')));
    updateButtons();
}

} // namespace loadstone::ui

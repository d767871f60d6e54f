// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "target/target_page.h"

#include "banner.h"
#include "format.h"
#include "icons.h"
#include "target/fault_table.h"

#include <loadstone/document.h>

#include <QAction>
#include <QCheckBox>
#include <QFormLayout>
#include <QGridLayout>
#include <QGroupBox>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QSettings>
#include <QSpinBox>
#include <QTime>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace loadstone::ui {

namespace {

const QString kGroup = QStringLiteral("target/");
constexpr int kFaultsMilliseconds = 200, kMostLogLines = 500;

struct Service {
    const char *name, *words;
    bool usual;
};
constexpr Service kServices[] = { { "smtp", "SMTP", true }, { "lmtp", "LMTP", false },
    { "pop3", "POP3", true }, { "imap", "IMAP", true } };

} // namespace

TargetPage::TargetPage(std::filesystem::path program, QWidget* parent)
    : Page(parent)
    , m_runner(std::move(program))
    , m_tls(new QCheckBox(tr("Offer &TLS (STARTTLS, STLS), with a certificate made for it")))
    , m_users(new QLineEdit(QStringLiteral("any")))
    , m_password(new QLineEdit)
    , m_domain(new QLineEdit(QStringLiteral("load.test")))
    , m_serviceTime(new QLineEdit(QStringLiteral("lognormal 10 ms 0.8")))
    , m_delay(new QLineEdit(QStringLiteral("0 ms")))
    , m_freeze(new QLineEdit(QStringLiteral("2 s")))
    , m_capacity(new QSpinBox)
    , m_faults(new FaultTable)
    , m_fixed(new QWidget)
    , m_state(new QLabel)
    , m_problem(new Banner)
    , m_log(new QPlainTextEdit)
    , m_start(new QAction(icon(QStringLiteral("run")), tr("&Start the target"), this))
    , m_stop(new QAction(icon(QStringLiteral("stop")), tr("S&top the target"), this))
    , m_freezeNow(new QAction(icon(QStringLiteral("pause")), tr("&Freeze now"), this))
    , m_plan(new QAction(icon(QStringLiteral("plan")), tr("&New plan against it"), this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    auto* bar = new QToolBar;
    bar->setIconSize(QSize(18, 18));
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    bar->addActions({ m_start, m_stop, m_plan });
    layout->addWidget(bar);
    m_state->setTextFormat(Qt::PlainText);
    m_state->setWordWrap(true);
    m_state->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    layout->addWidget(m_state);
    m_problem->hide();
    layout->addWidget(m_problem);
    auto* columns = new QHBoxLayout;
    columns->addWidget(makeServices());
    columns->addWidget(makeBehaviour(), 1);
    auto* inside = new QWidget;
    inside->setLayout(columns);
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(inside);
    layout->addWidget(scroll, 1);
    m_log->setReadOnly(true);
    m_log->setTabChangesFocus(true);
    m_log->setMaximumBlockCount(kMostLogLines);
    m_log->setMaximumHeight(110);
    m_log->setAccessibleName(tr("What the target said"));
    m_log->setPlaceholderText(
        tr("What the target answers to changes, and what it did in total when it ends"));
    layout->addWidget(m_log);
    m_start->setToolTip(tr("Starts the mail server that comes with Loadstone, on loopback"));
    m_stop->setToolTip(tr("Ends it; its messages go with it"));
    m_plan->setToolTip(tr("A short plan against the ports of this target, as a text"));
    m_freezeNow->setToolTip(tr("Holds all replies for this time, from now on"));
    connect(m_start, &QAction::triggered, this, [this] {
        m_problem->hide();
        m_runner.start(options());
        showState();
    });
    connect(m_stop, &QAction::triggered, this, [this] { m_runner.stop(); });
    connect(m_plan, &QAction::triggered, this, [this] { emit newWanted(planText()); });
    connect(m_freezeNow, &QAction::triggered, this,
        [this] { change(QStringLiteral("freeze ") + m_freeze->text()); });
    connectRunner();
    showState();
}

QWidget* TargetPage::makeServices()
{
    auto* group = new QGroupBox(tr("What it serves"));
    auto* layout = new QVBoxLayout(group);
    auto* grid = new QGridLayout(m_fixed);
    grid->setContentsMargins(0, 0, 0, 0);
    int row = 0;
    for (const Service& service : kServices) {
        const QString name = QLatin1String(service.name);
        auto* box = new QCheckBox(QLatin1String(service.words));
        box->setChecked(service.usual);
        auto* port = new QSpinBox;
        port->setRange(0, 65535);
        port->setSpecialValueText(tr("any free port"));
        port->setAccessibleName(tr("Port of %1").arg(QLatin1String(service.words)));
        connect(box, &QCheckBox::toggled, port, &QWidget::setEnabled);
        port->setEnabled(service.usual);
        grid->addWidget(box, row, 0);
        grid->addWidget(port, row++, 1);
        m_services.insert(name, box);
        m_ports.insert(name, port);
    }
    grid->addWidget(m_tls, row++, 0, 1, 2);
    const auto addField = [&](const QString& words, QLineEdit* field, const QString& tip) {
        auto* label = new QLabel(words);
        label->setBuddy(field);
        field->setToolTip(tip);
        grid->addWidget(label, row, 0);
        grid->addWidget(field, row++, 1);
    };
    addField(tr("&Mailboxes:"), m_users, tr("any, or names with a range: u{0-999},postmaster"));
    addField(tr("Pass&word:"), m_password, tr("Of every mailbox; empty: any password will do"));
    addField(tr("&Domain:"), m_domain, tr("In its banners"));
    m_password->setPlaceholderText(tr("any"));
    layout->addWidget(m_fixed);
    layout->addStretch();
    return group;
}

QWidget* TargetPage::makeBehaviour()
{
    auto* group = new QGroupBox(tr("How it behaves; changes count at once while it serves"));
    auto* layout = new QVBoxLayout(group);
    auto* form = new QFormLayout;
    m_serviceTime->setToolTip(
        tr("none, constant 5 ms, exponential 20 ms, lognormal 20 ms 1.5 (mean, sigma)"));
    form->addRow(tr("Service &time of a command:"), m_serviceTime);
    m_capacity->setRange(0, 100'000);
    m_capacity->setSpecialValueText(tr("no limit"));
    m_capacity->setValue(8);
    m_capacity->setKeyboardTracking(false); // "20" is not 2 on the way
    form->addRow(tr("Commands in service at &once:"), m_capacity);
    m_delay->setToolTip(tr("From acceptance until a message can be read"));
    form->addRow(tr("D&elivery delay:"), m_delay);
    auto* freezing = new QHBoxLayout;
    auto* freeze = new QToolButton;
    freeze->setDefaultAction(m_freezeNow);
    freeze->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    freezing->addWidget(m_freeze);
    freezing->addWidget(freeze);
    auto* freezeLabel = new QLabel(tr("No replies &for:"));
    freezeLabel->setBuddy(m_freeze);
    form->addRow(freezeLabel, freezing);
    layout->addLayout(form);
    layout->addWidget(m_faults, 1);
    m_faults->setMinimumHeight(160);
    connect(m_serviceTime, &QLineEdit::editingFinished, this,
        [this] { change(QStringLiteral("service-time ") + m_serviceTime->text()); });
    connect(m_delay, &QLineEdit::editingFinished, this,
        [this] { change(QStringLiteral("delivery-delay ") + m_delay->text()); });
    connect(m_capacity, &QSpinBox::valueChanged, this,
        [this](int places) { change(QStringLiteral("capacity %1").arg(places)); });
    m_faultsSoon.setSingleShot(true);
    m_faultsSoon.setInterval(kFaultsMilliseconds);
    connect(m_faults, &FaultTable::edited, &m_faultsSoon, qOverload<>(&QTimer::start));
    connect(&m_faultsSoon, &QTimer::timeout, this,
        [this] { change(QStringLiteral("faults ") + m_faults->faults().join(QStringLiteral("; "))); });
    return group;
}

void TargetPage::connectRunner()
{
    connect(&m_runner, &TargetRunner::ready, this, [this] {
        showState();
        say(m_state->text());
    });
    connect(&m_runner, &TargetRunner::answered, this,
        [this](const QString& what, bool taken, const QString& why) {
            say(taken ? tr("changed: %1").arg(what) : tr("not changed: %1: %2").arg(what, why));
            markField(what, taken, why);
            m_problem->setVisible(!taken);
            if (!taken)
                m_problem->say(tr("%1: %2").arg(what, why));
        });
    connect(&m_runner, &TargetRunner::ended, this, [this](const QString& totals, const QString& error) {
        if (!error.isEmpty()) {
            m_problem->say(error);
            m_problem->show();
        }
        say(!error.isEmpty() ? error : totals.isEmpty() ? tr("stopped") : tr("stopped: %1").arg(totals));
        showState();
    });
}

void TargetPage::markField(const QString& command, bool taken, const QString& why)
{
    QLineEdit* const field = command.startsWith(QLatin1String("service-time ")) ? m_serviceTime
        : command.startsWith(QLatin1String("delivery-delay "))                  ? m_delay
        : command.startsWith(QLatin1String("freeze "))                          ? m_freeze
                                                                                : nullptr;
    if (field == nullptr)
        return;
    field->setStyleSheet(taken ? QString() : QStringLiteral("QLineEdit { border: 1px solid #c0392b; }"));
    field->setAccessibleDescription(taken ? QString() : tr("Not taken: %1").arg(why));
}

void TargetPage::change(const QString& command)
{
    if (!m_runner.ports().isEmpty())
        m_runner.command(command);
}

void TargetPage::say(const QString& line)
{
    m_log->appendPlainText(
        QStringLiteral("%1  %2").arg(QTime::currentTime().toString(QStringLiteral("HH:mm:ss")), line));
}

QString TargetPage::log() const
{
    return m_log->toPlainText();
}

QStringList TargetPage::options() const
{
    QStringList options;
    for (const Service& service : kServices)
        if (const QString name = QLatin1String(service.name); m_services[name]->isChecked())
            options += { QStringLiteral("--%1-port").arg(name), QString::number(m_ports[name]->value()) };
    if (m_tls->isChecked())
        options.append(QStringLiteral("--tls"));
    if (!m_password->text().isEmpty())
        options += { QStringLiteral("--password"), m_password->text() };
    options += { QStringLiteral("--users"), m_users->text(), QStringLiteral("--domain"), m_domain->text(),
        QStringLiteral("--service-time"), m_serviceTime->text(), QStringLiteral("--capacity"),
        QString::number(m_capacity->value()), QStringLiteral("--delivery-delay"), m_delay->text() };
    for (const QString& fault : m_faults->faults())
        options += { QStringLiteral("--fault"), fault };
    return options;
}

QString TargetPage::planText() const
{
    const auto quoted = [](const QString& words) { return text(tomlText(bytes(words))); };
    QString plan = tr("# Against the embedded target that the workbench has started; its ports change with "
                      "each start unless they are chosen.\n");
    plan += QStringLiteral(
        "\nformat = 1\nkind = \"mail\"\ntitle = \"Against the target panel\"\nseed = 1\n\n[target]\n");
    plan += QStringLiteral("domain = %1\nuser = \"u{n:3}\"\npassword = %2\n")
                .arg(quoted(m_domain->text()),
                    quoted(m_password->text().isEmpty() ? QStringLiteral("secret") : m_password->text()));
    for (const char* service : { "smtp", "pop3", "imap" })
        if (const int port = m_runner.ports().value(QLatin1String(service)); port > 0)
            plan += QStringLiteral("\n[target.%1]\nhost = \"127.0.0.1\"\nport = %2\n")
                        .arg(QLatin1String(service))
                        .arg(port);
    plan += QStringLiteral("\n[workload]\npacing = \"closed\"\n\n[[workload.steps]]\naction = \"send "
                           "message\"\nsize = \"10 KB\"\n"
                           "\n[mix]\nthink_time = \"500 ms\"\nmeasurement = \"1 min\"\n"
                           "\n[[mixes]]\nname = \"10 users\"\nclients = 1\nthreads_per_client = "
                           "10\nmailboxes_per_client = 10\n");
    return plan;
}

void TargetPage::showState()
{
    const bool running = m_runner.isRunning(), serving = !m_runner.ports().isEmpty();
    QStringList parts;
    for (auto port = m_runner.ports().begin(); port != m_runner.ports().end(); ++port)
        parts.append(QStringLiteral("%1 127.0.0.1:%2").arg(port.key().toUpper()).arg(port.value()));
    m_state->setText(serving ? tr("Serving: %1").arg(parts.join(QStringLiteral(", ")))
            : running        ? tr("Starting…")
                      : tr("Stopped. Plans with [target.embedded] start a target of their own; this one is "
                           "for plans that "
                           "name its ports, and changes while a run lasts."));
    m_start->setEnabled(!running);
    m_stop->setEnabled(running);
    m_fixed->setEnabled(!running);
    m_freezeNow->setEnabled(serving);
    m_plan->setEnabled(serving);
    emit titleChanged();
}

QString TargetPage::title() const
{
    return m_runner.ports().isEmpty() ? tr("Target") : tr("Target (serving)");
}

QIcon TargetPage::picture() const
{
    return icon(QStringLiteral("select"));
}

QList<QAction*> TargetPage::actionsOf(PageMenu menu) const
{
    return menu == PageMenu::run ? QList<QAction*> { m_start, m_stop, m_freezeNow, m_plan }
                                 : QList<QAction*>();
}

bool TargetPage::mayClose()
{
    return true; // it ends with the window, and a run on it has ended by then
}

void TargetPage::activated()
{
    m_serviceTime->setFocus();
}

void TargetPage::saveTo(QSettings& settings) const
{
    for (const Service& service : kServices) {
        const QString name = QLatin1String(service.name);
        settings.setValue(kGroup + name, m_services[name]->isChecked());
        settings.setValue(kGroup + name + QStringLiteral("Port"), m_ports[name]->value());
    }
    settings.setValue(kGroup + QStringLiteral("tls"), m_tls->isChecked());
    settings.setValue(kGroup + QStringLiteral("users"), m_users->text());
    settings.setValue(kGroup + QStringLiteral("domain"), m_domain->text());
    settings.setValue(kGroup + QStringLiteral("serviceTime"), m_serviceTime->text());
    settings.setValue(kGroup + QStringLiteral("capacity"), m_capacity->value());
    settings.setValue(kGroup + QStringLiteral("delay"), m_delay->text());
}

void TargetPage::restoreFrom(const QSettings& settings)
{
    for (const Service& service : kServices) {
        const QString name = QLatin1String(service.name);
        m_services[name]->setChecked(settings.value(kGroup + name, service.usual).toBool());
        m_ports[name]->setValue(settings.value(kGroup + name + QStringLiteral("Port"), 0).toInt());
    }
    m_tls->setChecked(settings.value(kGroup + QStringLiteral("tls"), false).toBool());
    const auto restore = [&](QLineEdit* field, const char* key) {
        field->setText(settings.value(kGroup + QLatin1String(key), field->text()).toString());
    };
    restore(m_users, "users");
    restore(m_domain, "domain");
    restore(m_serviceTime, "serviceTime");
    restore(m_delay, "delay");
    m_capacity->setValue(settings.value(kGroup + QStringLiteral("capacity"), m_capacity->value()).toInt());
}

} // namespace loadstone::ui

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "target/target_runner.h"

#include "format.h"

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>

#include <utility>

namespace loadstone::ui {

namespace {
constexpr int kPatienceMilliseconds = 2'000; // of the end of this program with that of the target
const char* const kServices[] = { "smtp", "smtps", "lmtp", "pop3", "pop3s", "imap", "imaps" };
}

TargetRunner::TargetRunner(std::filesystem::path program, QObject* parent)
    : QObject(parent)
    , m_program(std::move(program))
    , m_process(new QProcess(this))
{
    if (m_program.empty())
        m_program = bytes(QCoreApplication::applicationDirPath() + QStringLiteral("/loadstone"));
    connect(m_process, &QProcess::readyReadStandardOutput, this, &TargetRunner::readLines);
    connect(m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            emit ended(
                {}, tr("%1 cannot be started: %2").arg(text(m_program.string()), m_process->errorString()));
    });
    connect(m_process, &QProcess::finished, this, [this](int code, QProcess::ExitStatus status) {
        readLines();
        m_ports.clear();
        const QString words = QString::fromUtf8(m_process->readAllStandardError()).trimmed();
        const bool well = m_stopping || (status == QProcess::NormalExit && code == 0);
        emit ended(m_totals,
            well                  ? QString()
                : words.isEmpty() ? tr("The target ended unexpectedly.")
                                  : words);
    });
}

TargetRunner::~TargetRunner()
{
    m_process->disconnect(this);
    if (!isRunning())
        return;
    m_process->closeWriteChannel();
    if (!m_process->waitForFinished(kPatienceMilliseconds))
        m_process->kill();
}

bool TargetRunner::isRunning() const
{
    return m_process->state() != QProcess::NotRunning;
}

void TargetRunner::start(const QStringList& options)
{
    if (isRunning())
        return;
    m_ports.clear();
    m_totals.clear();
    m_stopping = false;
    m_process->start(text(m_program.string()),
        QStringList { QStringLiteral("target"), QStringLiteral("--control") } + options);
}

void TargetRunner::stop()
{
    m_stopping = true;
    m_process->closeWriteChannel();
}

void TargetRunner::command(const QString& line)
{
    if (isRunning())
        m_process->write(QString(line).remove(QLatin1Char('\n')).toUtf8() + '\n');
}

void TargetRunner::readLines()
{
    while (m_process->canReadLine())
        takeLine(m_process->readLine());
}

void TargetRunner::takeLine(const QByteArray& line)
{
    const QJsonObject json = QJsonDocument::fromJson(line).object();
    const QString event = json[QLatin1String("event")].toString();
    if (event == QLatin1String("ready")) {
        for (const char* service : kServices)
            if (const int port = json[QLatin1String(service)].toInt(); port > 0)
                m_ports.insert(QLatin1String(service), port);
        emit ready();
    } else if (event == QLatin1String("changed") || event == QLatin1String("refused")) {
        emit answered(json[QLatin1String("what")].toString(), event == QLatin1String("changed"),
            json[QLatin1String("why")].toString());
    } else if (event == QLatin1String("end")) {
        QStringList parts;
        for (const QString& name : json.keys())
            if (name != QLatin1String("event") && json[name].toDouble() > 0)
                parts.append(QStringLiteral("%1 %2").arg(
                    formatCount(static_cast<std::uint64_t>(json[name].toDouble())), name));
        m_totals = parts.join(QStringLiteral(", "));
    }
}

} // namespace loadstone::ui

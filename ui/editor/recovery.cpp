// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/recovery.h"

#include "editor/text_bytes.h"
#include "format.h"

#include <QCoreApplication>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QSaveFile>
#include <QStandardPaths>
#include <QUuid>

#include <mutex>
#include <optional>
#include <set>
#include <utility>

namespace loadstone::ui {

struct RecoveryStore::Forgotten {
    std::mutex mutex;
    std::set<int> numbers;
    bool has(int number)
    {
        const std::scoped_lock lock(mutex);
        return numbers.contains(number);
    }
    void set(int number, bool on)
    {
        const std::scoped_lock lock(mutex);
        if (on)
            numbers.insert(number);
        else
            numbers.erase(number);
    }
};

namespace {

constexpr qint64 kLongestHead = 64 * 1024;
constexpr int kMostFiles = 200; // that are looked at
const QString kSuffix = QStringLiteral(".text"), kLock = QStringLiteral(".lock");

QString sessionOf(const QString& file)
{
    return QFileInfo(file).fileName().section(QLatin1Char('.'), 0, 0);
}

/// The first line says what it is, and all that follows is the text.
std::optional<RecoveredText> readKept(const QString& name)
{
    QFile file(name);
    if (!QFileInfo(name).isFile() || !file.open(QIODevice::ReadOnly))
        return std::nullopt;
    const QJsonObject head = QJsonDocument::fromJson(file.readLine(kLongestHead)).object();
    const QByteArray text = file.read(static_cast<qint64>(kMostEditedBytes) + 1);
    if (!head.contains(QLatin1String("name")) || text.size() > static_cast<qsizetype>(kMostEditedBytes))
        return std::nullopt;
    return RecoveredText { name, bytes(head[QLatin1String("origin")].toString()),
        head[QLatin1String("name")].toString(), text.toStdString(), QFileInfo(name).lastModified(),
        head[QLatin1String("base")].toString().toLatin1() };
}

} // namespace

RecoveryStore::RecoveryStore(QString folder, QObject* parent)
    : QObject(parent)
    , m_folder(std::move(folder))
    , m_session(QUuid::createUuid().toString(QUuid::WithoutBraces))
    , m_forgotten(std::make_shared<Forgotten>())
{
    if (m_folder.isEmpty())
        m_folder =
            QStandardPaths::writableLocation(QStandardPaths::AppDataLocation) + QStringLiteral("/recovery");
}

RecoveryStore::~RecoveryStore() = default;

QString RecoveryStore::fileOf(int number) const
{
    return QStringLiteral("%1/%2.%3%4").arg(m_folder, m_session).arg(number).arg(kSuffix);
}

bool RecoveryStore::begin()
{
    if (m_lock != nullptr)
        return m_lock->isLocked();
    QDir().mkpath(m_folder);
    QFile::setPermissions(
        m_folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner); // plans may have passwords
    m_lock = std::make_unique<QLockFile>(QStringLiteral("%1/%2%3").arg(m_folder, m_session, kLock));
    m_lock->setStaleLockTime(0);
    return m_lock->tryLock(0);
}

QByteArray fingerprintOf(const std::string& text)
{
    return QCryptographicHash::hash(
        QByteArrayView(text.data(), static_cast<qsizetype>(text.size())), QCryptographicHash::Sha256)
        .toHex();
}

void RecoveryStore::keep(int number, const std::filesystem::path& origin, const QString& name,
    std::string text, bool now, const QByteArray& base)
{
    if (!begin())
        return;
    QJsonObject head;
    head[QLatin1String("name")] = name;
    head[QLatin1String("origin")] = ui::text(origin.string());
    head[QLatin1String("base")] = QString::fromLatin1(base);
    m_forgotten->set(number, false);
    const auto write = [file = fileOf(number), number,
                           head = QJsonDocument(head).toJson(QJsonDocument::Compact), text = std::move(text),
                           forgotten = m_forgotten]() -> Result<bool> {
        QSaveFile out(file);
        if (!out.open(QIODevice::WriteOnly))
            return fail(bytes(file) + ": cannot be written");
        out.setPermissions(QFile::ReadOwner | QFile::WriteOwner);
        out.write(head + '\n');
        out.write(text.data(), static_cast<qint64>(text.size()));
        const bool done = out.commit();
        if (forgotten->has(number)) // while it was written
            QFile::remove(file);
        return done;
    };
    if (now)
        static_cast<void>(write());
    else
        m_worker.post(write, this, [](const Result<bool>&) {});
}

void RecoveryStore::forget(int number)
{
    if (m_lock == nullptr) // nothing was kept yet
        return;
    m_forgotten->set(number, true);
    QFile::remove(fileOf(number));
}

std::vector<RecoveredText> RecoveryStore::leftBehind() const
{
    std::vector<RecoveredText> left;
    const QDir folder(m_folder);
    QStringList living { m_session };
    for (const QString& name : folder.entryList({ QLatin1Char('*') + kLock }, QDir::Files)) {
        QLockFile lock(folder.filePath(name));
        lock.setStaleLockTime(0);
        if (sessionOf(name) != m_session
            && !lock.tryLock(0)) // else its program has gone, and the lock with it
            living.append(sessionOf(name));
    }
    const QStringList files =
        folder.entryList({ QLatin1Char('*') + kSuffix }, QDir::Files, QDir::Time).mid(0, kMostFiles);
    for (const QString& name : files)
        if (!living.contains(sessionOf(name)))
            if (auto kept = readKept(folder.filePath(name)))
                left.push_back(*std::move(kept));
    return left;
}

void RecoveryStore::discard(const RecoveredText& text)
{
    QFile::remove(text.file);
}

} // namespace loadstone::ui

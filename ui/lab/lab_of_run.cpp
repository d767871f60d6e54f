// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "lab/lab_of_run.h"

#include "format.h"
#include "lab/fields_bar.h"

#include <loadstone/document.h>
#include <loadstone/lab.h>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>

#include <algorithm>

namespace loadstone::ui {

LabOfRun::LabOfRun(const QString& run, const QString& now, const QStringList& files, QWidget* parent)
    : QDialog(parent)
    , m_file(new QComboBox)
    , m_variant(new QComboBox)
    , m_variantLabel(new QLabel(tr("&Variant:")))
    , m_about(new QLabel)
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel))
{
    setWindowTitle(tr("Lab of the run"));
    auto* what = new QLabel(now.isEmpty()
            ? tr("The report of \"%1\" prints the lab that the run was made on. The run has none yet.")
                  .arg(run)
            : tr("\"%1\" has the lab %2. Another one takes its place in reports; the recording keeps both.")
                  .arg(run, now));
    for (QLabel* words : { what, m_about }) {
        words->setWordWrap(true);
        words->setTextFormat(Qt::PlainText);
    }
    m_about->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    m_about->setMinimumHeight(3 * fontMetrics().lineSpacing());
    for (const QString& file : files)
        if (QFileInfo::exists(file))
            m_file->addItem(QFileInfo(file).fileName(), file);
    m_file->setMinimumContentsLength(30);
    m_file->setPlaceholderText(tr("Choose a file"));
    auto* label = new QLabel(tr("&Lab:"));
    label->setBuddy(m_file);
    m_variantLabel->setBuddy(m_variant);
    auto* browse = new QPushButton(tr("&Browse…"));
    auto* layout = new QGridLayout(this);
    layout->addWidget(what, 0, 0, 1, 3);
    layout->addWidget(label, 1, 0);
    layout->addWidget(m_file, 1, 1);
    layout->addWidget(browse, 1, 2);
    layout->addWidget(m_variantLabel, 2, 0);
    layout->addWidget(m_variant, 2, 1, 1, 2);
    layout->addWidget(m_about, 3, 0, 1, 3);
    layout->addWidget(m_buttons, 4, 0, 1, 3);
    layout->setColumnStretch(1, 1);
    layout->setRowStretch(3, 1);
    m_buttons->button(QDialogButtonBox::Ok)->setText(tr("&Attach"));
    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(browse, &QPushButton::clicked, this, &LabOfRun::browse);
    connect(m_file, &QComboBox::currentIndexChanged, this, [this] {
        m_variant->clear();
        read();
    });
    connect(m_variant, &QComboBox::activated, this, &LabOfRun::read);
    resize(560, sizeHint().height());
    read();
}

QString LabOfRun::file() const
{
    return m_file->currentData().toString();
}

void LabOfRun::choose(const QString& file)
{
    if (m_file->findData(file) < 0)
        m_file->insertItem(0, QFileInfo(file).fileName(), file);
    m_file->setCurrentIndex(m_file->findData(file));
}

void LabOfRun::browse()
{
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Lab of the run"), QFileInfo(this->file()).path(), tr("Labs (*.toml);;All files (*)"));
    if (file.isEmpty())
        return;
    choose(file);
    if (auto* attach = m_buttons->button(QDialogButtonBox::Ok); attach->isEnabled())
        attach->setFocus(Qt::OtherFocusReason); // else Enter asks for another file
}

void LabOfRun::read()
{
    m_lab = {};
    QString about;
    bool good = false;
    if (const QString chosen = file(); !chosen.isEmpty()) {
        const auto document = Document::read(bytes(chosen));
        if (!document)
            about = text(document.error().message);
        else {
            m_lab = { document->name(), bytes(m_variant->currentData().toString()), document->text() };
            const CheckedLab checked = readLab(m_lab.text, m_lab.name, m_lab.variant);
            if (m_variant->count() == 0) {
                const QSignalBlocker quiet(m_variant);
                m_variant->addItem(tr("The lab as it stands"), QString());
                for (const LabVariant& variant : checked.lab.variants)
                    m_variant->addItem(
                        text(variant.title.empty() ? variant.id : variant.title), text(variant.id));
            }
            good = checked.usable();
            about = good ? tr("%1: %n items.", nullptr, static_cast<int>(checked.lab.items.size()))
                               .arg(text(checked.lab.title))
                         : tr("The lab has errors. Open it, put them right and save it.");
            for (const Problem& problem : checked.problems)
                if (problem.severity == ProblemSeverity::error) {
                    about += QLatin1Char('\n') + lineOf(problem);
                    break;
                }
        }
    }
    m_about->setText(about);
    m_variantLabel->setVisible(m_variant->count() > 1);
    m_variant->setVisible(m_variant->count() > 1);
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(good);
}

} // namespace loadstone::ui

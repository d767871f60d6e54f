// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Over 400 lines: the frame around the pages: steps, text, buttons, saving and leaving.
#include "wizard/plan_wizard.h"

#include "confirm.h"
#include "format.h"
#include "forms/click_by_keys.h"
#include "forms/field_editor.h"
#include "forms/key_words.h"
#include "icons.h"
#include "plan_view.h"
#include "plans/plan_facts.h"
#include "wizard/last_page.h"
#include "wizard/plan_name.h"

#include <QAction>
#include <QFile>
#include <QFileInfo>
#include <QKeyEvent>
#include <QLabel>
#include <QListWidget>
#include <QMessageBox>
#include <QPixmap>
#include <QPushButton>
#include <QSettings>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>

// A static library's resources are there once somebody asks for them, outside of any namespace.
static void initTemplates()
{
    Q_INIT_RESOURCE(templates);
}

namespace loadstone::ui {

namespace {

constexpr auto kGeometry = "wizard/geometry";
constexpr auto kShowsText = "wizard/showsText";
constexpr auto kFolder = "wizard/folder"; // in which a plan was saved last
constexpr int kStepsWidth = 160, kWidth = 980, kHeight = 680;

QString kindName(RunKind kind)
{
    return kind == RunKind::mail   ? PlanWizard::tr("Mail benchmark")
        : kind == RunKind::storage ? PlanWizard::tr("Storage benchmark")
                                   : PlanWizard::tr("Raw device test");
}

const char* templateOf(RunKind kind)
{
    return kind == RunKind::mail   ? ":/templates/mail.toml"
        : kind == RunKind::storage ? ":/templates/storage.toml"
                                   : ":/templates/raw.toml";
}

} // namespace

Document PlanWizard::newPlan(RunKind kind)
{
    initTemplates();
    QFile file(QString::fromLatin1(templateOf(kind)));
    const QByteArray read = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    return Document(read.toStdString(), kNewPlanName);
}

Result<std::unique_ptr<PlanWizard>> PlanWizard::openFor(
    Document document, QWidget* parent, const std::filesystem::path& history)
{
    if (!document.isWellFormed()) {
        const auto problems = document.problems();
        const std::string why =
            problems.empty() ? std::string("it is not TOML") : problems.front().format(document.name());
        return fail("The text cannot be read, so it has to be mended in a text editor first: " + why);
    }
    if (document.kind() != FileKind::plan)
        return fail(document.name() + " is a " + toString(document.kind()) + ", not a plan; open it where "
            + (document.kind() == FileKind::lab ? "labs are (File > Open lab)" : "texts are edited"));
    return std::make_unique<PlanWizard>(std::move(document), parent, history);
}

PlanWizard::PlanWizard(Document document, QWidget* parent, const std::filesystem::path& history)
    : QDialog(parent)
    , m_model(new PlanModel(std::move(document), this))
    , m_opened(text(m_model->document().text()))
    , m_steps(new QListWidget)
    , m_stack(new QStackedWidget)
    , m_across(new QSplitter)
    , m_text(new PlanView)
    , m_words(new QLabel)
    , m_back(new QPushButton(tr("< &Back")))
    , m_next(new QPushButton(tr("&Next >")))
    , m_undo(new QPushButton(tr("&Undo")))
    , m_redo(new QPushButton(tr("Redo")))
    , m_showText(new QPushButton(tr("Show te&xt")))
    , m_save(new QPushButton(tr("&Save")))
    , m_saveAs(new QPushButton(tr("Save &as…")))
    , m_run(new QPushButton(icon(QStringLiteral("run")), tr("&Run now")))
    , m_close(new QPushButton(tr("Close")))
{
    m_model->setHistoryFolder(history);
    setSizeGripEnabled(true);
    m_steps->setAccessibleName(tr("Steps"));
    m_steps->setFixedWidth(kStepsWidth);
    const QSize iconSize(16, 16); // the style's own is as high as two lines
    m_steps->setIconSize(iconSize);
    QPixmap blank(iconSize);
    blank.fill(Qt::transparent);
    m_noIcon = QIcon(blank); // so that no step moves when a sign comes or goes
    m_words->setTextFormat(Qt::PlainText);
    m_words->setWordWrap(true);
    m_across->addWidget(m_stack);
    m_across->addWidget(m_text);
    m_across->setStretchFactor(0, 3);
    m_across->setStretchFactor(1, 2);
    m_across->setChildrenCollapsible(false);
    m_showText->setCheckable(true);
    for (QPushButton* button :
        { m_back, m_next, m_undo, m_redo, m_showText, m_save, m_saveAs, m_run, m_close })
        button->setAutoDefault(false);
    auto* middle = new QHBoxLayout;
    middle->addWidget(m_steps);
    middle->addWidget(m_across, 1);
    auto* buttons = new QHBoxLayout;
    for (QPushButton* button : { m_undo, m_redo, m_showText })
        buttons->addWidget(button);
    buttons->addStretch(1);
    for (QPushButton* button : { m_back, m_next })
        buttons->addWidget(button);
    buttons->addSpacing(12);
    for (QPushButton* button : { m_run, m_save, m_saveAs, m_close })
        buttons->addWidget(button);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(middle, 1);
    layout->addWidget(m_words);
    layout->addLayout(buttons);
    clickByKeys(m_undo, QKeySequence::Undo, this);
    clickByKeys(m_redo, QKeySequence::Redo, this);
    clickByKeys(m_back, Qt::CTRL | Qt::Key_PageUp, this);
    clickByKeys(m_next, Qt::CTRL | Qt::Key_PageDown, this);
    clickByKeys(m_save, QKeySequence::Save, this);
    clickByKeys(m_run, Qt::Key_F5, this);
    auto* help = new QAction(this);
    help->setShortcut(QKeySequence::HelpContents);
    connect(help, &QAction::triggered, this, &PlanWizard::askForHelp);
    addAction(help);
    const auto turn = [this](int by) {
        goTo(currentPage() + by);
        page(currentPage())->focusFirst();
    };
    connect(m_back, &QPushButton::clicked, this, [turn] { turn(-1); });
    connect(m_next, &QPushButton::clicked, this, [turn] { turn(1); });
    connect(m_undo, &QPushButton::clicked, m_model, &DocumentModel::undo);
    connect(m_redo, &QPushButton::clicked, m_model, &DocumentModel::redo);
    connect(m_save, &QPushButton::clicked, this, &PlanWizard::save);
    connect(m_saveAs, &QPushButton::clicked, this, &PlanWizard::saveAs);
    connect(m_run, &QPushButton::clicked, this, &PlanWizard::run);
    connect(m_close, &QPushButton::clicked, this, &PlanWizard::reject);
    connect(m_showText, &QPushButton::toggled, this, [this](bool on) {
        m_text->setVisible(on);
        follow();
    });
    connect(m_steps, &QListWidget::currentRowChanged, this, [this](int row) {
        if (!m_building && row >= 0)
            goTo(row);
    });
    connect(m_model, &DocumentModel::changed, this, &PlanWizard::follow);
    connect(m_model, &DocumentModel::refused, this, &PlanWizard::say);
    const QSettings settings;
    m_showText->setChecked(settings.value(QLatin1String(kShowsText), false).toBool());
    m_text->setVisible(m_showText->isChecked());
    resize(kWidth, kHeight);
    restoreGeometry(settings.value(QLatin1String(kGeometry)).toByteArray());
    build();
    follow();
    goTo(0);
}

PlanWizard::~PlanWizard()
{
    QSettings settings;
    settings.setValue(QLatin1String(kGeometry), saveGeometry());
    settings.setValue(QLatin1String(kShowsText), m_showText->isChecked());
    // Pages look at the model to their end.
    qDeleteAll(m_pages);
}

void PlanWizard::build()
{
    m_building = true;
    for (PlanPage* page : m_pages)
        if (page != nullptr) {
            m_stack->removeWidget(page);
            page->deleteLater();
        }
    m_kind = m_model->kind();
    m_makers = pagesOf(*m_model, m_kind);
    m_makers.push_back({ tr("Summary"),
        [this]() -> PlanPage* {
            auto* last = new LastPage(*m_model, m_opened, [this] { return keys(); });
            connect(last, &LastPage::fieldWanted, this, [this](const std::string& path) {
                if (FieldEditor* editor = reveal(path))
                    editor->field()->setFocus(Qt::ShortcutFocusReason);
            });
            return last;
        },
        { QStringLiteral("workbench"), QStringLiteral("Plans in wizards") } });
    m_pages.assign(m_makers.size(), nullptr);
    m_steps->clear();
    for (const PageMaker& maker : m_makers)
        m_steps->addItem(maker.title);
    m_building = false;
}

int PlanWizard::pageCount() const
{
    return static_cast<int>(m_makers.size());
}

int PlanWizard::currentPage() const
{
    const auto found = std::ranges::find(m_pages, m_stack->currentWidget());
    return found == m_pages.end() || m_stack->currentWidget() == nullptr
        ? 0
        : static_cast<int>(found - m_pages.begin());
}

PlanPage* PlanWizard::page(int at)
{
    const auto index = static_cast<std::size_t>(at);
    if (m_pages[index] == nullptr) {
        m_pages[index] = m_makers[index].make();
        m_stack->addWidget(m_pages[index]);
        connect(m_pages[index], &PlanPage::helpWanted, this, &PlanWizard::askForHelp);
    }
    return m_pages[index];
}

LastPage* PlanWizard::lastPage()
{
    return static_cast<LastPage*>(page(pageCount() - 1));
}

std::set<std::string> PlanWizard::keys()
{
    std::set<std::string> all;
    for (int i = 0; i + 1 < pageCount(); ++i)
        all.merge(page(i)->keys());
    return all;
}

void PlanWizard::goTo(int at)
{
    if (at < 0 || at >= pageCount())
        return;
    commit();
    PlanPage* shown = page(std::min(at, pageCount() - 1));
    m_stack->setCurrentWidget(shown);
    m_building = true;
    m_steps->setCurrentRow(at);
    m_building = false;
    // Why the button is grey is said where it is needed.
    m_words->setText(at + 1 == pageCount() ? m_cannotRun : QString());
    shown->entered();
    updateSteps();
    updateButtons();
}

FieldEditor* PlanWizard::reveal(const std::string& path)
{
    for (int i = 0; i + 1 < pageCount(); ++i) {
        PlanPage* one = page(i);
        if (one->reveal(path) != nullptr) {
            goTo(i);
            return one->reveal(path); // now that it is in sight, with its scroll bar
        }
    }
    // A problem of a table as a whole: its page.
    for (std::string table = path; !table.empty(); table = tableOf(table))
        for (int i = 0; i + 1 < pageCount(); ++i)
            if (page(i)->keys().contains(genericPath(table))) {
                goTo(i);
                return nullptr;
            }
    return nullptr;
}

void PlanWizard::follow()
{
    if (m_model->kind() != m_kind) {
        const int at = currentPage();
        build();
        goTo(std::min(at, pageCount() - 1));
    }
    const QString title = text(m_model->document().getText("title").value_or(""));
    const QString file = text(m_model->document().name());
    setWindowTitle(tr("%1 - %2%3")
                       .arg(title.isEmpty() ? file : title, kindName(m_kind),
                           m_model->document().isModified() ? tr(" (changed)") : QString()));
    if (m_text->isVisibleTo(this) && m_text->toPlainText() != text(m_model->document().text())) {
        const QString before = m_text->toPlainText(), now = text(m_model->document().text());
        m_text->setText(now);
        if (!before.isEmpty()) { // where something changed
            const QStringList old = before.split(QLatin1Char('\n')), lines = now.split(QLatin1Char('\n'));
            int line = 0;
            while (line < std::min(old.size(), lines.size()) && old[line] == lines[line])
                ++line;
            m_text->markLine(std::min(line + 1, static_cast<int>(lines.size())));
        }
    }
    updateSteps();
    updateButtons();
}

void PlanWizard::updateSteps()
{
    for (int i = 0; i < pageCount(); ++i) {
        PlanPage* one = m_pages[static_cast<std::size_t>(i)];
        const int problems = one == nullptr ? 0 : one->problemCount();
        QListWidgetItem* item = m_steps->item(i);
        item->setText(QStringLiteral("%1. %2").arg(i + 1).arg(m_makers[static_cast<std::size_t>(i)].title));
        item->setIcon(problems > 0 ? icon(QStringLiteral("warning")) : m_noIcon);
        item->setToolTip(problems == 0 ? QString()
                : problems == 1        ? tr("1 problem")
                                       : tr("%1 problems").arg(problems));
    }
}

void PlanWizard::updateButtons()
{
    const int at = currentPage();
    m_back->setEnabled(at > 0);
    m_next->setEnabled(at + 1 < pageCount());
    m_undo->setEnabled(m_model->document().canUndo());
    m_redo->setEnabled(m_model->document().canRedo());
    m_undo->setToolTip(tr("Takes back: %1").arg(text(m_model->document().undoName())));
    const Document& document = m_model->document();
    const bool hasFile = !document.file().empty() && !isShipped(document.file());
    m_save->setVisible(hasFile);
    m_save->setEnabled(document.isModified());
    const bool hasErrors = m_model->isChecked() && !m_model->isRunnable();
    m_run->setEnabled(!hasErrors && m_cannotRun.isEmpty());
    m_run->setToolTip(!m_cannotRun.isEmpty() ? m_cannotRun
            : hasErrors                      ? tr("The plan has errors; the last page lists them")
                                             : tr("Runs the plan as it stands, saved or not (F5)"));
}

void PlanWizard::setCannotRun(const QString& reason)
{
    m_cannotRun = reason;
    updateButtons();
}

void PlanWizard::setUnsaved()
{
    m_isWork = true;
}

bool PlanWizard::isUnsaved() const
{
    const Document& document = m_model->document();
    return document.isModified() || (m_isWork && document.file().empty());
}

void PlanWizard::say(const QString& words)
{
    m_words->setText(words);
}

bool PlanWizard::writeTo(const std::filesystem::path& file)
{
    const bool isOwn = file == m_model->document().file();
    QString why;
    const auto refused =
        connect(m_model, &DocumentModel::refused, this, [&](const QString& words) { why = words; });
    const bool done = isOwn ? m_model->save(false) : m_model->saveAs(file);
    disconnect(refused);
    if (!done) {
        QMessageBox::warning(this, tr("Save plan"), why);
        return false;
    }
    m_words->clear();
    m_model->checkAgain(); // labs and profiles are looked for from the file on
    follow();
    if (auto* last = m_pages.back())
        last->entered();
    emit saved(file);
    return true;
}

void PlanWizard::commit()
{
    if (m_stack->currentWidget() != nullptr)
        static_cast<PlanPage*>(m_stack->currentWidget())->commit();
}

bool PlanWizard::save()
{
    commit();
    const auto& file = m_model->document().file();
    return file.empty() || isShipped(file) ? saveAs() : writeTo(std::filesystem::path(file));
}

bool PlanWizard::saveAs()
{
    commit();
    const auto& own = m_model->document().file();
    const QString folder = QSettings().value(QLatin1String(kFolder)).toString();
    const bool isNew = own.empty() || isShipped(own);
    const QString name = text(own.empty() ? planFileName(m_model->document()) : m_model->document().name());
    const QString named = askTomlFile(this, tr("Save plan as"),
        !isNew                 ? text(own.string())
            : folder.isEmpty() ? name
                               : QStringLiteral("%1/%2").arg(folder, name),
        tr("Plans (*.toml)"));
    if (named.isEmpty())
        return false;
    if (!writeTo(bytes(named)))
        return false;
    QSettings().setValue(QLatin1String(kFolder), QFileInfo(named).absolutePath());
    return true;
}

void PlanWizard::run()
{
    commit();
    m_runWanted = true;
    accept();
}

void PlanWizard::askForHelp()
{
    const HelpPlace& place = m_makers[static_cast<std::size_t>(currentPage())].help;
    emit helpWanted(place.topic, place.heading);
}

bool PlanWizard::mayLeave()
{
    commit();
    if (!isUnsaved())
        return true;
    QMessageBox box(QMessageBox::Question, tr("Close the wizard"),
        m_model->document().isModified() ? tr("The plan has changes that are not saved.")
                                         : tr("The plan is not saved."),
        QMessageBox::Cancel, this);
    auto* saving = box.addButton(tr("&Save"), QMessageBox::AcceptRole);
    auto* dropping = box.addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    box.setDefaultButton(QMessageBox::Cancel);
    box.exec();
    return box.clickedButton() == dropping || (box.clickedButton() == saving && save());
}

void PlanWizard::accept()
{
    QDialog::accept();
}

void PlanWizard::reject()
{
    if (mayLeave())
        QDialog::reject();
}

void PlanWizard::showEvent(QShowEvent* event)
{
    QDialog::showEvent(event);
    page(currentPage())->focusFirst();
}

void PlanWizard::keyPressEvent(QKeyEvent* event)
{
    // Return in a field takes its value; it does not turn the page.
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
        event->accept();
        if (auto* button = qobject_cast<QPushButton*>(focusWidget()))
            button->click();
        return;
    }
    QDialog::keyPressEvent(event);
}

} // namespace loadstone::ui

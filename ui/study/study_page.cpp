// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "study/study_page.h"

#include "compare/tabs/table_tab.h"
#include "compare/view/comparison_feed.h"
#include "format.h"
#include "forms/entries_table.h"
#include "forms/entry_list.h"
#include "forms/field_editor.h"
#include "forms/key_form.h"
#include "forms/scrolled.h"
#include "history/history_store.h"
#include "icons.h"
#include "study/steps_tab.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>

namespace loadstone::ui {

StudyPage::StudyPage(Document document, HistoryStore& store, const std::filesystem::path& history,
    StudyStarter starter, QWidget* parent)
    : StudyPage(*new StudyModel(std::move(document)), store, history, std::move(starter), parent)
{
}

StudyPage::StudyPage(StudyModel& model, HistoryStore& store, const std::filesystem::path& history,
    StudyStarter starter, QWidget* parent)
    : DocumentPage(model, { tr("study"), tr("Study"), tr("Studies") }, parent)
    , m_model(model)
    , m_store(store)
    , m_queue(new StudyQueue(std::move(starter), this))
    , m_feed(new ComparisonFeed(history, this))
    , m_head(new KeyForm(m_model, "",
          { { "name", "title", "description", "baseline", "order", "matters", "confidence" }, {}, {} }))
    , m_cases(new EntryList(m_model, "case"))
    , m_sets(new EntryList(m_model, "set"))
    , m_ratios(new EntryList(m_model, "ratio"))
    , m_comparisons(new EntryList(m_model, "comparison"))
    , m_commands(new EntryList(m_model, "command"))
    , m_steps(new StepsTab(m_model, *m_queue, m_feed->store(), history))
    , m_results(new TableTab)
    , m_question(new QComboBox)
    , m_resultWords(new QLabel)
    , m_help(new QLabel)
    , m_compare(makeAction(tr("&Open as a comparison"), {}, [this] { emit compareWanted(resultQuery()); }))
{
    m_compare->setIcon(icon(QStringLiteral("compare")));
    m_compare->setToolTip(tr("A page with the curves, bars and counters of these cases, and all exports"));
    layOut();
    m_head->setPlace("");
    m_cases->setPlace("case");
    m_sets->setPlace("set");
    m_ratios->setPlace("ratio");
    m_comparisons->setPlace("comparison");
    m_commands->setPlace("command");
    connect(m_head, &KeyForm::explained, m_help, &QLabel::setText);
    for (EntryList* list : { m_cases, m_sets, m_ratios, m_comparisons, m_commands })
        connect(list, &EntryList::explained, m_help, &QLabel::setText);
    connect(
        tabs(), &QTabWidget::currentChanged, m_help, &QLabel::clear); // it was of a field of the other tab
    connect(m_steps, &StepsTab::saveWanted, this, [this] { save(); });
    connect(m_steps, &StepsTab::openWanted, this, &StudyPage::openWanted);
    connect(m_queue, &StudyQueue::runBegan, &m_store, &HistoryStore::refresh);
    connect(m_queue, &StudyQueue::changed, this, &StudyPage::titleChanged);
    connect(&m_store, &HistoryStore::changed, this, [this] {
        m_steps->refresh();
        m_feed->historyChanged(m_store.runs());
    });
    connect(m_feed, &ComparisonFeed::changed, this, [this](std::shared_ptr<const CompareView> view) {
        m_resultView = view;
        sayResults();
        m_results->show(std::move(view));
    });
    connect(m_results, &TableTab::baselineWanted, this, [this](int column) {
        CompareQuery next = m_feed->query();
        next.options.baseline = static_cast<std::size_t>(column);
        m_feed->setQuery(next);
    });
    begin(tabs());
}

StudyPage::~StudyPage() = default;

QWidget* StudyPage::makeCases()
{
    auto* split = new QSplitter;
    split->addWidget(scrolled(m_head));
    split->addWidget(scrolledList(m_cases));
    split->setSizes({ 340, 700 });
    split->setStretchFactor(1, 1);
    return split;
}

QWidget* StudyPage::makeResults()
{
    auto* whole = new QWidget;
    auto* layout = new QVBoxLayout(whole);
    auto* bar = new QHBoxLayout;
    auto* label = new QLabel(tr("&Question:"));
    label->setBuddy(m_question);
    m_question->setAccessibleName(tr("Question of the study"));
    m_question->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* open = new QToolButton;
    open->setDefaultAction(m_compare);
    open->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_resultWords->setTextFormat(Qt::PlainText);
    m_resultWords->setWordWrap(true);
    bar->addWidget(label);
    bar->addWidget(m_question);
    bar->addWidget(open);
    bar->addWidget(m_resultWords, 1);
    layout->addLayout(bar);
    layout->addWidget(m_results, 1);
    connect(m_question, &QComboBox::activated, this, &StudyPage::showResults);
    return whole;
}

void StudyPage::layOut()
{
    const auto addList = [this](QWidget* list, const QString& name, const QString& meaning) {
        auto* whole = new QWidget;
        auto* layout = new QVBoxLayout(whole);
        auto* words = new QLabel(meaning);
        words->setWordWrap(true);
        layout->addWidget(words);
        layout->addWidget(scrolledList(list), 1);
        tabs()->addTab(whole, name);
    };
    tabs()->addTab(makeCases(), tr("&Cases"));
    addList(m_comparisons, tr("&Questions"),
        tr("A question compares some of the cases, in some of their figures. Without questions all cases are "
           "compared."));
    addList(m_sets, tr("Sets"),
        tr("A set is of cases that were measured at once and count as one, such as several hosts."));
    addList(m_ratios, tr("Quot&ients"), tr("Figures that are quotients of two others."));
    addList(m_commands, tr("Co&mmands"),
        tr("Commands clean the server, restart it with other settings or wait for its queues, before or "
           "after runs and mixes."));
    tabs()->addTab(m_steps, tr("Ru&ns"));
    tabs()->addTab(makeResults(), tr("Resu&lts so far"));
    m_help->setTextFormat(Qt::PlainText);
    m_help->setWordWrap(true);
    bar()->addWidget(m_help, 1);
}

void StudyPage::commit()
{
    m_head->commit();
    for (EntryList* list : { m_cases, m_sets, m_ratios, m_comparisons, m_commands })
        list->commit();
}

void StudyPage::follow()
{
    QStringList questions { tr("All cases") };
    for (const StudyComparison& comparison : m_model.study().comparisons)
        questions.append(text(comparison.label()));
    QStringList listed;
    for (int i = 0; i < m_question->count(); ++i)
        listed.append(m_question->itemText(i));
    if (questions != listed) {
        const int at = m_question->currentIndex();
        m_question->clear();
        m_question->addItems(questions);
        m_question->setCurrentIndex(std::clamp(at, 0, static_cast<int>(questions.size()) - 1));
    }
}

bool StudyPage::reveal(const std::string& field)
{
    const auto inList = [&](EntryList* list, const char* name) {
        if (!field.starts_with(std::string(name) + "["))
            return false;
        for (int tab = 0; tab < tabs()->count(); ++tab)
            if (tabs()->widget(tab)->isAncestorOf(list))
                tabs()->setCurrentIndex(tab);
        if (FieldEditor* editor = list->reveal(field))
            editor->field()->setFocus();
        return true;
    };
    if (inList(m_cases, "case") || inList(m_comparisons, "comparison") || inList(m_sets, "set")
        || inList(m_ratios, "ratio") || inList(m_commands, "command"))
        return true;
    FieldEditor* editor = field.empty() ? nullptr : m_head->reveal(field);
    if (editor != nullptr) {
        tabs()->setCurrentIndex(0);
        editor->field()->setFocus();
    }
    return editor != nullptr;
}

void StudyPage::showTab(QWidget* shown)
{
    if (shown == m_steps)
        m_steps->refresh();
    else if (shown->isAncestorOf(m_results)) // also before the page is first shown
        showResults();
}

const StudyComparison* StudyPage::question() const
{
    const auto& all = m_model.study().comparisons;
    const int at = m_question->currentIndex() - 1; // the first entry is all cases
    return at >= 0 && static_cast<std::size_t>(at) < all.size() ? &all[static_cast<std::size_t>(at)]
                                                                : nullptr;
}

CompareQuery StudyPage::resultQuery() const
{
    const Study& study = m_model.study();
    CompareQuery query = m_feed->query();
    query.groupRepeats = false;
    query.columns.clear();
    query.options = {};
    query.options.matters = study.matters;
    query.options.level = 1 - study.confidence;
    std::vector<std::string> ids;
    std::string base = study.baseline;
    if (const StudyComparison* asked = question()) {
        base = asked->baseline;
        ids = asked->with;
        ids.insert(ids.begin(), base);
        query.options.figures = asked->figures;
    } else {
        for (const StudyCase& one : study.cases)
            ids.push_back(one.id);
        for (const HostSet& set : study.sets) {
            ids.push_back(set.id);
            if (!set.keepHosts)
                for (const std::string& host : set.hosts)
                    std::erase(ids, host);
        }
    }
    // A comparison has a limit; the baseline is within it.
    constexpr std::size_t kMost = CompareOptions::kMostColumns;
    if (const auto at = std::ranges::find(ids, base); at - ids.begin() >= std::ptrdiff_t { kMost })
        std::rotate(ids.begin() + kMost - 1, at, at + 1);
    if (ids.size() > kMost)
        ids.resize(kMost);
    for (const std::string& id : ids) {
        if (id == base)
            query.options.baseline = query.columns.size();
        query.columns.push_back({ {}, {}, {}, {}, file(), id });
    }
    return query;
}

void StudyPage::showResults()
{
    if (file().empty()) {
        m_resultWords->setText(tr("Results are those of the file: save the study to see them."));
        return;
    }
    m_feed->setQuery(resultQuery());
    sayResults();
}

/// What is to be known of the results.
void StudyPage::sayResults()
{
    QStringList words;
    if (isModified())
        words.append(tr("These are the results of the file as it was saved."));
    const std::size_t parts = m_model.study().cases.size() + m_model.study().sets.size();
    if (question() == nullptr && parts > CompareOptions::kMostColumns
        && m_feed->query().columns.size() == CompareOptions::kMostColumns)
        words.append(tr("A comparison has %1 columns at most; choose a question to see others.")
                         .arg(CompareOptions::kMostColumns));
    if (!m_resultView && m_feed->busy())
        words.append(tr("Reading…"));
    if (m_resultView) {
        // Where cases have no runs yet there are too few columns: that need not be said twice.
        const bool isTooFew = m_resultView->columns.size() < 2 && !m_resultView->unread.isEmpty();
        if (!m_resultView->problem.isEmpty() && !isTooFew)
            words.append(m_resultView->problem);
        words += m_resultView->unread;
    }
    m_resultWords->setText(words.join(QLatin1Char('\n')));
}

bool StudyPage::mayClose()
{
    if (m_queue->active()) {
        QMessageBox box(QMessageBox::Question, tr("Study in progress"),
            tr("The study's run ends when this page closes."), QMessageBox::Cancel, this);
        box.setInformativeText(tr("What was measured is kept, and the queue can be taken up again."));
        auto* stop = box.addButton(tr("&Stop and close"), QMessageBox::AcceptRole);
        box.exec();
        if (box.clickedButton() != stop)
            return false;
        m_queue->stop();
    }
    return DocumentPage::mayClose();
}

QString StudyPage::givenTitle() const
{
    return text(m_model.study().title);
}

QIcon StudyPage::picture() const
{
    return icon(m_queue->active() ? QStringLiteral("live") : QStringLiteral("study"));
}

QList<QAction*> StudyPage::actionsOf(PageMenu menu) const
{
    if (menu == PageMenu::run)
        return { m_steps->runAction(), m_steps->stopAfterAction(), m_steps->stopAction() };
    if (menu == PageMenu::view)
        return { m_compare };
    return DocumentPage::actionsOf(menu);
}

void StudyPage::activated()
{
    if (tabs()->currentIndex() == 0)
        m_cases->table()->view()->setFocus();
    else
        tabs()->setFocus();
}

} // namespace loadstone::ui

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "wizard/mail_pages.h"

#include "banner.h"
#include "format.h"
#include "forms/key_conditions.h"
#include "lab/recent_labs.h"
#include "plans/plan_facts.h"
#include "wizard/plan_pages.h"
#include "wizard/preflight_box.h"
#include "wizard/profile_gallery.h"

#include <loadstone/lab.h>

#include <QComboBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>

#include <algorithm>

namespace loadstone::ui {

namespace {

constexpr qsizetype kLongestName = 300; // of a mailbox in the example

/// "u00042" of "u{n:5}".
QString mailboxName(const QString& pattern, qulonglong number)
{
    QString name = pattern;
    const auto open = name.indexOf(QLatin1String("{n"));
    const auto close = open < 0 ? -1 : name.indexOf(QLatin1Char('}'), open);
    if (close < 0)
        return name;
    const int digits = std::clamp(name.mid(open + 3, close - open - 3).toInt(), 0, 30);
    return name.replace(
        open, close - open + 1, QStringLiteral("%1").arg(number, digits, 10, QLatin1Char('0')));
}

qulonglong usersOf(const Document& document)
{
    qulonglong most = 0;
    for (std::size_t i = 0; i < document.size("mixes"); ++i) {
        const std::string mix = "mixes[" + std::to_string(i) + "].";
        const auto number = [&](const char* key) {
            return text(effectiveText(document, mix + key)).toULongLong();
        };
        const qulonglong clients = number("clients"), each = number("mailboxes_per_client");
        const bool ofUsers = effectiveText(document, "workload.pacing") == "users";
        constexpr qulonglong kMost = 1'000'000'000;
        most = std::max(most, ofUsers ? number("users") : std::min(clients, kMost) * std::min(each, kMost));
    }
    return most;
}

/// The names as they change with the keys.
class NamesLabel : public QLabel {
public:
    explicit NamesLabel(PlanModel& model)
    {
        setTextFormat(Qt::PlainText);
        setWordWrap(true);
        setTextInteractionFlags(Qt::TextSelectableByMouse);
        const auto follow = [this, &model] { setText(mailboxNames(model.document())); };
        connect(&model, &DocumentModel::changed, this, follow);
        follow();
    }
};

} // namespace

QString mailboxNames(const Document& document)
{
    const QString pattern = text(effectiveText(document, "target.user")).left(kLongestName);
    const QString domain = text(effectiveText(document, "target.domain")).left(kLongestName);
    const qulonglong first = text(effectiveText(document, "target.first_number")).toULongLong();
    const qulonglong count = usersOf(document);
    if (count == 0)
        return PlanPage::tr("Mailboxes: %1@%2 and so on").arg(mailboxName(pattern, first), domain);
    return PlanPage::tr(
        "Mailboxes: %1@%2 to %3@%2 (%4). They have to exist on the server, all with this password.")
        .arg(
            mailboxName(pattern, first), domain, mailboxName(pattern, first + count - 1), formatCount(count));
}

PlanPage* makeServersPage(PlanModel& model)
{
    auto* page = new PlanPage(model, PlanPage::tr("Servers"),
        PlanPage::tr(
            "Which servers are tested. Tick what the server speaks: messages are sent over SMTP, mailboxes "
            "are "
            "read over IMAP or POP3. The embedded server needs no setup and is good for a first look."));
    page->addFixed(new PreflightBox(model));
    FormKeys keys;
    keys.without = { "domain", "user", "first_number", "login", "password" };
    keys.optional = optionalTables();
    page->addForm("target", keys);
    FormKeys several { { "targets" }, {}, optionalTables() };
    page->addForm({}, several, PlanPage::tr("Several servers, or several kinds of users"));
    page->finish();
    return page;
}

PlanPage* makeMailboxesPage(PlanModel& model)
{
    auto* page = new PlanPage(model, PlanPage::tr("Mailboxes"),
        PlanPage::tr(
            "The mailboxes of the test: their names, the password, and what they hold before the run."));
    page->addBox(new NamesLabel(model));
    page->addForm("target", { { "domain", "user", "first_number", "login", "password" } });
    page->addForm("workload", { { "initialise", "initial" }, {}, optionalTables() },
        PlanPage::tr("What they hold before the run"));
    page->finish();
    return page;
}

PlanPage* makeWorkloadPage(PlanModel& model)
{
    auto* page = new PlanPage(model, PlanPage::tr("Workload"),
        PlanPage::tr("What a user does: the day of a profile, or a script of steps that is repeated. A plan "
                     "of scripts has either the steps of one script or several named workloads, not both."));
    page->addBox(new ProfileGallery(model));
    page->addForm("workload", { {}, { "initialise", "initial" } });
    page->addForm({}, { { "workloads" } }, PlanPage::tr("Named workloads, instead of the steps above"));
    page->addBox(
        makeProse(PlanPage::tr("Each mix says on the page Load which of the named workloads it has.")));
    page->addForm({}, { { "rehearsal", "profile", "profiles" } });
    page->finish();
    return page;
}

PlanPage* makeCriteriaPage(PlanModel& model)
{
    auto* page = new PlanPage(model, PlanPage::tr("Criteria"),
        PlanPage::tr("What a run has to achieve. Without criteria it has figures and no verdict. Published "
                     "tests judged the "
                     "95th percentile of response times, and a queue that stays below 50 messages."));
    page->addForm("criteria", { {}, {}, optionalTables() });
    page->addForm({}, { { "queues", "health" } });
    page->finish();
    return page;
}

LabChoice::LabChoice(PlanModel& model, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_lab(new QComboBox)
    , m_variant(new QComboBox)
    , m_about(makeProse())
{
    auto* browseButton = new QPushButton(tr("Bro&wse…"));
    auto* line = new QHBoxLayout;
    line->addWidget(m_lab, 1);
    line->addWidget(browseButton);
    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->addRow(m_about);
    auto* label = new QLabel(tr("&Labs at hand:"));
    label->setBuddy(m_lab);
    form->addRow(label, line);
    form->addRow(tr("Its &variants:"), m_variant);
    m_lab->setAccessibleName(tr("Labs at hand"));
    m_variant->setAccessibleName(tr("Variants of the lab"));
    m_lab->setFocusPolicy(Qt::StrongFocus);
    m_variant->setFocusPolicy(Qt::StrongFocus);
    connect(browseButton, &QPushButton::clicked, this, &LabChoice::browse);
    connect(m_lab, &QComboBox::activated, this, [this] {
        const QString name = m_lab->currentData().toString();
        m_model.edit([&](Document& document) {
            return document.change("lab", [&](Document& changed) -> Result<void> {
                if (const auto gone = changed.erase("variant"); !gone)
                    return gone;
                return name.isEmpty() ? changed.erase("lab") : changed.setText("lab", bytes(name));
            });
        });
    });
    connect(m_variant, &QComboBox::activated, this,
        [this] { m_model.setValue("variant", m_variant->currentData().toString()); });
    connect(&m_model, &DocumentModel::changed, this, [this] {
        if (isVisible())
            follow();
    });
}

void LabChoice::showEvent(QShowEvent* event)
{
    follow();
    QWidget::showEvent(event);
}

std::filesystem::path LabChoice::chosenFile() const
{
    const std::string name = m_model.document().getText("lab").value_or("");
    if (name.empty())
        return {};
    std::error_code ignored;
    const auto folder = m_model.document().file().parent_path();
    if (!m_model.document().file().empty())
        for (const std::string& one : { name, name + ".toml" })
            if (std::filesystem::is_regular_file(folder / one, ignored))
                return folder / one;
    return findLab(name);
}

void LabChoice::follow()
{
    const QString name = text(m_model.document().getText("lab").value_or(""));
    m_lab->clear();
    m_lab->addItem(tr("none"), QString());
    for (const auto& file : shippedLabs())
        m_lab->addItem(text(file.stem().string()), text(file.stem().string()));
    for (const QString& file : recentLabs()) {
        const QString own = nameBesidePlan(bytes(file));
        if (QFileInfo(file).isFile() && !isShipped(bytes(file)) && m_lab->findData(own) < 0)
            m_lab->addItem(own, own);
    }
    int at = m_lab->findData(name);
    if (at < 0) {
        m_lab->addItem(name, name);
        at = m_lab->count() - 1;
    }
    m_lab->setCurrentIndex(at);
    m_variant->clear();
    m_variant->addItem(tr("the lab as it stands"), QString());
    const auto lab = name.isEmpty() ? fail("none") : checkLab(chosenFile());
    if (lab) {
        for (const LabVariant& variant : lab->lab.variants)
            m_variant->addItem(
                text(variant.title.empty() ? variant.id : variant.title + " (" + variant.id + ")"),
                text(variant.id));
        m_about->setText(tr("%1: %2 items").arg(text(lab->lab.title)).arg(lab->lab.items.size()));
    } else
        m_about->setText(name.isEmpty()
                ? tr("No lab: reports of this plan print no configuration. File > New lab describes one.")
                : text(lab.error().message));
    const int variant = m_variant->findData(text(m_model.document().getText("variant").value_or("")));
    m_variant->setCurrentIndex(std::max(0, variant));
    m_variant->setEnabled(m_variant->count() > 1);
}

void LabChoice::browse()
{
    const auto& plan = m_model.document().file();
    const QString file = QFileDialog::getOpenFileName(
        this, tr("Lab of the plan"), text(plan.parent_path().string()), tr("Labs (*.toml)"));
    if (file.isEmpty())
        return;
    m_model.setValue("lab", nameBesidePlan(bytes(file)));
}

QString LabChoice::nameBesidePlan(const std::filesystem::path& lab) const
{
    // Beside the plan its name is enough, and stays right when both are moved.
    const auto& plan = m_model.document().file();
    const bool isBeside = !plan.empty() && lab.parent_path() == std::filesystem::absolute(plan).parent_path();
    return text((isBeside ? lab.filename() : lab).string());
}

} // namespace loadstone::ui

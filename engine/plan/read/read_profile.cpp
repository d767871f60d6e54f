// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/table_reader.h"
#include "plan/read/read_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace loadstone::plan {

namespace {

struct NamedAction {
    const char* key;
    ActionKind kind;
};

/// The actions that come by the clock.
constexpr std::array kTimed {
    NamedAction { "send", ActionKind::sendMessage },
    NamedAction { "check_inbox", ActionKind::checkInbox },
    NamedAction { "browse", ActionKind::browseFolder },
    NamedAction { "empty_deleted_items", ActionKind::emptyDeletedItems },
    NamedAction { "logoff", ActionKind::logoff },
    NamedAction { "update_schedule", ActionKind::updateSchedule },
    NamedAction { "make_appointment", ActionKind::makeAppointment },
    NamedAction { "request_meeting", ActionKind::requestMeeting },
    NamedAction { "check_free_busy", ActionKind::checkFreeBusy },
    NamedAction { "browse_calendar", ActionKind::browseCalendar },
    NamedAction { "create_contact", ActionKind::createContact },
    NamedAction { "browse_contacts", ActionKind::browseContacts },
    NamedAction { "journal", ActionKind::journal },
};

/// The actions that follow from reading; with the others they are what a score may weigh.
constexpr std::array kFollowing {
    NamedAction { "logon", ActionKind::logon },
    NamedAction { "read", ActionKind::readMessage },
    NamedAction { "load_attachment", ActionKind::loadAttachment },
    NamedAction { "reply", ActionKind::reply },
    NamedAction { "reply_all", ActionKind::replyAll },
    NamedAction { "forward", ActionKind::forward },
    NamedAction { "move", ActionKind::moveMessage },
    NamedAction { "copy", ActionKind::copyMessage },
    NamedAction { "delete", ActionKind::deleteMessage },
};

/// What scripts do beside sending: criteria may name it.
constexpr std::array kScripted {
    NamedAction { "empty_mailbox", ActionKind::emptyMailbox },
    NamedAction { "read_mailbox", ActionKind::readMailbox },
    NamedAction { "list_mailbox", ActionKind::listMailbox },
};

/// The server's taking of a message alone: from the last byte to its reply.
constexpr const char* kSubmit = "submit";

void readPerDay(const document::Node* node, document::Problems& problems, Profile& to)
{
    document::TableReader table(node, "per_day", problems);
    for (const NamedAction& action : kTimed)
        document::assign(to.perDay[indexOf(action.kind)], table.real(action.key));
    table.finish();
    double mail = 0; // a plan without calendars and contacts leaves out the rest
    for (const ActionKind kind : kAllActions)
        mail += needsCollections(kind) ? 0 : to.perDayOf(kind);
    if (!problems.touched("per_day") && mail <= 0)
        problems.error("per_day", "the users of this profile do nothing", "write send = 4, check_inbox = 12");
}

void readReading(const document::Node* node, document::Problems& problems, Reading& to)
{
    document::TableReader table(node, "per_read", problems);
    document::assign(to.reply, table.share("reply"));
    document::assign(to.replyAll, table.share("reply_all"));
    document::assign(to.forward, table.share("forward"));
    document::assign(to.loadAttachment, table.share("load_attachment"));
    document::assign(to.move, table.share("move"));
    document::assign(to.copy, table.share("copy"));
    document::assign(to.remove, table.share("delete"));
    document::assign(to.attentive, table.share("attentive"));
    document::assign(to.disposalOf,
        table.choice<ReadsMeant>("disposal_of",
            { { "all reads", ReadsMeant::all }, { "first reads in the Inbox", ReadsMeant::firstInInbox } }));
    document::assign(to.replyAllTo,
        table.choice<ReplyAllTo>("reply_all_to",
            { { "as many as a new message", ReplyAllTo::likeNew }, { "everyone", ReplyAllTo::everyone } }));
    table.finish();
    const auto together = [&](const char* field, double sum, const char* what) {
        if (sum > 1 + 1e-9 && !problems.touched("per_read"))
            problems.error(field, fmt::format("{} are {:.4g} % in total", what, sum * 100),
                "write shares of at most 100 % in total: at most one of them happens to a message");
    };
    together("per_read.reply", to.reply + to.replyAll + to.forward, "reply, reply_all and forward");
    together("per_read.delete", to.move + to.copy + to.remove, "move, copy and delete");
}

void readAddressing(const document::Node* node, document::Problems& problems, Addressing& to)
{
    document::TableReader table(node, "recipients", problems);
    document::assign(to.recipients, table.number("per_message"));
    document::assign(to.listChance, table.share("list_chance"));
    const document::Node* lists = table.table("lists");
    table.finish();
    if (lists == nullptr) {
        if (to.listChance > 0)
            problems.error("recipients.list_chance", "there are no distribution lists",
                "add [recipients.lists] with count, minimum, average and maximum");
        return;
    }
    document::TableReader members(lists, "recipients.lists", problems);
    document::assign(to.lists, members.number("count"));
    document::assign(to.listLeast, members.number("minimum"));
    document::assign(to.listAverage, members.number("average"));
    document::assign(to.listMost, members.number("maximum"));
    members.finish();
    for (const char* key : { "count", "average" })
        if (lists->find(key) == nullptr)
            members.missing(key, fmt::format("write {} = 10", key));
    if (lists->find("minimum") == nullptr)
        to.listLeast = std::min(to.listLeast, to.listAverage);
    if (lists->find("maximum") == nullptr)
        to.listMost = std::max(to.listMost, to.listAverage);
    if (!problems.touched("recipients.lists")
        && (to.listLeast > to.listAverage || to.listAverage > to.listMost))
        problems.error("recipients.lists.average",
            fmt::format("{} is not between {} and {}", to.listAverage, to.listLeast, to.listMost),
            "write minimum, average and maximum in this order of size");
}

MessageKind readMessage(const document::Node& node, const std::string& path, document::Problems& problems)
{
    const std::vector<std::pair<const char*, ContentKind>> kinds { { "text", ContentKind::text },
        { "rtf", ContentKind::rtf }, { "bitmap", ContentKind::bitmap }, { "document", ContentKind::document },
        { "sheet", ContentKind::sheet } };
    document::TableReader table(&node, path, problems);
    MessageKind kind;
    if (const auto body = table.choice<ContentKind>("body", kinds)) {
        kind.body = *body;
        if (kind.body != ContentKind::text && kind.body != ContentKind::rtf)
            problems.error(table.path("body"), "is not a kind of text", "write \"text\" or \"rtf\"");
    }
    document::assign(kind.bodySize, table.bytes("size"));
    if (const auto attachment = table.choice<ContentKind>("attachment", kinds))
        kind.attachment = *attachment;
    document::assign(kind.attachmentSize, table.bytes("attachment_size"));
    document::assign(kind.embedded, table.flag("embedded"));
    document::assign(kind.weight, table.real("weight"));
    const bool stray = !kind.attachment && (table.has("attachment_size") || table.has("embedded"));
    const bool noSize = kind.attachment && !table.has("attachment_size");
    const bool noBodySize = !table.has("size");
    table.finish();
    if (noBodySize)
        table.missing("size", "write the size of the body, as in size = \"1 KB\"");
    if (noSize)
        table.missing("attachment_size", "write attachment_size = \"10 KB\"");
    if (stray && !problems.touched(path))
        problems.error(path, "belongs to an attachment, and attachment is missing",
            "write attachment = \"text\", \"rtf\", \"bitmap\", \"document\" or \"sheet\"");
    return kind;
}

void readMessages(document::TableReader& top, document::Problems& problems, Profile& to)
{
    const document::Node* messages = top.tables("messages");
    if (messages == nullptr) {
        to.messages.push_back({});
        return;
    }
    double sum = 0;
    const std::size_t most = top.most("messages");
    for (std::size_t i = 0; i < messages->items.size() && i < most; ++i) {
        to.messages.push_back(readMessage(messages->items[i], fmt::format("messages[{}]", i), problems));
        sum += to.messages.back().weight;
    }
    if (messages->items.size() > most)
        problems.error(fmt::format("messages[{}]", most), "is one kind of message too many",
            fmt::format("write at most {}", most));
    if (!(sum > 0) && !problems.touched("messages"))
        problems.error("messages", "no kind of message has a weight", "write weight = 1 for one of them");
}

void readPublished(
    const document::Node* node, const char* name, document::Problems& problems, PublishedFigures& to)
{
    document::TableReader table(node, name, problems);
    to.sent = table.real("sent");
    to.received = table.real("received");
    to.read = table.real("read");
    to.deleted = table.real("deleted");
    to.moved = table.real("moved");
    to.recipients = table.real("recipients");
    document::assign(to.source, table.text("source"));
    table.finish();
}

ScoreWeights readScore(const document::Node* node, document::Problems& problems)
{
    document::TableReader table(node, "score", problems);
    ScoreWeights weights;
    const auto read = [&](const char* key) {
        if (const auto weight = table.real(key); weight && *weight > 0)
            weights.emplace_back(key, *weight);
    };
    for (const NamedAction& action : kFollowing)
        read(action.key);
    for (const NamedAction& action : kTimed)
        read(action.key);
    read(kSubmit);
    table.finish();
    return weights;
}

void readShape(document::TableReader& top, document::Problems& problems, Profile& to)
{
    const document::Node* shape = top.node("day_shape");
    if (shape == nullptr)
        return;
    const bool list =
        shape->kind == document::Node::Kind::array && shape->items.size() >= 2 && shape->items.size() <= 1440;
    double sum = 0;
    for (std::size_t i = 0; list && i < shape->items.size(); ++i) {
        const document::Node& item = shape->items[i];
        const double value = item.kind == document::Node::Kind::integer ? static_cast<double>(item.integer)
            : item.kind == document::Node::Kind::real                   ? item.real
                                                                        : -1;
        if (!(value >= 0 && value <= 1e6))
            sum = -1;
        if (sum < 0)
            break;
        sum += value;
        to.dayShape.push_back(value);
    }
    if (!list || !(sum > 0)) {
        to.dayShape.clear();
        problems.error("day_shape", "is not a list of intensities",
            "write 2 to 1440 numbers for equal parts of the day, as in [1, 3, 2, 1, 2, 3, 2, 1]");
    }
}

} // namespace

std::optional<SeriesKey> scoredSeries(const std::string& key)
{
    for (const std::span<const NamedAction> actions :
        { std::span<const NamedAction>(kTimed), { kFollowing }, { kScripted } })
        for (const NamedAction& action : actions)
            if (key == action.key)
                return SeriesKey(
                    Quantity::actionTime, Subject::ofAction(action.kind), LatencyClock::response);
    if (key == kSubmit)
        return SeriesKey(
            Quantity::commandTime, Subject::ofCommand("SMTP end of data"), LatencyClock::service);
    return std::nullopt;
}

std::vector<const char*> scoredKeys()
{
    std::vector<const char*> keys;
    for (const std::span<const NamedAction> actions :
        { std::span<const NamedAction>(kTimed), { kFollowing }, { kScripted } })
        for (const NamedAction& action : actions)
            keys.push_back(action.key);
    keys.push_back(kSubmit);
    return keys;
}

Result<ScoreWeights> parseWeights(const std::string& text)
{
    const auto document = document::parseDocument(text);
    if (const auto* wrong = std::get_if<document::SyntaxError>(&document))
        return fail(fmt::format(
            "line {}, column {}: {}; {}", wrong->at.line, wrong->at.column, wrong->message, wrong->remedy));
    const document::Node& root = std::get<document::Node>(document);
    document::Problems problems(root, FileKind::profile);
    document::TableReader top(&root, "", problems);
    const ScoreWeights weights = readScore(top.table("score"), problems);
    if (weights.empty() && !problems.touched("score"))
        problems.error("score", "no action has a weight", "add a table [score] with lines such as read = 10");
    for (const Problem& problem : problems.take())
        return fail(
            fmt::format("line {}, {}: {}; {}", problem.line, problem.field, problem.message, problem.remedy));
    return weights;
}

void readInitial(
    const document::Node* node, const char* path, document::Problems& problems, InitialMailbox& to)
{
    document::TableReader table(node, path, problems);
    document::assign(to.inbox, table.number("inbox"));
    document::assign(to.deletedItems, table.number("deleted_items"));
    document::assign(to.folders, table.number("folders"));
    document::assign(to.messagesPerFolder, table.number("messages_per_folder"));
    document::assign(to.appointments, table.number("appointments")); // one answer tells of all of them
    document::assign(to.contacts, table.number("contacts"));
    table.finish();
}

Profile readProfile(const document::Node& root, const std::string& name, document::Problems& problems)
{
    document::TableReader top(&root, "", problems);
    Profile profile;
    const auto format = top.number("format");
    if (format && *format != 1)
        problems.error("format", fmt::format("{} is a newer format than this program reads", *format),
            "write format = 1, or use a newer version of the program");
    const auto kind = top.text("kind");
    if (kind ? *kind != "profile" : root.find("kind") == nullptr)
        problems.error("kind",
            kind ? fmt::format("\"{}\" is not a profile", document::shown(*kind)) : "is missing",
            "write kind = \"profile\"");
    profile.title = top.text("title").value_or(name);
    profile.description = top.text("description").value_or("");
    if (const auto sources = top.texts("sources"))
        profile.sources = *sources;
    document::assign(profile.day, top.duration("day"));
    readShape(top, problems, profile);
    if (const auto arrivals = top.choice<bool>("arrivals", { { "poisson", true }, { "even", false } }))
        profile.poisson = *arrivals;
    if (const auto client = top.choice<bool>("client", { { "online", false }, { "cached", true } }))
        profile.cached = *client;
    document::assign(profile.pause, top.duration("pause"));
    document::assign(profile.saveToSent, top.flag("save_to_sent"));
    readPerDay(top.table("per_day"), problems, profile);
    readReading(top.table("per_read"), problems, profile.reading);
    readAddressing(top.table("recipients"), problems, profile.addressing);
    readInitial(top.table("initial"), "initial", problems, profile.initial);
    readMessages(top, problems, profile);
    profile.weights = readScore(top.table("score"), problems);
    readPublished(top.table("published"), "published", problems, profile.published);
    readPublished(top.table("achieved"), "achieved", problems, profile.achieved);
    top.finish();
    return profile;
}

} // namespace loadstone::plan

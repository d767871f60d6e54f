// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "document/key_tables.h"

namespace loadstone::document {

const std::vector<ActionKey>& timedActionKeys()
{
    static const std::vector<ActionKey> keys {
        { "send", "sending a message" },
        { "check_inbox", "checking the Inbox" },
        { "browse", "browsing a folder" },
        { "empty_deleted_items", "emptying Deleted Items" },
        { "logoff", "logging off" },
        { "update_schedule", "moving an own event to another hour" },
        { "make_appointment", "making an appointment" },
        { "request_meeting", "making an appointment with attendees" },
        { "check_free_busy", "asking for free and busy times" },
        { "browse_calendar", "browsing the calendar" },
        { "create_contact", "making a contact" },
        { "browse_contacts", "browsing the contacts" },
        { "journal", "making a journal entry" },
    };
    return keys;
}

const std::vector<ActionKey>& followingActionKeys()
{
    static const std::vector<ActionKey> keys {
        { "logon", "logging on" },
        { "read", "reading a message" },
        { "load_attachment", "loading an attachment" },
        { "reply", "answering" },
        { "reply_all", "answering all" },
        { "forward", "forwarding" },
        { "move", "moving a message" },
        { "copy", "copying a message" },
        { "delete", "deleting a message" },
    };
    return keys;
}

const std::vector<ActionKey>& scriptedActionKeys()
{
    static const std::vector<ActionKey> keys {
        { "empty_mailbox", "the step \"empty mailbox\"" },
        { "read_mailbox", "the step \"read mailbox\"" },
        { "list_mailbox", "the step \"list mailbox\"" },
        { "submit", "the server's acceptance of a message alone" },
    };
    return keys;
}

KeyRows initialMailboxKeys()
{
    return {
        countKey("inbox", 0, 1'000'000, "0", "Messages in the Inbox."),
        countKey("deleted_items", 0, 1'000'000, "0", "Messages in Deleted Items."),
        countKey("folders", 1, 10'000, "1", "Further folders."),
        countKey("messages_per_folder", 0, 1'000'000, "0", "Messages in each of them."),
        // One answer of the server names all of them.
        countKey("appointments", 0, 50'000, "0", "Events in the calendar."),
        countKey("contacts", 0, 50'000, "0", "Contacts in the address book."),
    };
}

namespace {

KeyRows profileTopKeys()
{
    return {
        { .path = "format",
            .type = KeyType::integer,
            .least = 1,
            .most = 1'000'000,
            .help = "The version of the format: 1." },
        { .path = "kind",
            .type = KeyType::choice,
            .required = true,
            .choices = { "profile" },
            .help = "Always \"profile\"." },
        { .path = "title", .type = KeyType::text, .help = "One line; without it the file's name." },
        { .path = "description", .type = KeyType::text, .help = "Shown where profiles are chosen." },
        { .path = "sources",
            .type = KeyType::texts,
            .help = "Where the values come from; printed in reports." },
        { .path = "day",
            .type = KeyType::duration,
            .least = kMinute,
            .most = kDay,
            .fallback = "8 h",
            .help = "The time to which the frequencies refer." },
        { .path = "arrivals",
            .type = KeyType::choice,
            .fallback = "poisson",
            .choices = { "poisson", "even" },
            .help = "Intervals at random (exponential), or equal ones from a random offset." },
        { .path = "day_shape",
            .type = KeyType::numbers,
            .least = 2,
            .most = 1440,
            .help = "Relative intensity over equal parts of the day: [1, 3, 2, 1, 2, 3, 2, 1]; without it "
                    "the same "
                    "throughout." },
        { .path = "client",
            .type = KeyType::choice,
            .fallback = "online",
            .choices = { "online", "cached" },
            .help = "A cached client fetches new mail whole when it is found." },
        { .path = "pause",
            .type = KeyType::duration,
            .least = 0,
            .most = kHour,
            .fallback = "5 s",
            .help = "Mean pause between the actions that follow from reading." },
        { .path = "save_to_sent",
            .type = KeyType::flag,
            .fallback = "true",
            .help = "A copy of what was sent is put into Sent Items." },
        { .path = "per_day",
            .type = KeyType::table,
            .required = true,
            .help = "Actions that come by the clock, times per user-day." },
        { .path = "per_read", .type = KeyType::table, .help = "What follows from reading a message." },
        { .path = "recipients", .type = KeyType::table, .help = "To whom new and forwarded messages go." },
        { .path = "initial", .type = KeyType::table, .help = "What a mailbox holds before the run." },
        { .path = "messages", .type = KeyType::tables, .most = 100, .help = "Kinds of messages." },
        { .path = "score", .type = KeyType::table, .help = "Weights of the score, by action." },
        { .path = "published",
            .type = KeyType::table,
            .help = "Figures that a source prints for the profile, shown beside a rehearsal's.",
            .rare = true },
        { .path = "achieved",
            .type = KeyType::table,
            .help = "Figures that a source prints as achieved in a run, shown beside a rehearsal's.",
            .rare = true },
    };
}

KeyRows perReadKeys()
{
    return {
        shareKey("reply", "0 %",
            "Messages that are answered; of reply, reply_all and forward at most one happens to a "
            "message."),
        shareKey("reply_all", "0 %", "Messages that are answered to all."),
        shareKey("forward", "0 %", "Messages that are forwarded."),
        shareKey("load_attachment", "0 %", "Of messages that have an attachment, how many have it loaded."),
        shareKey("move", "0 %",
            "Messages that are moved; of move, copy and delete at most one happens to a message."),
        shareKey("copy", "0 %", "Messages that are copied."),
        shareKey("delete", "0 %", "Messages that are deleted."),
        shareKey("attentive", "100 %",
            "Share of the first reads in the Inbox that may lead to an answer or a loaded attachment."),
        { .path = "disposal_of",
            .type = KeyType::choice,
            .fallback = "all reads",
            .choices = { "all reads", "first reads in the Inbox" },
            .help = "To which reads move, copy and delete apply." },
        { .path = "reply_all_to",
            .type = KeyType::choice,
            .fallback = "as many as a new message",
            .choices = { "as many as a new message", "everyone" },
            .help = "The recipients of a reply to all; \"everyone\" works only in rehearsals." },
    };
}

KeyRows messageKindKeys()
{
    const KeyCondition attached { ".attachment", {} };
    return {
        { .path = "body",
            .type = KeyType::choice,
            .fallback = "text",
            .choices = { "text", "rtf" },
            .help = "The kind of text." },
        { .path = "size",
            .type = KeyType::bytes,
            .least = 128,
            .most = 16 * kMegabyte,
            .required = true,
            .help = "Of the body, before any transfer encoding." },
        { .path = "attachment",
            .type = KeyType::choice,
            .choices = { "text", "rtf", "bitmap", "document", "sheet" },
            .help = "The kind of attachment; without it there is none." },
        { .path = "attachment_size",
            .type = KeyType::bytes,
            .least = 64,
            .most = 32 * kMegabyte,
            .required = true,
            .when = { attached },
            .help = "Of the attachment, before any transfer encoding." },
        { .path = "embedded",
            .type = KeyType::flag,
            .fallback = "false",
            .when = { attached },
            .help = "It is shown within the text instead of beside it." },
        { .path = "weight",
            .type = KeyType::number,
            .least = 0,
            .most = 1e6,
            .fallback = "1",
            .help = "Relative to the other kinds." },
    };
}

/// One number for each action.
KeyRows numbersOf(const std::vector<ActionKey>& actions, double most, const char* what)
{
    KeyRows rows;
    for (const ActionKey& action : actions)
        rows.push_back({ .path = action.key,
            .type = KeyType::number,
            .least = 0,
            .most = most,
            .fallback = "0",
            .help = kept(std::string(what) + ": " + action.words + ".") });
    return rows;
}

KeyRows printedKeys()
{
    const auto figure = [](std::string_view path, std::string_view help) {
        return KeyRow {
            .path = path, .type = KeyType::number, .least = 0, .most = 1e6, .help = help, .rare = true
        };
    };
    return {
        figure("sent", "Messages sent per user-day."),
        figure("received", "Messages received per user-day."),
        figure("read", "Messages read per user-day."),
        figure("deleted", "Messages deleted per user-day."),
        figure("moved", "Messages moved per user-day."),
        figure("recipients", "Recipients of a message."),
        { .path = "source", .type = KeyType::text, .help = "Where they are printed.", .rare = true },
    };
}

} // namespace

std::span<const KeyRow> profileKeys()
{
    static const KeyRows rows = [] {
        KeyRows all = profileTopKeys();
        addBelow(all, "per_day", numbersOf(timedActionKeys(), 100'000, "Times per user-day"));
        addBelow(all, "per_read", perReadKeys());
        addBelow(all, "recipients",
            {
                { .path = "per_message",
                    .type = KeyType::integer,
                    .least = 1,
                    .most = 1000,
                    .fallback = "1",
                    .help = "Distinct users to whom a message goes." },
                shareKey("list_chance", "0 %", "Chance that a distribution list is added."),
                { .path = "lists",
                    .type = KeyType::table,
                    .help = "Distribution lists; the client expands them, and each member is a recipient." },
            });
        const auto members = [](std::string_view path, double most, bool required, std::string_view help) {
            return KeyRow { .path = path,
                .type = KeyType::integer,
                .least = 1,
                .most = most,
                .required = required,
                .help = help };
        };
        addBelow(all, "recipients.lists",
            {
                members("count", 1'000'000, true, "How many lists there are."),
                members("minimum", 100'000, false,
                    "Fewest members of a list; without it the average, if that is less."),
                members("average", 100'000, true, "Members of a list on average."),
                members("maximum", 100'000, false, "Most members of a list; without it the average."),
            });
        addBelow(all, "initial", initialMailboxKeys());
        addBelow(all, "messages[]", messageKindKeys());
        for (const std::vector<ActionKey>* actions : { &followingActionKeys(), &timedActionKeys() })
            addBelow(all, "score", numbersOf(*actions, 1e6, "Weight"));
        addBelow(all, "score",
            { { .path = "submit",
                .type = KeyType::number,
                .least = 0,
                .most = 1e6,
                .fallback = "0",
                .help = "Weight: the server's acceptance of a message alone." } });
        addBelow(all, "published", printedKeys());
        addBelow(all, "achieved", printedKeys());
        completeConditions(all);
        return all;
    }();
    return rows;
}

} // namespace loadstone::document

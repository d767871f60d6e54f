// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/model/action_kind.h"

#include <loadstone/key.h>
#include <loadstone/result.h>
#include <loadstone/time.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace loadstone::plan {

/// What a part of a message consists of.
enum class ContentKind : std::uint8_t { text, rtf, bitmap, document, sheet };

/// One kind of message of a profile's mix.
struct MessageKind {
    ContentKind body = ContentKind::text;
    std::uint64_t bodySize = 1024; ///< bytes, before any transfer encoding
    std::optional<ContentKind> attachment;
    std::uint64_t attachmentSize = 0;
    bool embedded = false; ///< shown within the text instead of beside it
    double weight = 1; ///< relative to the others
    bool operator==(const MessageKind&) const = default;
};

/// Which reads of messages a share applies to. Published tables say "of all reads" and leave it open.
enum class ReadsMeant : std::uint8_t {
    firstInInbox, ///< the first time a message is opened, in the Inbox
    all, ///< these, and those from browsing folders
};

/// To whom a user answers who answers all.
enum class ReplyAllTo : std::uint8_t {
    likeNew, ///< to as many as a new message goes to, drawn again
    everyone, ///< to the sender and all others whom the message went to
};

/// What follows from reading a message. Shares from 0 to 1.
struct Reading {
    double reply = 0, replyAll = 0, forward = 0; ///< at most one of them
    double loadAttachment = 0; ///< of messages that have one
    double move = 0, copy = 0, remove = 0; ///< at most one of them, after an answer
    /// Of the first reads in the Inbox, how many may lead to an answer or a loaded attachment at all.
    double attentive = 1;
    ReadsMeant disposalOf = ReadsMeant::all; ///< to which reads move, copy and remove apply
    ReplyAllTo replyAllTo = ReplyAllTo::likeNew;
    bool operator==(const Reading&) const = default;
};

/// Whom new and forwarded messages go to.
struct Addressing {
    unsigned recipients = 1; ///< distinct users
    double listChance = 0; ///< that one distribution list is added
    unsigned lists = 0;
    unsigned listLeast = 1, listAverage = 1, listMost = 1; ///< members of a list
    bool operator==(const Addressing&) const = default;
};

/// What a mailbox holds before a run.
struct InitialMailbox {
    unsigned inbox = 0, deletedItems = 0, folders = 1, messagesPerFolder = 0;
    unsigned appointments = 0, contacts = 0;
    [[nodiscard]] std::uint64_t messages() const
    {
        return std::uint64_t { inbox } + deletedItems + std::uint64_t { folders } * messagesPerFolder;
    }
    bool operator==(const InitialMailbox&) const = default;
};

/// What the score weighs: keys as profiles write them ("read", "reply_all", "submit"), and their weights.
using ScoreWeights = std::vector<std::pair<std::string, double>>;
/// The latencies that a key of the weights means: response times of an action, service times of a command. None: no such key.
std::optional<SeriesKey> scoredSeries(const std::string& key);
std::vector<const char*> scoredKeys();
/// Reads the [score] table of a profile, or of a file that has nothing else.
Result<ScoreWeights> parseWeights(const std::string& text);

/// Figures that a source prints for a profile, per user-day; for comparison only, nothing is computed from them.
struct PublishedFigures {
    std::optional<double> sent, received, read, deleted, moved, recipients;
    std::string source;
    bool operator==(const PublishedFigures&) const = default;
};

/// How simulated users of one kind spend their day. Read from a data file of its own.
struct Profile {
    std::string title, description;
    std::vector<std::string> sources;
    Nanoseconds day = std::chrono::hours(8);
    std::array<double, kActionKinds> perDay {}; ///< times per user-day, of the actions that come by the clock
    std::vector<double>
        dayShape; ///< relative intensity over equal parts of the day; empty: the same throughout
    bool poisson = true; ///< exponential intervals; otherwise even ones
    bool cached = false; ///< a client that keeps copies: new mail is fetched whole when it is found
    Nanoseconds pause = std::chrono::seconds(5); ///< mean, exponential: between what follows from reading
    Reading reading;
    Addressing addressing;
    InitialMailbox initial;
    std::vector<MessageKind> messages;
    bool saveToSent = true;
    ScoreWeights weights;
    PublishedFigures published, achieved;

    [[nodiscard]] double perDayOf(ActionKind kind) const { return perDay[indexOf(kind)]; }
    bool operator==(const Profile&) const = default;
};

} // namespace loadstone::plan

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "history/archive.h"

#include "base/posix_file.h"
#include "history/migrations.h"
#include "history/recording_reader.h"
#include "history/rows.h"
#include "history/text.h"

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

namespace loadstone::history {

namespace {

Result<void> quickCheck(Database& database, const std::string& file)
{
    auto rows = database.prepare("PRAGMA quick_check(1)");
    if (!rows)
        return rows.error();
    const auto found = rows->next();
    if (!found)
        return found.error();
    if (const std::string verdict = *found ? rows->text(0) : std::string(); verdict != "ok")
        return fail(file + ": damaged: " + verdict);
    return {};
}

Result<void> syncFile(const std::filesystem::path& file, int flags)
{
    const FileDescriptor fd(::open(file.c_str(), flags | O_CLOEXEC));
    if (!fd || ::fsync(fd.get()) != 0)
        return systemError(file.string());
    return {};
}

Result<void> vacuumInto(const std::filesystem::path& from, const std::filesystem::path& to)
{
    auto database = Database::open(from, Database::Access::read);
    if (!database)
        return database.error();
    if (auto known = checkKind(*database, from.string(), recordingKind()); !known)
        return known.error();
    // The source stays read-only; only the copy is written.
    if (auto done = database->execute("PRAGMA query_only=OFF"); !done)
        return done;
    auto copy = database->prepare("VACUUM INTO ?1");
    if (!copy)
        return copy.error();
    const std::string name = std::filesystem::absolute(to).string(); // no URI
    return copy->bindText(1, name).run();
}

Result<void> checkHistogram(const TickReader& reader, std::uint32_t id)
{
    const std::uint64_t ticks = reader.times().size();
    for (std::uint64_t first = 0; first < ticks; first += kHistogramTicks) {
        const TickRange part { first, std::min(first + kHistogramTicks, ticks) };
        Histogram singles;
        Histogram sum;
        const auto add = [&](std::uint64_t, std::string_view bytes) { return singles.mergeEncoded(bytes); };
        if (auto done = reader.each(id, part, add); !done)
            return done;
        if (auto done = reader.merge(id, part, sum); !done)
            return done;
        if (!(singles == sum))
            return fail("latencies " + std::to_string(id) + " from tick " + std::to_string(first)
                + ": their stored sum is not the sum of the ticks");
    }
    return {};
}

Result<void> checkSource(const ReadSource& source)
{
    const TickRange all { 0, source.ticks.times().size() };
    for (const CounterInfo& counter : source.info.counters) {
        if (auto samples = source.ticks.samples(counter.id, all); !samples)
            return samples.error();
        if (auto bricks = source.ticks.bricks(counter.id, all); !bricks)
            return bricks.error();
    }
    for (const HistogramInfo& histogram : source.info.histograms)
        if (auto done = checkHistogram(source.ticks, histogram.id); !done)
            return done;
    return {};
}

} // namespace

Result<void> addAnnotation(const std::filesystem::path& file, const Annotation& annotation)
{
    auto database = Database::open(file, Database::Access::write);
    if (!database)
        return database.error();
    if (auto known = checkKind(*database, file.string(), recordingKind()); !known)
        return known.error();
    auto add = database->prepare("INSERT INTO annotation (made, kind, text, at) VALUES (?1, ?2, ?3, ?4)");
    if (!add)
        return add.error();
    const std::string text = validUtf8(annotation.text);
    add->bind(1, std::max<std::int64_t>(0, annotation.made.time_since_epoch().count()))
        .bindText(2, toString(annotation.kind));
    return add->bindText(3, text).bind(4, std::max<std::int64_t>(0, annotation.at.count())).run();
}

Result<void> addLab(const std::filesystem::path& file, const RunLab& lab)
{
    auto database = Database::open(file, Database::Access::write);
    if (!database)
        return database.error();
    if (auto known = checkKind(*database, file.string(), recordingKind()); !known)
        return known.error();
    auto transaction = Transaction::begin(*database, true);
    if (!transaction)
        return transaction.error();
    {
        auto count = database->prepare(
            "SELECT count(*), coalesce(max(id), 0), coalesce(sum(length(text)), 0) FROM lab");
        if (!count)
            return count.error();
        if (auto found = count->next(); !found)
            return found.error();
        const std::int64_t labs = count->integer(0), last = count->integer(1), bytes = count->integer(2);
        if (labs >= static_cast<std::int64_t>(kMostLabs)
            || bytes + static_cast<std::int64_t>(lab.text.size()) > static_cast<std::int64_t>(kMostLabText))
            return fail(file.string() + ": has as many labs as a run may have: " + std::to_string(kMostLabs)
                + ", with 64 MB in total");
        // 0 is the lab that the run began with, whether it has one or not.
        auto add = database->prepare("INSERT INTO lab VALUES (?1, ?2, ?3, ?4)");
        if (!add)
            return add.error();
        add->bind(1, last + 1).bindCopy(2, validUtf8(lab.name)).bindCopy(3, validUtf8(lab.variant));
        if (auto done = add->bindCopy(4, validUtf8(lab.text)).run(); !done)
            return done;
    }
    return transaction->commit();
}

Remarks remarksOf(const std::vector<Annotation>& annotations)
{
    Remarks remarks;
    for (const Annotation& annotation : annotations) {
        if (annotation.kind == AnnotationKind::title)
            remarks.title = annotation.text;
        if (annotation.kind == AnnotationKind::note)
            remarks.note = annotation.text;
        if (annotation.kind != AnnotationKind::tag)
            continue;
        remarks.tags.clear();
        std::string_view rest = annotation.text;
        while (!rest.empty()) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            if (end > 0)
                remarks.tags.emplace_back(rest.substr(0, end));
            rest.remove_prefix(std::min(end + 1, rest.size()));
        }
    }
    return remarks;
}

Annotation tagAnnotation(const std::vector<std::string>& tags)
{
    Annotation annotation { wallNow(), AnnotationKind::tag, {}, {} };
    for (std::string tag : tags) {
        std::replace(tag.begin(), tag.end(), '\n', ' ');
        if (tag.find_first_not_of(' ') == std::string::npos)
            continue;
        annotation.text += (annotation.text.empty() ? "" : "\n") + tag;
    }
    return annotation;
}

Result<void> copyRecording(const std::filesystem::path& from, const std::filesystem::path& to, bool replace)
{
    std::error_code none;
    if (std::filesystem::equivalent(
            from, to, none)) // the writer of a live run would go on with a file that has no name
        return fail(to.string() + ": this is the recording itself; choose another file");
    // With user names and transcripts in it: for its owner alone, as the recording is.
    auto part = TemporaryFile::beside(to, 0600);
    if (!part)
        return part.error();
    if (auto done = vacuumInto(from, part->path()); !done)
        return done;
    if (auto done = part->become(replace); !done)
        return done;
    const auto folder = to.has_parent_path() ? to.parent_path() : std::filesystem::path(".");
    return syncFile(folder, O_RDONLY | O_DIRECTORY);
}

Result<void> checkRecording(const std::filesystem::path& file)
{
    {
        auto database = Database::open(file, Database::Access::read);
        if (!database)
            return database.error();
        // The schema first: the check of the pages runs what the schema says.
        if (auto known = checkKind(*database, file.string(), recordingKind()); !known)
            return known.error();
        if (auto sound = quickCheck(*database, file.string()); !sound)
            return sound;
    }
    auto recording = history::RecordingReader::open(file);
    if (!recording)
        return recording.error();
    const history::RecordingReader& impl = **recording;
    const TickRange all { 0, impl.ticks().times().size() };
    for (const CounterInfo& counter : impl.header().counters) {
        if (auto samples = impl.ticks().samples(counter.id, all); !samples)
            return samples.error();
        if (auto bricks = impl.ticks().bricks(counter.id, all); !bricks)
            return bricks.error();
    }
    for (const HistogramInfo& histogram : impl.header().histograms)
        if (auto done = checkHistogram(impl.ticks(), histogram.id); !done)
            return done.error().within(file.string());
    const auto sources = impl.sources();
    if (!sources)
        return sources.error();
    for (const auto& source : **sources)
        if (auto done = checkSource(*source); !done)
            return done.error().within(file.string());
    for (const std::string& target : impl.header().targets) {
        auto alone = history::RecordingReader::open(file, target);
        if (!alone)
            return alone.error();
        for (const HistogramInfo& histogram : (*alone)->header().histograms)
            if (auto done = checkHistogram((*alone)->ticks(), histogram.id); !done)
                return done.error().within(file.string());
    }
    const auto errorOf = [](const auto& result) {
        return result ? Result<void>() : Result<void>(result.error());
    };
    for (const auto& part : { errorOf(impl.end()), errorOf(impl.events()), errorOf(impl.transcripts()),
             errorOf(impl.annotations()), errorOf(impl.labs()), errorOf(impl.errors(all)) })
        if (!part)
            return part;
    return {};
}

} // namespace loadstone::history

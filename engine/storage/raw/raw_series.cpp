// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "storage/raw/raw_series.h"

namespace loadstone::storage {

namespace {

IoClass writesOf(const plan::RawTest& test)
{
    return test.pattern == plan::RawPattern::append ? IoClass::logWrite : IoClass::databaseWrite;
}

} // namespace

RawSeries::RawSeries(const plan::RawTest& test, const std::string& volume, unsigned workers)
    : m_writes(writesOf(test))
    , m_sorts { addSort(Subject::ofVolume(volume, IoClass::databaseRead)),
        addSort(Subject::ofVolume(volume, m_writes)), addSort(Subject::ofVolume(volume, IoClass::flush)) }
    , m_schedule(addSchedule(Subject::ofVolume(volume)))
    , m_asked { addAsked(Subject::ofVolume(volume, IoClass::databaseRead)),
        addAsked(Subject::ofVolume(volume, m_writes)) }
    , m_whole(addWhole(Subject::ofVolume(volume)))
    , m_slip(m_list.addHistogram({ Quantity::timerSlip, {}, LatencyClock::slip }, LatencyScope::generator))
{
    for (unsigned i = 0; i < workers; ++i)
        m_workers.push_back(m_list.addCounter({ Quantity::workerProcessorTime, Subject::ofWorker(i) }));
}

// Members of a list in braces are made one after the other, as they stand there.

RawSeries::OfSort RawSeries::addSort(const Subject& subject)
{
    const auto latency = [&](LatencyClock clock, LatencyScope scope) {
        return m_list.addHistogram({ Quantity::transferTime, subject, clock }, scope);
    };
    return {
        .transfers = m_list.addCount({ Quantity::transfers, subject }),
        .bytes = m_list.addCount({ Quantity::transferBytes, subject }),
        .failed = m_list.addCount({ Quantity::failedTransfers, subject }),
        .response = latency(LatencyClock::response, LatencyScope::action),
        .service = latency(LatencyClock::service, LatencyScope::action),
        .queued = latency(LatencyClock::slip, LatencyScope::generator),
        .age = latency(LatencyClock::age, LatencyScope::action),
        .deviceAge = latency(LatencyClock::serviceAge, LatencyScope::command),
    };
}

RawSeries::Schedule RawSeries::addSchedule(const Subject& volume)
{
    return {
        .scheduled = m_list.addCount({ Quantity::transfersScheduled, volume }),
        .issued = m_list.addCount({ Quantity::transfersIssued, volume }),
        .fillWrites = m_list.addCount({ Quantity::fillWrites, volume }),
        .fillBytes = m_list.addCount({ Quantity::fillBytes, volume }),
    };
}

RawSeries::Asked RawSeries::addAsked(const Subject& subject)
{
    return {
        .due = m_list.addCounter({ Quantity::transfersDue, subject }),
        .begun = m_list.addCount({ Quantity::transfersBegun, subject }),
        .failed = m_list.addCount({ Quantity::transfersGivenUp, subject }),
    };
}

RawSeries::Whole RawSeries::addWhole(const Subject& volume)
{
    return {
        .transfers = m_list.addCounter({ Quantity::transfers, volume }),
        .failed = m_list.addCounter({ Quantity::failedTransfers, volume }),
        .reads = m_list.addCounter({ Quantity::reads, volume }),
        .writes = m_list.addCounter({ Quantity::writes, volume }),
        .readBytes = m_list.addCounter({ Quantity::readBytes, volume }),
        .writeBytes = m_list.addCounter({ Quantity::writeBytes, volume }),
        .secondsPerRead = m_list.addCounter({ Quantity::secondsPerRead, volume }),
        .secondsPerWrite = m_list.addCounter({ Quantity::secondsPerWrite, volume }),
        .underWay = m_list.addCounter({ Quantity::transfersUnderWay, volume }),
        .busiest = m_list.addCounter(Quantity::busiestWorker),
    };
}

} // namespace loadstone::storage

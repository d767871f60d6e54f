// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "counters/live/timely_source.h"
#include "support/catch.h"

#include <atomic>
#include <future>

using namespace loadstone;
using namespace loadstone::counters;
using namespace std::chrono_literals;

namespace {

/// What a test and its source say to each other.
struct Talk {
    std::atomic<bool> hangsNext = false;
    std::promise<void> hangs, goesOn, gone;
};

/// Each answer has one counter more, and the answer's number as its values. A reading hangs as when the kernel holds it up, whatever `stop`
/// says, until the test lets it go on. The real thing needs root and a file server that is gone.
class HangingSource final : public LiveSource {
public:
    explicit HangingSource(std::shared_ptr<Talk> talk)
        : m_talk(std::move(talk))
    {
    }
    ~HangingSource() override { m_talk->gone.set_value(); }
    [[nodiscard]] const std::vector<CounterInfo>& counters() const override { return m_counters; }
    Result<LiveReading> read(std::stop_token /*stop*/) override
    {
        if (m_talk->hangsNext.exchange(false)) {
            m_talk->hangs.set_value();
            m_talk->goesOn.get_future().wait();
        }
        m_counters.push_back(
            counterOf(ForeignCounter { "ex1", "Queue", std::to_string(m_counters.size()), "Messages" }));
        const auto number = static_cast<double>(m_counters.size());
        return LiveReading { monoNow(), monoNow(), std::vector<double>(m_counters.size(), number), {} };
    }

private:
    std::shared_ptr<Talk> m_talk;
    std::vector<CounterInfo> m_counters;
};

struct Hanging {
    std::shared_ptr<Talk> talk = std::make_shared<Talk>();
    std::unique_ptr<LiveSource> source;
    explicit Hanging(Nanoseconds timeLimit)
        : source(makeTimely(std::make_unique<HangingSource>(talk), timeLimit, 1ms))
    {
    }
};

/// The number of the next answer; on a busy machine some come too late.
double nextAnswer(LiveSource& source)
{
    for (;;)
        if (const auto reading = source.read({})) {
            REQUIRE(reading->values.size() == source.counters().size());
            return reading->values.at(0);
        }
}

} // namespace

TEST_CASE("a reading that does not end is an error within its time, and what it gives later is dropped")
{
    Hanging hanging(20ms);
    const double before = nextAnswer(*hanging.source);
    hanging.talk->hangsNext = true;
    CHECK_THAT(hanging.source->read({}).error().message,
        ContainsSubstring("no end within 20 ms; a file or program that it needs does not answer"));
    CHECK(hanging.source->read({}).error().message == "the last reading has still not ended");
    hanging.talk->goesOn.set_value(); // the server is back
    CHECK(nextAnswer(*hanging.source) >= before + 2);
}

TEST_CASE("who stops or ends a source does not wait for a reading that does not end")
{
    Hanging hanging(1h);
    hanging.talk->hangsNext = true;
    std::stop_source stop;
    auto reading = std::async(std::launch::async, [&] { return hanging.source->read(stop.get_token()); });
    hanging.talk->hangs.get_future().wait();
    stop.request_stop();
    CHECK_FALSE(reading.get());
    hanging.source.reset();
    auto gone = hanging.talk->gone.get_future();
    CHECK(gone.wait_for(0s) == std::future_status::timeout); // its thread still has it
    hanging.talk->goesOn.set_value();
    gone.wait();
}

TEST_CASE("a source that has nothing to read ends at once")
{
    Hanging hanging(1h);
    CHECK(nextAnswer(*hanging.source) == 1);
    hanging.source.reset();
    CHECK(hanging.talk->gone.get_future().wait_for(0s) == std::future_status::ready);
}

// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "support/catch.h"
#include "support/demo_recording.h"
#include "support/program.h"
#include "window/main_window.h"
#include "window/workbench_pages.h"

#include <loadstone/score.h>

#include <QAbstractButton>
#include <QApplication>
#include <QFileDialog>
#include <QInputDialog>
#include <QMessageBox>
#include <QTest>
#include <QTimer>

#include <atomic>
#include <fstream>
#include <functional>
#include <semaphore>

namespace loadstone::ui {

using Seconds = std::chrono::seconds;

constexpr int kWait = 10000; // ms; reached only when something is broken

inline bool waitUntil(const std::function<bool()>& condition)
{
    return QTest::qWaitFor(condition, kWait);
}

/// Two mixes of 24 s each, with all their phases: 87 s in all.
inline test::DemoRecording smallDemo()
{
    test::DemoRecording demo;
    demo.mixes = 2;
    demo.measurementSeconds = 24;
    return demo;
}

/// A users' plan as recordings keep it, with its profile; `limit` is that of every action's response time.
inline std::string usersPlan(const std::string& limit)
{
    std::ifstream file(findWeights("medium-5.5"));
    const std::string profile { std::istreambuf_iterator<char>(file), {} };
    return "format = 1\nkind = \"mail\"\ntitle = \"Users\"\nseed = 5\n\n[target]\npassword = \"secret\"\n"
           "[target.embedded]\n\n[workload]\npacing = \"users\"\nprofile = \"medium-5.5\"\nday = \"1 h\"\n\n"
           "[criteria]\nresponse_time = \""
        + limit
        + "\"\nactions = { send = \"60 s\" }\n\n[[mixes]]\nname = \"40 users\"\nusers = 40\nmeasurement = "
          "\"24 s\"\n\n[profile]\ntext = '''\n"
        + profile + "'''\n";
}

/// A run of users, whose profile brings weights for a score.
inline test::DemoRecording usersDemo(const std::string& limit = "60 s")
{
    test::DemoRecording demo = smallDemo();
    demo.plan = usersPlan(limit);
    return demo;
}

/// A run that writes a made-up recording, a tick at each look at its status, until it is stopped or over.
class FakeRun : public Run {
public:
    explicit FakeRun(test::DemoWriter writer, RunState end = RunState::finished)
        : m_writer(std::move(writer))
        , m_end(end)
    {
        m_status.id = m_writer.id();
        m_status.state = RunState::running;
    }
    [[nodiscard]] RunId id() const override { return m_writer.id(); }
    [[nodiscard]] std::filesystem::path file() const override { return m_writer.file(); }
    [[nodiscard]] RunStatus status() const override
    {
        auto* self = const_cast<FakeRun*>(this);
        self->m_status.elapsed = elapsed;
        const auto more = self->m_writer.tick();
        const bool over = m_stopped || !more || !*more || m_end == RunState::failed;
        if (self->m_status.state == RunState::running && over) {
            (void)self->m_writer.finish();
            self->m_status.state = m_stopped ? RunState::stopped : m_end;
            self->m_status.message = m_end == RunState::failed ? "the run failed: no disk" : "over";
        }
        return m_status;
    }
    void stop() override { m_stopped = true; }
    Result<RunResults> wait() override
    {
        if (mayEnd != nullptr)
            mayEnd->acquire();
        return RunResults {};
    }
    bool waitFor(Nanoseconds) override { return true; }

    Nanoseconds elapsed {}; ///< what status() says
    std::binary_semaphore* mayEnd = nullptr; ///< wait() waits for it, as for a slow disk

private:
    test::DemoWriter m_writer;
    RunStatus m_status;
    RunState m_end;
    std::atomic<bool> m_stopped { false };
};

inline RunStarter fakeStarter(const std::filesystem::path& history, RunState end = RunState::finished,
    std::binary_semaphore* mayEnd = nullptr)
{
    return [=](const RunOptions&) -> Result<std::unique_ptr<Run>> {
        auto writer = test::DemoWriter::create(history / "runs", smallDemo());
        if (!writer)
            return writer.error();
        auto run = std::make_unique<FakeRun>(std::move(*writer), end);
        run->mayEnd = mayEnd;
        return std::unique_ptr<Run>(std::move(run));
    };
}

struct Workbench {
    test::ScratchFolder folder;
    std::filesystem::path history { folder.path() };
    WorkbenchOptions options;

    Workbench()
    {
        options.history = history;
        std::filesystem::create_directories(history / "runs");
    }
    RunId addRun() const
    {
        const auto id = smallDemo().write(history / "runs");
        REQUIRE(id);
        return *id;
    }
};

/// Answers the boxes and input lines that come up: presses the button of this text, or closes them. Chooses no file.
class Answers : public QObject {
public:
    explicit Answers(QString button = {})
        : m_button(std::move(button))
    {
        qApp->installEventFilter(this);
    }
    QStringList asked; ///< what the boxes said
    QString typed; ///< into an input line, which is then accepted
    std::function<void()> meanwhile; ///< called while the first box is on the screen

    bool eventFilter(QObject* watched, QEvent* event) override
    {
        if (event->type() != QEvent::Show)
            return false;
        if (auto* box = qobject_cast<QMessageBox*>(watched)) {
            asked.append(box->text());
            QTimer::singleShot(0, box, [this, box] { answer(*box); });
        } else if (auto* input = qobject_cast<QInputDialog*>(watched)) {
            asked.append(input->textValue());
            QTimer::singleShot(0, input, [this, input] {
                input->setTextValue(typed);
                input->accept();
            });
        } else if (auto* files = qobject_cast<QFileDialog*>(watched)) {
            asked.append(files->windowTitle());
            QTimer::singleShot(0, files, &QDialog::reject);
        }
        return false;
    }

private:
    void answer(QMessageBox& box)
    {
        if (meanwhile)
            std::exchange(meanwhile, nullptr)();
        for (QAbstractButton* button : box.buttons())
            if (QString(button->text()).remove(QLatin1Char('&')) == m_button)
                return button->click();
        box.close();
    }

    QString m_button;
};

} // namespace loadstone::ui

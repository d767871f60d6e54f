// SPDX-FileCopyrightText: 2026 The Loadstone authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/model/counter_source.h"

namespace loadstone::plan {

namespace {

void addLine(std::string& text, const std::string& line)
{
    text += (text.empty() ? "" : "\n") + line;
}

/// A plan that comes from elsewhere could name any variable or file of this machine, and any server to send it to.
void addSecret(
    std::string& text, const std::optional<PasswordSource>& secret, const OpenMetricsSource& exporter)
{
    const std::string whereTo =
        exporter.url + (exporter.verifyCertificate ? "" : ", whose certificate is not verified");
    if (!secret)
        return;
    if (secret->kind == PasswordSource::Kind::environment)
        addLine(text, "send the environment variable " + secret->text + " to " + whereTo);
    if (secret->kind == PasswordSource::Kind::file)
        addLine(text, "send the first line of the file " + secret->text + " to " + whereTo);
}

struct Agreement {
    std::string operator()(const LocalHostSource& local) const
    {
        return local.reads.postfixQueue.empty() ? "" : "read the folder " + local.reads.postfixQueue;
    }
    std::string operator()(const SshSource& ssh) const
    {
        std::string text = "connect with ssh to " + ssh.destination;
        if (!ssh.reads.postfixQueue.empty())
            addLine(text, "read the folder " + ssh.reads.postfixQueue + " of " + ssh.destination);
        return text;
    }
    std::string operator()(const OpenMetricsSource& exporter) const
    {
        std::string text;
        if (!exporter.caFile.empty())
            addLine(text, "read the file " + exporter.caFile);
        addSecret(text, exporter.password, exporter);
        addSecret(text, exporter.token, exporter);
        return text;
    }
    std::string operator()(const CommandSource& command) const { return "run " + command.command; }
};

} // namespace

std::string agreementText(const CounterSourceSpec& source)
{
    return std::visit(Agreement {}, source.from);
}

const char* toString(ComputerRole role)
{
    switch (role) {
    case ComputerRole::none:
        break;
    case ComputerRole::sut:
        return "sut";
    case ComputerRole::generator:
        return "generator";
    case ComputerRole::directory:
        return "directory";
    }
    return "";
}

} // namespace loadstone::plan

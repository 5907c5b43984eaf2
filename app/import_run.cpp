// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/import_run.h"

#include "app/interrupt_watch.h"
#include "app/operation_text.h"
#include "app/words.h"

#include <QDir>
#include <QFile>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include <unistd.h>

namespace lanes::app {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// Between two looks at the instance, which publishes its state four times a second.
constexpr auto kLook = 100ms;
constexpr auto kProgressInterval = 1s;

/// The instance has a working directory of its own.
std::string absolute(const std::string& path) {
    if (path.empty()) return path;
    return QFile::encodeName(QDir::current().absoluteFilePath(QFile::decodeName(path.c_str())))
        .toStdString();
}

bool isActive(const std::string& state) {
    return state == "running" || state == "waiting";
}

constexpr const char* kGoesOn =
    " What was accepted is kept; the same command goes on with the rest when an instance runs.";

std::string lineCounts(const Json& import) {
    std::string text = countIn(import, "accepted") + " accepted, " +
                       counted(numberOf(import, "duplicates", 0), "duplicate") + ", " +
                       countIn(import, "rejected") + " rejected";
    if (numberOf(import, "blank", 0) > 0) text += ", " + countIn(import, "blank") + " blank";
    return text;
}

}  // namespace

ImportRun::ImportRun(ControlClient& client, bool json, std::ostream& out, std::ostream& err)
    : m_client(client),
      m_json(json),
      m_inPlace(::isatty(STDERR_FILENO) != 0),
      m_out(out),
      m_err(err) {}

Exit ImportRun::run(const ImportFile& import) {
    const auto started = m_client.call({"import start",
                                        {{"file", absolute(import.file)},
                                         {"format", static_cast<unsigned>(import.format)},
                                         {"source", import.source},
                                         {"report", absolute(import.report)},
                                         {"restart", import.restart}}});
    if (!started.ok() && started.exit == Exit::fault)
        return fail(started.error + kGoesOn, started.exit);
    if (!started.ok()) return fail(started.error, started.exit);
    if (const auto done = numberOf(started.result, "resumed_at", 0); done > 0 && !m_json)
        m_err << "goes on after line " << done << "\n";
    return watch(numberOf(started.result, "number", 0));
}

Exit ImportRun::watch(std::uint64_t number) {
    const InterruptWatch interrupt;
    bool cancelled = false;
    auto nextProgress = Clock::now() + kProgressInterval;
    while (true) {
        if (interrupt.interrupted() && !cancelled) {
            cancelled = true;
            // If it has just ended there is nothing to cancel, and its end is told below.
            (void)m_client.call({"import cancel"});
        }
        const auto shown = m_client.call({"import show"});
        if (!shown.ok()) {
            endProgress();
            return fail(shown.error + kGoesOn, Exit::fault);
        }
        if (numberOf(shown.result, "number", 0) != number) {
            endProgress();
            return fail("another import began before the end of this one could be told.",
                        Exit::fault);
        }
        if (!isActive(textIn(shown.result, "state"))) {
            endProgress();
            return summarize(shown.result);
        }
        if (Clock::now() >= nextProgress) {
            nextProgress += kProgressInterval;
            showProgress(shown.result);
        }
        std::this_thread::sleep_for(kLook);
    }
}

void ImportRun::showProgress(const Json& import) {
    if (m_json) return;
    const auto read = static_cast<double>(numberOf(import, "bytes_read", 0));
    const auto total = static_cast<double>(numberOf(import, "bytes_total", 0));
    std::string line = counted(numberOf(import, "lines", 0), "line");
    if (total > 0)
        line = std::to_string(static_cast<int>(100 * std::min(read / total, 1.0))) + " %, " + line;
    if (textIn(import, "state") == "waiting") {
        line += ", waits: " + textIn(import, "error");
    } else {
        const auto rate = import.value("lines_per_second", Json(0.0));
        if (rate.is_number())
            line += ", " + std::to_string(std::llround(rate.get<double>())) + " lines/s";
        if (numberOf(import, "rejected", 0) > 0)
            line += ", " + countIn(import, "rejected") + " rejected";
    }
    const auto length = line.size();
    if (m_inPlace) {
        if (length < m_shown) line.append(m_shown - length, ' ');
        m_err << "\r" << line << std::flush;
        m_shown = length;
    } else {
        m_err << line << "\n" << std::flush;
    }
}

void ImportRun::endProgress() {
    if (m_shown > 0) m_err << "\n";
    m_shown = 0;
}

Exit ImportRun::summarize(const Json& import) {
    const auto state = textIn(import, "state");
    const auto rejected = numberOf(import, "rejected", 0);
    if (m_json) {
        m_out << oneLineJson(import) << "\n" << std::flush;
    } else {
        m_out << (state == "finished" ? "imported " : state) << (state == "finished" ? "" : ": ")
              << textIn(import, "file") << ": " << counted(numberOf(import, "lines", 0), "line")
              << ": " << lineCounts(import) << "\n";
        if (numberOf(import, "skipped_lines", 0) > 0)
            m_out << countIn(import, "skipped_lines")
                  << " of them were imported before and not read again; --restart reads them\n";
        if (rejected > 0)
            m_out << "why each was rejected: " << textIn(import, "report")
                  << "\nmend the file and import it with --restart; nothing is imported twice\n";
        if (state != "finished")
            m_out << "what was accepted is kept; the same command goes on with the rest\n";
        m_out << std::flush;
    }
    if (const auto error = textIn(import, "error"); !error.empty()) return fail(error, Exit::fault);
    return state == "finished" && rejected == 0 ? Exit::good : Exit::checkFailed;
}

Exit ImportRun::fail(const std::string& error, Exit exit) {
    m_err << "rivora-lanes: " << oneLine(error) << "\n";
    return exit;
}

}  // namespace lanes::app

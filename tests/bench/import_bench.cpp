// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/bench_case.h"

#include "engine/engine.h"
#include "engine/intake/event_line.h"
#include "engine/intake/import_source.h"
#include "engine/intake/line_splitter.h"

#include <QDir>
#include <QEventLoop>
#include <QFile>
#include <QTemporaryDir>

#include <curl/curl.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace lanes::bench {

namespace {

constexpr int kLines = 1'000'000;
constexpr int kLinesPerRequest = 1'000;

/// Beside the current directory, so that the disk that is measured can be chosen.
class Place {
public:
    Place() : m_directory(QDir::current().filePath(QStringLiteral("bench-XXXXXX"))) {
        if (!m_directory.isValid()) giveUp("no directory can be made here");
        QFile file(m_directory.filePath(QStringLiteral("events.ndjson")));
        if (!file.open(QIODevice::WriteOnly)) giveUp("no file can be made here");
        const QByteArray note(230, 'x');
        for (int i = 0; i < kLines; ++i)
            file.write("{\"id\":\"event-" + QByteArray::number(i) + "\",\"user\":\"user-" +
                       QByteArray::number(i % 10'000) +
                       "\",\"type\":\"bench.event\",\"payload\":{\"note\":\"" + note + "\"}}\n");
    }
    [[nodiscard]] std::string file() const {
        return m_directory.filePath(QStringLiteral("events.ndjson")).toStdString();
    }
    [[nodiscard]] QString data(int number) const {
        return m_directory.filePath(QString::number(number));
    }

private:
    QTemporaryDir m_directory;
};

/// An engine on a fresh directory, without destinations.
class RunningEngine {
public:
    explicit RunningEngine(const QString& directory) : m_directory(directory) {
        EngineOptions options;
        options.dataDirectory = directory.toStdString();
        options.intakePort = 0;
        m_engine = makeEngine(options);
        m_engine->start();
        waitFor([](const EngineSnapshot& now) { return now.intake.port != 0; });
    }
    ~RunningEngine() {
        m_engine->stop();
        QDir(m_directory).removeRecursively();
    }
    RunningEngine(const RunningEngine&) = delete;
    RunningEngine& operator=(const RunningEngine&) = delete;

    void waitFor(const std::function<bool(const EngineSnapshot&)>& wanted) const {
        QEventLoop loop;
        QObject::connect(m_engine.get(), &Engine::snapshotPublished, &loop, [&] {
            const auto now = m_engine->snapshot();
            if (now->lifecycle == Lifecycle::failed) giveUp(now->failure);
            if (wanted(*now)) loop.quit();
        });
        loop.exec();
    }
    Engine& operator*() const { return *m_engine; }

private:
    QString m_directory;
    std::unique_ptr<Engine> m_engine;
};

double imported(const Place& place, int number) {
    const RunningEngine engine(place.data(number));
    const auto before = wallSeconds();
    StartImport start;
    start.path = place.file();
    (*engine).submit(start);
    engine.waitFor([](const EngineSnapshot& now) {
        return now.fileImport.number != 0 && !now.fileImport.active();
    });
    if ((*engine).snapshot()->fileImport.accepted != kLines) giveUp("not all was imported");
    return kLines / (wallSeconds() - before);
}

double parsed(const Place& place) {
    auto source = ImportSource::open(place.file());
    if (!source) giveUp(source.error().detail);
    LineSplitter splitter(limits::kEventBytes);
    EventLineReader reader(ImportFormat::automatic);
    std::vector<char> buffer((64u << 10) + LineSplitter::kPadding);
    int events = 0;
    const auto before = wallSeconds();
    while (true) {
        const auto got = source.value()->read(buffer.data(), 64u << 10);
        if (!got || got.value() == 0) break;
        splitter.feed({buffer.data(), got.value()});
        while (const auto line = splitter.next()) {
            IncomingEvent event;
            if (!reader.read(line->text, &event)) ++events;
        }
    }
    if (events != kLines) giveUp("not all was read");
    return kLines / (wallSeconds() - before);
}

std::size_t ignore(char*, std::size_t size, std::size_t count, void*) {
    return size * count;
}

/// One sender on one connection that waits for each answer, with as many events a request as an
/// import has in a batch.
double posted(const Place& place, int number) {
    const RunningEngine engine(place.data(number));
    QFile file(QString::fromStdString(place.file()));
    if (!file.open(QIODevice::ReadOnly)) giveUp("the file is gone");
    CURL* curl = curl_easy_init();
    curl_slist* headers = curl_slist_append(nullptr, "Content-Type: application/x-ndjson");
    headers = curl_slist_append(headers, ("Authorization: Bearer " + (*engine).writeKey()).c_str());
    headers = curl_slist_append(headers, "Expect:");
    const std::string url =
        "http://127.0.0.1:" + std::to_string((*engine).snapshot()->intake.port) + "/v1/events";
    curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, ignore);
    const auto before = wallSeconds();
    for (int sent = 0; sent < kLines; sent += kLinesPerRequest) {
        QByteArray body;
        for (int i = 0; i < kLinesPerRequest; ++i) body += file.readLine();
        curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
        curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.constData());
        long status = 0;
        if (curl_easy_perform(curl) == CURLE_OK)
            curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
        if (status != 202) giveUp("the intake answered " + std::to_string(status));
    }
    const auto seconds = wallSeconds() - before;
    curl_slist_free_all(headers);
    curl_easy_cleanup(curl);
    return kLines / seconds;
}

}  // namespace

std::vector<BenchCase> benchImport(int runs) {
    const Place place;
    int number = 0;
    BenchCase http;
    http.name = "import: 1,000,000 events of 300 bytes from a file, durable";
    http.unit = "events/s";
    http.bareIs = "the same over HTTP, one sender, 1,000 events a request";
    http.higherIsBetter = true;
    measure(
        http, runs, [&] { return imported(place, ++number); },
        [&] { return posted(place, ++number); });
    BenchCase parse;
    parse.name = "the same import";
    parse.unit = http.unit;
    parse.bareIs = "its lines read, checked and parsed, and nothing stored";
    parse.higherIsBetter = true;
    parse.ours = http.ours;
    for (int run = 0; run < runs; ++run) parse.bare.push_back(parsed(place));
    return {http, parse};
}

}  // namespace lanes::bench

// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/load.h"

#include "engine/http/http_server.h"
#include "tests/bench/bench_case.h"

#include <QProcess>
#include <QRegularExpression>
#include <QSemaphore>
#include <QStandardPaths>
#include <QTemporaryFile>
#include <QThread>

#include <curl/curl.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

namespace lanes::bench {

class Receiver::Thread : public QThread {
public:
    void waitUntilListening() { m_listening.acquire(); }
    [[nodiscard]] std::uint16_t port() const { return m_port; }

protected:
    void run() override {
        http::HttpServer server{http::ServerLimits{}};
        server.setHandler([](http::Request, http::Responder responder) {
            responder.respond({.status = 204, .headers = {}, .body = {}});
        });
        if (const auto error = server.listen(QHostAddress::LocalHost, 0); !error.empty()) {
            std::fprintf(stderr, "rivora-lanes-bench: %s\n", error.c_str());
            std::exit(3);
        }
        m_port = server.port();
        m_listening.release();
        exec();
    }

private:
    QSemaphore m_listening;
    std::uint16_t m_port = 0;
};

Receiver::Receiver() : m_thread(new Thread) {
    m_thread->start();
    m_thread->waitUntilListening();
}

Receiver::~Receiver() {
    m_thread->quit();
    m_thread->wait();
    delete m_thread;
}

std::string Receiver::url() const {
    return "http://127.0.0.1:" + std::to_string(m_thread->port()) + "/";
}

Load curlLoad(const std::string& url, int requests) {
    const std::string body(kBodyBytes, 'x');
    CURLM* multi = curl_multi_init();
    curl_slist* headers = curl_slist_append(nullptr, "Content-Type: application/json");
    headers = curl_slist_append(headers, "Expect:");
    std::vector<CURL*> handles;
    const auto discard = +[](char*, std::size_t size, std::size_t count, void*) {
        return size * count;
    };
    for (int i = 0; i < kInFlight; ++i) {
        CURL* handle = curl_easy_init();
        curl_easy_setopt(handle, CURLOPT_URL, url.c_str());
        curl_easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
        curl_easy_setopt(handle, CURLOPT_POSTFIELDS, body.c_str());
        curl_easy_setopt(handle, CURLOPT_POSTFIELDSIZE, static_cast<long>(body.size()));
        curl_easy_setopt(handle, CURLOPT_WRITEFUNCTION, discard);
        curl_multi_add_handle(multi, handle);
        handles.push_back(handle);
    }

    const auto wallBefore = wallSeconds();
    const auto cpuBefore = threadCpuSeconds();
    int started = kInFlight;
    for (int done = 0; done < requests;) {
        int running = 0;
        curl_multi_perform(multi, &running);
        int left = 0;
        while (const CURLMsg* message = curl_multi_info_read(multi, &left)) {
            if (message->msg != CURLMSG_DONE) continue;
            CURL* handle = message->easy_handle;
            if (message->data.result != CURLE_OK) {
                std::fprintf(stderr, "rivora-lanes-bench: libcurl: %s\n",
                             curl_easy_strerror(message->data.result));
                std::exit(3);
            }
            ++done;
            curl_multi_remove_handle(multi, handle);
            if (started++ < requests) curl_multi_add_handle(multi, handle);
        }
        if (done < requests) curl_multi_poll(multi, nullptr, 0, 100, nullptr);
    }
    const Load load{requests / (wallSeconds() - wallBefore),
                    (threadCpuSeconds() - cpuBefore) * 1000 / requests};
    for (CURL* handle : handles) {
        curl_multi_remove_handle(multi, handle);
        curl_easy_cleanup(handle);
    }
    curl_slist_free_all(headers);
    curl_multi_cleanup(multi);
    return load;
}

std::optional<double> wrkPerSecond(const std::string& url) {
    const auto program = QStandardPaths::findExecutable(QStringLiteral("wrk"));
    if (program.isEmpty()) return {};
    QTemporaryFile script;
    if (!script.open()) return {};
    script.write("wrk.method = \"POST\"\nwrk.headers[\"Content-Type\"] = \"application/json\"\n"
                 "wrk.body = string.rep(\"x\", 300)\n");
    script.close();
    QProcess wrk;
    wrk.start(program, {QStringLiteral("-t1"), QStringLiteral("-c64"), QStringLiteral("-d2s"),
                        QStringLiteral("-s"), script.fileName(), QString::fromStdString(url)});
    if (!wrk.waitForFinished(20'000)) return {};
    static const QRegularExpression line(QStringLiteral("Requests/sec:\\s+([0-9.]+)"));
    const auto match = line.match(QString::fromUtf8(wrk.readAllStandardOutput()));
    if (!match.hasMatch()) return {};
    return match.captured(1).toDouble();
}

}  // namespace lanes::bench

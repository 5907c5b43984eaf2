// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/order_receiver.h"

#include <QTest>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace lanes::test {

namespace {

QByteArray text(std::string_view view) {
    return {view.data(), static_cast<qsizetype>(view.size())};
}

}  // namespace

bool OrderReceiver::listen() {
    http::ServerLimits limits;
    limits.connections = 1000;
    m_server = std::make_unique<http::HttpServer>(limits);
    m_server->setHandler([this](const http::Request& request, const http::Responder& responder) {
        take(request, responder);
    });
    const auto error = m_server->listen(QHostAddress(QHostAddress::LocalHost), m_port);
    m_port = m_server->port();
    return error.empty();
}

void OrderReceiver::close() {
    m_server.reset();
    m_open.clear();
}

QByteArray OrderReceiver::url() const {
    return "http://127.0.0.1:" + QByteArray::number(m_port) + "/hook";
}

QList<QByteArray> OrderReceiver::bodies() const {
    QList<QByteArray> result;
    for (const auto& got : m_accepted) result.append(got.body);
    return result;
}

int OrderReceiver::takeMostOpen() {
    return std::exchange(m_mostOpen, m_openNow);
}

bool OrderReceiver::senderDied() {
    // What it had written before it died is still read, and belongs to its life.
    const bool ended =
        QTest::qWaitFor([this] { return m_server->connections() == 0 && m_openNow == 0; }, 10'000);
    m_mayRepeat = m_latest;
    ++m_life;
    return ended;
}

void OrderReceiver::take(const http::Request& request, const http::Responder& responder) {
    const Got got{text(request.header("rivora-lane")),
                  text(request.header("rivora-sequence")).toULongLong(),
                  QByteArray::fromStdString(request.body),
                  request.count("rivora-rewind") > 0,
                  text(request.header("rivora-rewind")),
                  text(request.header("rivora-attempt")).toUInt()};
    ++m_requests;
    const int status = m_answer ? m_answer(got) : 204;
    // A request of a program that was killed has nobody behind it any more.
    if (m_open[got.lane]++ > 0) ++m_overlaps;
    m_mostOpen = std::max(m_mostOpen, ++m_openNow);
    checkNumber(got);
    if (status < 300) accept(got);
    m_latest[got.lane] = got.sequence;
    QTimer::singleShot(m_delayMs, m_server.get(), [this, responder, status, lane = got.lane] {
        --m_open[lane];
        --m_openNow;
        responder.respond({static_cast<unsigned>(status), {}, {}, false});
        if (m_answered) m_answered();
    });
}

void OrderReceiver::checkNumber(const Got& got) {
    const auto key = got.lane + '/' + QByteArray::number(got.sequence) + '/' + got.operation;
    auto& known = m_numbers[key];
    const bool mayStay = known.life < m_life;
    if (got.attempt < known.attempt || (got.attempt == known.attempt && !mayStay)) ++m_wrongNumbers;
    known = {got.attempt, m_life};
}

void OrderReceiver::accept(const Got& got) {
    m_arrivals.append(got);
    const auto key = got.lane + '/' + QByteArray::number(got.sequence);
    if (m_seen.contains(key)) {
        if (got.rewind) return;
        ++m_duplicates;
        // The first one of its lane in this life, or it was not in flight at the death.
        const auto allowed = m_mayRepeat.find(got.lane);
        if (allowed == m_mayRepeat.end() || *allowed != got.sequence)
            ++m_unexplained;
        else
            m_mayRepeat.erase(allowed);
        return;
    }
    if (!got.rewind && m_last.value(got.lane, 0) > got.sequence) ++m_orderBreaks;
    m_last[got.lane] = std::max(m_last.value(got.lane, 0), got.sequence);
    m_seen.insert(key);
    m_accepted.append(got);
}

}  // namespace lanes::test

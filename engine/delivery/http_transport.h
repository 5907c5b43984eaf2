// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>  // first: moc of Qt 6.4 cannot read <compare> before another standard header

#include "engine/config.h"
#include "engine/core/transport.h"

#include <QObject>

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace lanes::http {
struct ExchangeResult;
}

namespace lanes {

/// Sends attempts: one attempt is one request on the wire, or none if it could not be sent; it is
/// never sent again here. Every attempt that was started is reported exactly once.
///
/// It lives on the delivery thread, where all of its functions must be called: through queued
/// connections, or with QMetaObject::invokeMethod. It must be destroyed there too, or on another
/// thread after `stop` when the delivery thread has ended.
class HttpTransport : public QObject {
    Q_OBJECT

public:
    /// Whether the text of each exchange comes with its result.
    enum class Wire : std::uint8_t { forgotten, kept };

    explicit HttpTransport(Wire wire = Wire::forgotten, QObject* parent = nullptr);
    ~HttpTransport() override;

    /// Attempts that were started and not yet reported.
    [[nodiscard]] std::size_t open() const { return m_open.size(); }

public Q_SLOTS:
    /// A new destination, or new settings of one. What was written already ends under the old ones.
    void setDestination(const lanes::DestinationConfig& config);
    /// Ends what is on its way to it, with what is known.
    void removeDestination(lanes::DestinationId destination);
    void start(std::vector<lanes::AttemptRequest> attempts);
    /// Ends all that is on its way, reports it before it returns, and sends nothing any more.
    void stop();

Q_SIGNALS:
    /// All that ended in one turn of the event loop, in the order in which it ended.
    void finished(const std::vector<lanes::AttemptResult>& results);

private:
    struct Destination;

    void startOne(AttemptRequest attempt);
    void ended(AttemptId attempt, http::ExchangeResult exchange, const std::string* request);
    void report(AttemptResult result);
    void flush();

    std::unordered_map<DestinationId, std::unique_ptr<Destination>> m_destinations;
    /// Old forms of destinations whose last exchanges are still open.
    std::vector<std::unique_ptr<Destination>> m_retired;
    std::unordered_set<AttemptId> m_open;
    std::vector<AttemptResult> m_finished;
    const Wire m_wire;
    bool m_flushing = false;
    bool m_stopped = false;
};

}  // namespace lanes

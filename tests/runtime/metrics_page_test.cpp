// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/metrics_page.h"

#include <QMap>
#include <QRegularExpression>
#include <QTest>

using namespace lanes;

namespace {

struct Family {
    QString type;
    bool helped = false;
    QMap<QString, double> samples;  ///< by name and labels as they stand
};

/// Reads the text format by its description alone, and takes nothing that it does not allow.
class Reader {
public:
    [[nodiscard]] QString read(const QString& page) {
        if (!page.endsWith(u'\n')) return QStringLiteral("the last line has no end");
        for (const QString& line : page.chopped(1).split(u'\n')) {
            const QString fault = line.startsWith(u'#') ? comment(line) : sample(line);
            if (!fault.isEmpty()) return fault + QStringLiteral(": ") + line;
        }
        return {};
    }

    [[nodiscard]] double value(const QString& sample) const {
        for (const Family& family : families)
            if (family.samples.contains(sample)) return family.samples.value(sample);
        return -1;
    }

    QMap<QString, Family> families;

private:
    QString comment(const QString& line) {
        static const QRegularExpression help(
            QStringLiteral("^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) [^\\\\]+$"));
        static const QRegularExpression type(QStringLiteral(
            "^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary|untyped)$"));
        if (const auto match = help.match(line); match.hasMatch()) {
            m_now = match.captured(1);
            if (families.contains(m_now)) return QStringLiteral("a family begins twice");
            families[m_now].helped = true;
            return {};
        }
        const auto match = type.match(line);
        if (!match.hasMatch()) return QStringLiteral("a comment of no kind");
        if (match.captured(1) != m_now) return QStringLiteral("a type without its help");
        families[m_now].type = match.captured(2);
        return {};
    }

    QString sample(const QString& line) {
        static const QRegularExpression form(QStringLiteral(
            "^([a-zA-Z_:][a-zA-Z0-9_:]*)"
            "(\\{[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*\""
            "(?:,[a-zA-Z_][a-zA-Z0-9_]*=\"(?:[^\"\\\\\\n]|\\\\[\\\\\"n])*\")*\\})? (\\S+)$"));
        const auto match = form.match(line);
        if (!match.hasMatch()) return QStringLiteral("no sample");
        QString name = match.captured(1);
        const QString key = name + match.captured(2);
        Family& family = families[m_now];
        if (family.type == u"histogram")
            name.remove(QRegularExpression(QStringLiteral("_(bucket|count|sum)$")));
        if (name != m_now || family.type.isEmpty()) return QStringLiteral("not of this family");
        if (family.samples.contains(key)) return QStringLiteral("a series is there twice");
        bool good = false;
        family.samples[key] = match.captured(3).toDouble(&good);
        return good ? QString() : QStringLiteral("no number");
    }

    QString m_now;
};

EngineSnapshot busy() {
    EngineSnapshot snapshot;
    snapshot.lifecycle = Lifecycle::running;
    DestinationSnapshot crm;
    crm.name = "crm";
    crm.health = HealthState::degraded;
    crm.counters = {12, 5, 4, 2, 1};
    crm.lanes = 3;
    crm.lanesBackingOff = 2;
    crm.lanesHeld = 1;
    crm.inFlight = 7;
    crm.maxInFlight = 64;
    crm.budget = 0.1;
    crm.outcomes = {5, 1, 2, 3, 4, 6, 7};
    crm.attempts = 28;
    crm.probes = 9;
    crm.latency.add(100);
    crm.latency.add(300);
    crm.latency.add(400);
    crm.latency.add(100 * kSecond);
    crm.window = 72 * kHour;
    crm.oldestHeadAge = 90 * kSecond;
    crm.silentFor = kSecond / 2;
    crm.lastDeliveredAt = 1'800'000'000'250'000;
    DestinationSnapshot other;
    other.name = "a\\b\"c\nd";
    snapshot.destinations = {crm, other};
    snapshot.store.commits = 11;
    snapshot.store.commitLatency.add(2 * kMillisecond);
    snapshot.store.databaseBytes = 18'446'744'073'709'551'615ULL;
    snapshot.store.walBytes = 4096;
    snapshot.store.lastSequence = Sequence(12);
    snapshot.intake.listening = true;
    snapshot.intake.requests = 20;
    snapshot.intake.acceptedEvents = 12;
    snapshot.intake.duplicates = 3;
    snapshot.intake.conflicts = 2;
    snapshot.intake.rejectedEvents = 4;
    return snapshot;
}

QString pageOf(const EngineSnapshot& snapshot) {
    return QString::fromStdString(metricsPage(snapshot));
}

}  // namespace

class MetricsPageTest : public QObject {
    Q_OBJECT

private slots:
    void isWellFormed() {
        for (const auto& snapshot : {busy(), EngineSnapshot()}) {
            Reader reader;
            QCOMPARE(reader.read(pageOf(snapshot)), QString());
            for (auto family = reader.families.begin(); family != reader.families.end(); ++family) {
                QVERIFY(!family->type.isEmpty());
                QVERIFY2(family.key().startsWith(u"rivora_"), qPrintable(family.key()));
                QCOMPARE(family.key().endsWith(u"_total"), family->type == u"counter");
            }
        }
    }

    void showsWhatTheSnapshotSays_data() {
        QTest::addColumn<QString>("sample");
        QTest::addColumn<double>("value");
        const auto row = [](const char* sample, double value) {
            QTest::newRow(sample) << QString::fromLatin1(sample) << value;
        };
        row("rivora_build_info{version=\"" LANES_VERSION "\"}", 1);
        row("rivora_engine_state{state=\"running\"}", 1);
        row("rivora_engine_state{state=\"failed\"}", 0);
        row("rivora_destination_state{destination=\"crm\",state=\"degraded\"}", 1);
        row("rivora_destination_state{destination=\"crm\",state=\"healthy\"}", 0);
        row("rivora_destination_state{destination=\"a\\\\b\\\"c\\nd\",state=\"healthy\"}", 1);
        row("rivora_destination_events_accepted_total{destination=\"crm\"}", 12);
        row("rivora_destination_events{destination=\"crm\",state=\"delivered\"}", 5);
        row("rivora_destination_events{destination=\"crm\",state=\"waiting\"}", 4);
        row("rivora_destination_events{destination=\"crm\",state=\"dead\"}", 2);
        row("rivora_destination_events{destination=\"crm\",state=\"discarded\"}", 1);
        row("rivora_destination_lanes{destination=\"crm\"}", 3);
        row("rivora_destination_lanes_backing_off{destination=\"crm\"}", 2);
        row("rivora_destination_lanes_held{destination=\"crm\"}", 1);
        row("rivora_destination_in_flight{destination=\"crm\"}", 7);
        row("rivora_destination_in_flight_limit{destination=\"crm\"}", 64);
        row("rivora_destination_budget{destination=\"crm\"}", 0.1);
        row("rivora_destination_attempts_total{destination=\"crm\",outcome=\"delivered\"}", 5);
        row("rivora_destination_attempts_total{destination=\"crm\",outcome=\"throttled\"}", 2);
        row("rivora_destination_attempts_total{destination=\"crm\",outcome=\"unknown\"}", 7);
        row("rivora_destination_probes_total{destination=\"crm\"}", 9);
        row("rivora_destination_latency_seconds_bucket{destination=\"crm\",le=\"0.00025\"}", 1);
        row("rivora_destination_latency_seconds_bucket{destination=\"crm\",le=\"0.0005\"}", 3);
        row("rivora_destination_latency_seconds_bucket{destination=\"crm\",le=\"65.536\"}", 3);
        row("rivora_destination_latency_seconds_bucket{destination=\"crm\",le=\"+Inf\"}", 4);
        row("rivora_destination_latency_seconds_count{destination=\"crm\"}", 4);
        row("rivora_destination_latency_seconds_sum{destination=\"crm\"}", 100.0008);
        row("rivora_destination_oldest_head_age_seconds{destination=\"crm\"}", 90);
        row("rivora_destination_retry_window_seconds{destination=\"crm\"}", 259'200);
        row("rivora_destination_silent_seconds{destination=\"crm\"}", 0.5);
        row("rivora_destination_last_delivered_timestamp_seconds{destination=\"crm\"}",
            1'800'000'000.25);
        row("rivora_intake_listening", 1);
        row("rivora_intake_requests_total", 20);
        row("rivora_intake_events_total{result=\"accepted\"}", 12);
        row("rivora_intake_events_total{result=\"duplicate\"}", 3);
        row("rivora_intake_events_total{result=\"rejected\"}", 4);
        row("rivora_store_writable", 1);
        row("rivora_store_commits_total", 11);
        row("rivora_store_commit_seconds_bucket{le=\"0.002\"}", 0);
        row("rivora_store_commit_seconds_bucket{le=\"0.004\"}", 1);
        row("rivora_store_commit_seconds_count", 1);
        row("rivora_store_commit_seconds_sum", 0.002);
        row("rivora_intake_conflicts_total", 2);
        row("rivora_store_database_bytes", 1.8446744073709552e19);
        row("rivora_store_wal_bytes", 4096);
        row("rivora_store_last_sequence", 12);
    }
    void showsWhatTheSnapshotSays() {
        QFETCH(QString, sample);
        QFETCH(double, value);
        Reader reader;
        QCOMPARE(reader.read(pageOf(busy())), QString());
        QCOMPARE(reader.value(sample), value);
    }

    void hasTheSameSeriesInEveryState() {
        const auto series = [](const EngineSnapshot& snapshot) {
            Reader reader;
            static_cast<void>(reader.read(pageOf(snapshot)));
            QStringList names;
            for (const Family& family : reader.families) names += family.samples.keys();
            return names;
        };
        EngineSnapshot paused = busy();
        paused.lifecycle = Lifecycle::draining;
        paused.destinations[0] = DestinationSnapshot();
        paused.destinations[0].name = "crm";
        paused.destinations[0].health = HealthState::paused;
        QCOMPARE(series(paused), series(busy()));
    }

    void aHistogramKnowsItsSum() {
        LatencyHistogram earlier;
        earlier.add(300);
        LatencyHistogram later = earlier;
        later.add(-1);
        later.add(1'000);
        QCOMPARE(later.sum, Micros{1'300});
        QCOMPARE(later.since(earlier).sum, Micros{1'000});
        QCOMPARE(later.since(earlier).total(), 2u);
    }

    void bucketsNeverFall() {
        Reader reader;
        static_cast<void>(reader.read(pageOf(busy())));
        static const QRegularExpression bound(QStringLiteral("le=\"([^\"]+)\""));
        QMap<double, double> buckets;
        const auto& samples =
            reader.families[QStringLiteral("rivora_destination_latency_seconds")].samples;
        for (auto sample = samples.begin(); sample != samples.end(); ++sample) {
            if (!sample.key().contains(u"destination=\"crm\",le=")) continue;
            const QString text = bound.match(sample.key()).captured(1);
            buckets[text == u"+Inf" ? qInf() : text.toDouble()] = *sample;
        }
        QCOMPARE(static_cast<std::size_t>(buckets.size()), LatencyHistogram::kBuckets);
        double below = 0;
        for (const double count : buckets) {
            QVERIFY(count >= below);
            below = count;
        }
        QCOMPARE(buckets.last(), 4.0);
    }
};

QTEST_GUILESS_MAIN(MetricsPageTest)
#include "metrics_page_test.moc"

// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/runtime/engine_world.h"

#include "engine/user_id.h"

#include <QFile>
#include <QTemporaryDir>

using namespace lanes;
using namespace lanes::test;

namespace {

constexpr int kPageBytes = 4096;
constexpr int kPayload = 20 * kPageBytes;

/// A place in the data file where a disk error makes one event unreadable: the link from one page
/// of its payload to the next.
class BrokenLink {
public:
    explicit BrokenLink(const QString& path) : m_file(path) {
        if (!m_file.open(QIODevice::ReadWrite)) qFatal("no data file");
        const auto all = m_file.readAll();
        for (qsizetype page = kPageBytes; page < all.size(); page += kPageBytes)
            if (all.mid(page + 4, kPageBytes - 4) == QByteArray(kPageBytes - 4, 'x')) m_at = page;
        m_sound = all.mid(m_at, 4);
        put(QByteArray::fromHex("7ffffff0"));
    }
    void mend() { put(m_sound); }
    [[nodiscard]] bool found() const { return m_at > 0; }

private:
    void put(const QByteArray& bytes) {
        if (!m_file.seek(m_at) || m_file.write(bytes) != bytes.size() || !m_file.flush())
            qFatal("the data file cannot be written");
    }

    QFile m_file;
    qsizetype m_at = 0;
    QByteArray m_sound;
};

QByteArray eventOf(const char* user, const QByteArray& payload) {
    return QByteArray("{\"user\":\"") + user + "\",\"type\":\"step\",\"payload\":" + payload + "}";
}

}  // namespace

/// An event that the disk does not give was not sent, so nothing happened to it.
class UnreadEventTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_directory;

private slots:
    void itWaitsAndIsNoAttempt() {
        const auto data = m_directory.filePath(QStringLiteral("data"));
        const auto mocks = makeMockControl();
        const auto url = mocks->addMock("crm", behaviour(), "", 1, 0);
        UserKey user;
        user.kind = UserKey::Kind::user;
        user.text = "a";
        LaneKey lane;
        {
            World world(data);
            QVERIFY(world.start());
            auto oneAtOnce = destination("crm", url);
            oneAtOnce.policy.maxInFlight = 1;
            const auto set = world.command(SetDestination{oneAtOnce});
            QVERIFY2(set.ok(), set.error.c_str());
            lane = {set.destination, fingerprint(user, {})};
            QVERIFY(world.command(HoldLane{lane, "a", "test", ""}).ok());
            QCOMPARE(world.post(eventOf("a", '"' + QByteArray(kPayload, 'x') + '"')), 202);
            QCOMPARE(world.post(eventOf("a", "2")), 202);
            world.engine->stop();
        }
        World world(data);
        QVERIFY(world.start());
        QCOMPARE(world.postEvents(30, 1), 202);
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, 30u, kPatience);
        // Only now: a small file is looked through when it is opened.
        BrokenLink link(data + QStringLiteral("/lanes.db"));
        QVERIFY(link.found());
        QVERIFY(world.command(ReleaseLane{lane, "test"}).ok());
        const auto told = [&] { return world.engine->snapshot()->store.fault; };
        QTRY_VERIFY_WITH_TIMEOUT(told().starts_with("An event cannot be read from the log in "),
                                 kPatience);
        QVERIFY(world.engine->snapshot()->store.writable);
        QCOMPARE(world.totals().waiting, 2u);
        // Nobody else waits for it, though one request at once is all that the destination takes.
        QCOMPARE(world.postEvents(30, 1), 202);
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, 60u, kPatience);
        QCOMPARE(world.totals().waiting, 2u);
        // No attempt, so no back-off, no step towards a dead letter and no word about the receiver.
        AttemptQuery ofTheEvent;
        ofTheEvent.sequence = Sequence(1);
        QVERIFY(world.engine->openPageReader()->attempts(ofTheEvent).rows.empty());
        QCOMPARE(world.engine->snapshot()->find(lane.destination)->health, HealthState::healthy);

        link.mend();
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, 62u, 2 * kPatience);
        QTRY_COMPARE_WITH_TIMEOUT(told(), std::string(), kPatience);
        QCOMPARE(mocks->mocks().at(0).orderViolations, 0u);
        QVERIFY(world.totals().balanced());
    }

    void aPauseDoesNotWaitForIt() {
        const auto data = m_directory.filePath(QStringLiteral("paused"));
        const auto mocks = makeMockControl();
        const auto url = mocks->addMock("crm", behaviour(), "", 1, 0);
        DestinationId crm;
        {
            World world(data);
            QVERIFY(world.start());
            crm = world.command(SetDestination{destination("crm", url)}).destination;
            QVERIFY(world.command(PauseDestination{crm, "test", "", 0}).ok());
            QCOMPARE(world.post(eventOf("a", '"' + QByteArray(kPayload, 'x') + '"')), 202);
            world.engine->stop();
        }
        World world(data);
        QVERIFY(world.start());
        BrokenLink link(data + QStringLiteral("/lanes.db"));
        QVERIFY(world.command(ResumeDestination{crm, "test"}).ok());
        QTRY_VERIFY_WITH_TIMEOUT(!world.engine->snapshot()->store.fault.empty(), kPatience);
        QVERIFY(world.command(PauseDestination{crm, "test", "", 0}).ok());
        link.mend();
        QTRY_COMPARE_WITH_TIMEOUT(world.engine->snapshot()->store.fault, std::string(), kPatience);
        QCOMPARE(world.totals().delivered, 0u);
        QVERIFY(world.command(ResumeDestination{crm, "test"}).ok());
        QTRY_COMPARE_WITH_TIMEOUT(world.totals().delivered, 1u, kPatience);
    }
};

QTEST_GUILESS_MAIN(UnreadEventTest)
#include "unread_event_test.moc"

// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/integration/kill_world.h"

#include "engine/store/connection.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QTest>

#include <SQLiteCpp/Column.h>

#include <algorithm>

namespace lanes::test {

namespace {

constexpr int kPatience = 120'000;
/// The users of which picky refuses a part.
constexpr int kEachDisliked = 5;

QStringList words(const QByteArray& line) {
    return QString::fromLatin1(line).split(QLatin1Char(' '));
}

QByteArray anyUser(Random& random) {
    return "u" + QByteArray::number(static_cast<int>(random.below(KillWorld::kUsers)));
}

QByteArray dislikedUser(Random& random) {
    const auto turn = random.below(KillWorld::kUsers / kEachDisliked);
    return "u" + QByteArray::number(static_cast<int>(turn) * kEachDisliked);
}

}  // namespace

KillWorld::KillWorld(std::uint64_t seed)
    : m_random(seed),
      m_directory(fastPlace()),
      m_program(m_directory.filePath(QStringLiteral("data"))) {}

KillWorld::~KillWorld() {
    if (m_act) {
        m_act->kill();
        m_act->waitForFinished();
    }
}

QByteArray KillWorld::begin() {
    m_crm.setDelay(15);
    m_picky.setDelay(5);
    m_picky.setAnswer([this](const OrderReceiver::Got& got) { return answerOfPicky(got); });
    if (!m_crm.listen() || !m_picky.listen()) return "a receiver does not listen";
    if (!m_program.start()) return "it does not start: " + m_program.errors();
    auto wrong = order("destinations add crm " + m_crm.url());
    if (wrong.isEmpty())
        wrong = order("destinations add picky --dead-letter-status 422 " + m_picky.url());
    return wrong;
}

int KillWorld::answerOfPicky(const OrderReceiver::Got& got) {
    const int user = got.body.mid(1, got.body.indexOf(':') - 1).toInt();
    if (!m_refusing) return 204;
    if (user % kEachDisliked == 0 && m_random.chance(0.6)) {
        m_refused.insert(got.body);
        return 422;
    }
    return m_random.chance(0.02) ? 503 : 204;
}

QByteArray KillWorld::restart() {
    if (!m_program.start()) return "it does not start again: " + m_program.errors();
    return compareState();
}

void KillWorld::send() {
    QByteArray body = "[";
    QList<QByteArray> payloads;
    for (int user = 0; user < kUsers; ++user) {
        const auto name = QByteArray::number(user);
        payloads.append("\"" + name + ":" + QByteArray::number(++m_numbers[user]) + "\"");
        body += QByteArray(user > 0 ? "," : "") + "{\"user\":\"u" + name +
                "\",\"type\":\"n\",\"payload\":" + payloads.last() + "}";
    }
    if (post(m_program.port(), m_program.writeKey(), body + "]") == 202) m_sure += payloads;
}

QStringList KillWorld::nextAct() {
    switch (m_random.below(11)) {
        case 0:
        case 1: return words("dead-letters rewind --all-of picky --yes");
        case 2: return words("dead-letters rewind --all-of picky --pace 20 --yes");
        case 3:
            return words("dead-letters rewind --destination picky --lane --yes --user " +
                         dislikedUser(m_random));
        case 4:
            return words("dead-letters discard --destination picky --yes --user " +
                         dislikedUser(m_random));
        case 5: return words(m_random.chance(0.5) ? "pause crm" : "pause picky");
        case 6:
        case 7: return words(m_random.chance(0.5) ? "resume crm" : "resume picky");
        case 8: return words("hold --destination crm " + anyUser(m_random));
        case 9: return words("release --destination crm " + anyUser(m_random));
        default: return words("operations undo " + QByteArray::number(std::max(1, m_lastRewind)));
    }
}

void KillWorld::act() {
    if (m_act && m_act->state() != QProcess::NotRunning) return;
    actEnded();
    m_actWords = nextAct();
    // Until it is answered nobody knows what it did.
    if (m_actWords[0] == u"pause" || m_actWords[0] == u"resume") m_paused[m_actWords[1]] = {};
    if (m_actWords[0] == u"hold" || m_actWords[0] == u"release") m_held[m_actWords.last()] = {};
    ++m_acts;
    m_act = std::make_unique<QProcess>();
    m_act->setProcessEnvironment(withoutDisplay());
    m_act->start(QStringLiteral(LANES_PROGRAM),
                 m_actWords + QStringList{QStringLiteral("--json"), QStringLiteral("--data-dir"),
                                          path("data")});
}

void KillWorld::actEnded() {
    if (!m_act) return;
    const bool done = m_act->exitStatus() == QProcess::NormalExit && m_act->exitCode() == 0;
    const auto out = m_act->readAllStandardOutput();
    m_act.reset();
    if (!done) return;
    ++m_actsDone;
    const auto& kind = m_actWords[0];
    if (kind == u"pause" || kind == u"resume") m_paused[m_actWords[1]] = kind == u"pause";
    if (kind == u"hold" || kind == u"release") m_held[m_actWords.last()] = kind == u"hold";
    const auto json = QJsonDocument::fromJson(out).object();
    if (m_actWords.contains(u"rewind"))
        m_lastRewind = json[QStringLiteral("operation")].toInt(m_lastRewind);
}

QByteArray KillWorld::died() {
    ++m_deaths;
    if (m_act) {
        const bool ended =
            QTest::qWaitFor([this] { return m_act->state() == QProcess::NotRunning; }, kPatience);
        if (!ended) return "a command waits for ever: " + m_actWords.join(u' ').toUtf8();
        actEnded();
    }
    if (!m_crm.senderDied() || !m_picky.senderDied()) return "requests of the dead do not end";
    return {};
}

QByteArray KillWorld::inspect() const {
    const auto verified = m_program.tell(words("verify --json"));
    if (verified.exit != 0) return verified.out + verified.err;
    try {
        const auto file = path("data").toStdString();
        const auto database = store::openForReading(store::dataFile(file));
        const auto verdict = database->execAndGet("PRAGMA integrity_check").getString();
        return verdict == "ok" ? QByteArray() : QByteArray::fromStdString(verdict);
    } catch (const SQLite::Exception& exception) {
        return exception.what();
    }
}

QJsonObject KillWorld::status() {
    return m_program.tell(words("status --json")).json();
}

/// What was answered to the operator holds in the next life too.
QByteArray KillWorld::compareState() {
    int held = 0;
    int perhaps = 0;
    for (const auto& [user, state] : m_held) {
        if (!state) ++perhaps;
        if (state.value_or(false)) ++held;
    }
    const auto all = status()[QStringLiteral("destinations")].toArray();
    for (const auto& value : all) {
        const auto row = value.toObject();
        const auto name = row[QStringLiteral("name")].toString();
        const auto paused = m_paused.find(name);
        if (paused != m_paused.end() && paused->second &&
            *paused->second != row.contains(QStringLiteral("paused_at")))
            return "a pause or its end was forgotten: " + name.toUtf8();
        const int found = row[QStringLiteral("lanes_held")].toInt();
        if (name == u"crm" && (found < held || found > held + perhaps))
            return "lanes held: " + QByteArray::number(found) + " instead of " +
                   QByteArray::number(held) + " and perhaps " + QByteArray::number(perhaps);
    }
    return all.size() == 2 ? QByteArray() : QByteArray("a destination was forgotten");
}

QByteArray KillWorld::order(const QByteArray& command) {
    const auto ran = m_program.tell(words(command));
    return ran.exit == 0 ? QByteArray() : command + ": " + ran.err;
}

/// The operator lets everything go.
QByteArray KillWorld::release() {
    if (m_act) {
        if (!QTest::qWaitFor([this] { return m_act->state() == QProcess::NotRunning; }, kPatience))
            return "a command waits for ever: " + m_actWords.join(u' ').toUtf8();
        actEnded();
    }
    m_refusing = false;
    for (const auto& [user, state] : m_held)
        if (!state || *state) (void)m_program.tell(words("release --destination crm") << user);
    // What is not paused says so.
    for (const char* command : {"resume crm", "resume picky"}) (void)m_program.tell(words(command));
    return {};
}

QByteArray KillWorld::drain() {
    QDeadlineTimer limit(kPatience);
    while (!limit.hasExpired()) {
        const auto now = status();
        const int waiting = now[QStringLiteral("waiting")].toInt(-1);
        const int dead = now[QStringLiteral("dead")].toInt(-1);
        if (waiting == 0 && dead == 0) return {};
        if (dead > 0) (void)m_program.tell(words("dead-letters rewind --all-of picky --yes"));
        QTest::qWait(100);
    }
    return "it does not drain: " + m_program.tell(words("status")).out +
           m_program.tell(words("lanes --limit 5")).out;
}

QByteArray KillWorld::compareLedgers() {
    int discarded = 0;
    for (const auto& value : status()[QStringLiteral("destinations")].toArray()) {
        const auto row = value.toObject();
        if (row[QStringLiteral("name")].toString() == u"picky")
            discarded = row[QStringLiteral("discarded")].toInt(-1);
    }
    const auto atCrm = m_crm.bodies();
    const auto atPicky = m_picky.bodies();
    const QSet<QByteArray> crm(atCrm.begin(), atCrm.end());
    const QSet<QByteArray> picky(atPicky.begin(), atPicky.end());
    int missing = 0;
    for (const auto& payload : std::as_const(m_sure)) {
        if (!crm.contains(payload)) return "lost for crm: " + payload;
        if (picky.contains(payload)) continue;
        ++missing;
        if (!m_refused.contains(payload)) return "lost for picky: " + payload;
    }
    if (missing > discarded)
        return "lost for picky: " + QByteArray::number(missing) + ", of which discarded " +
               QByteArray::number(discarded);
    std::map<QByteArray, int> last;
    for (const auto& body : atCrm) {
        const auto parts = body.mid(1, body.size() - 2).split(':');
        auto& number = last[parts[0]];
        if (parts[1].toInt() <= number) return "out of order for crm: " + body;
        number = parts[1].toInt();
    }
    for (const auto* receiver : {&m_crm, &m_picky}) {
        const auto count = [](int number) { return QByteArray::number(number); };
        if (receiver->orderBreaks() != 0) return count(receiver->orderBreaks()) + " out of order";
        if (receiver->unexplained() != 0)
            return count(receiver->unexplained()) + " came again that were not in flight";
        if (receiver->overlaps() != 0) return count(receiver->overlaps()) + " lanes overlapped";
        if (receiver->wrongNumbers() != 0)
            return count(receiver->wrongNumbers()) + " attempts had wrong numbers";
    }
    return {};
}

QByteArray KillWorld::settle() {
    for (const auto step : {&KillWorld::release, &KillWorld::drain, &KillWorld::compareLedgers})
        if (auto wrong = (this->*step)(); !wrong.isEmpty()) return wrong;
    if (m_program.stop() != 0) return "it does not stop in order";
    if (auto wrong = inspect(); !wrong.isEmpty()) return wrong;
    // One attempt in the log is one request; what was in flight at a death is not in the log.
    const int logged =
        m_program.tell(words("verify --json")).json()[QStringLiteral("attempts")].toInt(-1);
    const int requests = m_crm.requests() + m_picky.requests();
    if (logged > requests || requests - logged > m_deaths * 2 * kUsers)
        return QByteArray::number(logged) + " attempts are logged of " +
               QByteArray::number(requests) + " requests";
    return {};
}

QByteArray KillWorld::told() const {
    const auto count = [](qsizetype number) { return QByteArray::number(number); };
    return count(m_deaths) + " deaths, " + count(m_sure.size()) + " events sure, " +
           count(m_crm.requests() + m_picky.requests()) + " requests, " +
           count(m_crm.duplicates() + m_picky.duplicates()) + " came twice, " +
           count(m_refused.size()) + " refused, " + count(m_actsDone) + " of " + count(m_acts) +
           " commands done";
}

}  // namespace lanes::test

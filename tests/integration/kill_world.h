// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>  // first: moc of Qt 6.4 cannot read <compare> before another standard header

#include "engine/core/random.h"
#include "tests/integration/order_receiver.h"
#include "tests/integration/program.h"

#include <QTemporaryDir>

#include <map>
#include <memory>
#include <optional>

namespace lanes::test {

/// The program between a sender, two customers' endpoints and an operator, none of whom dies with
/// it. The sender believes only what was answered with 202. The endpoint "crm" takes everything;
/// "picky" refuses some events of some users, which are dead letters at once, and fails now and
/// then. The operator rewinds, discards, undoes, pauses and holds through the command line, and
/// does not wait for what a command comes to.
class KillWorld {
public:
    static constexpr int kUsers = 20;

    explicit KillWorld(std::uint64_t seed);
    ~KillWorld();

    /// The functions that give text give what is wrong, or nothing.
    QByteArray begin();
    /// Starts the program again after its death.
    QByteArray restart();
    /// One request of the sender, an event of each user.
    void send();
    /// One command of the operator, unless the last one is still running.
    void act();
    /// The program is dead: nobody learns anything from it any more.
    QByteArray died();
    /// What lies on the disk while the program is dead: the books, the order, the database.
    QByteArray inspect() const;
    /// Lets everything be delivered or dead-lettered no more, and compares all ledgers.
    QByteArray settle();

    [[nodiscard]] Headless& program() { return m_program; }
    [[nodiscard]] OrderReceiver& crm() { return m_crm; }
    [[nodiscard]] OrderReceiver& picky() { return m_picky; }
    [[nodiscard]] QString path(const char* name) const {
        return m_directory.filePath(QLatin1String(name));
    }
    /// Sums for the record: what was sent, what came twice, what the operator did.
    [[nodiscard]] QByteArray told() const;

private:
    int answerOfPicky(const OrderReceiver::Got& got);
    QStringList nextAct();
    void actEnded();
    QByteArray compareState();
    QByteArray release();
    QByteArray drain();
    QByteArray compareLedgers();
    QByteArray order(const QByteArray& command);
    QJsonObject status();

    Random m_random;
    QTemporaryDir m_directory;
    OrderReceiver m_crm;
    OrderReceiver m_picky;
    Headless m_program;
    bool m_refusing = true;
    QSet<QByteArray> m_refused;  // payloads
    std::map<int, int> m_numbers;
    QList<QByteArray> m_sure;

    std::unique_ptr<QProcess> m_act;
    QStringList m_actWords;
    int m_acts = 0;
    int m_actsDone = 0;
    int m_lastRewind = 0;
    /// What the last answered command made of them; nothing if a later one was not answered.
    std::map<QString, std::optional<bool>> m_paused;  // by destination
    std::map<QString, std::optional<bool>> m_held;    // by user, at crm
    int m_deaths = 0;
};

}  // namespace lanes::test

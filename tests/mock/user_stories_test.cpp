// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/mock/user_stories.h"

#include <QTest>

#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <string>

using lanes::mock::UserStories;

class UserStoriesTest : public QObject {
    Q_OBJECT

private slots:
    void tellsAStoryThatCanHappen() {
        UserStories stories("run", 7);
        std::set<std::string> seen;
        std::string last = "subscription.cancelled";
        for (int i = 1; i <= 500; ++i) {
            const auto event = nlohmann::json::parse(stories.next(3));
            const std::string type = event["type"];
            QCOMPARE(event["user"].get<std::string>(), std::string("user-4"));
            QCOMPARE(event["payload"]["user"].get<std::string>(), std::string("user-4"));
            QCOMPARE(event["payload"]["n"].get<int>(), i);
            QCOMPARE(event["payload"]["type"].get<std::string>(), type);
            // Created exactly after the end of the one before.
            QCOMPARE(type == "subscription.created", last == "subscription.cancelled");
            if (last == "subscription.created") QCOMPARE(type, std::string("invoice.paid"));
            seen.insert(type);
            last = type;
        }
        QVERIFY(seen.size() >= 6);
    }

    void makesTheSameEventsFromTheSameSeed() {
        UserStories one("run", 7);
        UserStories other("run", 7);
        UserStories third("run", 8);
        bool differs = false;
        for (std::uint32_t i = 0; i < 200; ++i) {
            const std::string event = one.next(i % 5);
            QCOMPARE(other.next(i % 5), event);
            differs = differs || third.next(i % 5) != event;
        }
        QVERIFY(differs);
    }

    void neverUsesAnIdTwice() {
        std::set<std::string> ids;
        for (const char* run : {"a", "b"}) {
            for (const std::uint64_t seed : {1u, 2u}) {
                UserStories stories(run, seed);
                for (std::uint32_t i = 0; i < 50; ++i)
                    QVERIFY(ids.insert(nlohmann::json::parse(stories.next(i % 7))["id"]).second);
            }
        }
        QCOMPARE(ids.size(), 200u);
    }
};

QTEST_GUILESS_MAIN(UserStoriesTest)
#include "user_stories_test.moc"

// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runtime/filtered_lanes.h"

#include "engine/config.h"
#include "engine/user_id.h"
#include "tests/core/kernel_harness.h"

#include <QTest>

#include <algorithm>
#include <chrono>

using namespace lanes;
using namespace lanes::test;
using namespace std::chrono_literals;

namespace {

Filter attemptsAtLeast(std::int64_t number) {
    return Filter::Term{FilterField::attempts, FilterRelation::atLeast, number, 0, {}};
}
Filter backlogOf(std::int64_t number) {
    return Filter::Term{FilterField::backlog, FilterRelation::equal, number, 0, {}};
}
Filter typeIs(const std::string& type) {
    return Filter::Term{FilterField::type, FilterRelation::equal, 0, 0, {type}};
}
Filter both(const Filter& a, const Filter& b) { return Filter::allOf({a, b}).value(); }

/// A kernel whose destination is paused, so that what it is given stays; with what a look costs.
class World {
public:
    World() : crm(harness.add("crm")), shop(harness.add("shop")), filtered(ports()) {
        (void)harness.command(PauseDestination{crm, "anna", ""});
        (void)harness.command(PauseDestination{shop, "anna", ""});
    }

    /// Lanes of users 1 .. count at both destinations, every seventh with two events.
    void fill(std::uint64_t count) {
        for (std::uint64_t user = 1; user <= count; ++user) {
            harness.accept(user);
            if (user % 7 == 0) harness.accept(user);
        }
    }

    /// A time at a place: of the fake clock of the looks.
    FilteredLanes::Clock::time_point now{1000s};
    KernelHarness harness;
    DestinationId crm;
    DestinationId shop;
    std::size_t rowsOfStep = 0;   ///< looked at in this slice
    std::size_t textsOfStep = 0;  ///< read in this slice
    std::size_t mostRows = 0;     ///< in one slice
    std::size_t mostTexts = 0;
    std::uint64_t texts = 0;
    FilteredLanes filtered;

    LanePageRequest asking(const Filter& filter) const {
        LanePageRequest request;
        request.filter = filter;
        return request;
    }
    LanePage page(const LanePageRequest& request) { return filtered.page(request, now); }

    /// What the engine does between other things.
    bool turn() {
        rowsOfStep = textsOfStep = 0;
        if (harness.kernel.tendOrders(harness.now())) return true;
        const bool more = filtered.step(now);
        mostRows = std::max(mostRows, rowsOfStep);
        mostTexts = std::max(mostTexts, textsOfStep);
        return more;
    }
    /// Looks until all is known; the number of slices.
    int finish(const LanePageRequest& request) {
        int slices = 0;
        (void)page(request);
        while (turn()) ++slices;
        return slices;
    }

private:
    LaneScanPorts ports() {
        LaneScanPorts ports;
        ports.next = [this](DeliveryKernel::LaneWalk& walk, std::size_t most) {
            auto stretch = harness.kernel.next(walk, most, harness.now());
            rowsOfStep += stretch.rows.size();
            return stretch;
        };
        ports.lanesOfUser = [this](UserId user, DestinationId destination) {
            LanePageRequest request;
            request.user = user;
            request.destination = destination;
            return harness.kernel.page(request, harness.now()).rows;
        };
        ports.row = [this](LaneKey key) { return harness.kernel.row(key, harness.now()); };
        ports.addTexts = [this](std::vector<LaneRow>& rows) {
            textsOfStep += rows.size();
            texts += rows.size();
            for (auto& row : rows) {
                row.type = row.key.user.value % 10 == 0 ? "ping" : "order";
                row.user = {UserKey::Kind::user, std::to_string(row.key.user.value)};
            }
        };
        return ports;
    }
};

}  // namespace

class TestFilteredLanes : public QObject {
    Q_OBJECT

private slots:
    void lanesThatFitComeInTheirOrder_data() {
        QTest::addColumn<int>("order");
        QTest::addColumn<bool>("descending");
        for (const auto order : {LaneOrder::headAge, LaneOrder::backlog, LaneOrder::destination})
            for (const bool descending : {true, false})
                QTest::addRow("order %d %s", static_cast<int>(order), descending ? "down" : "up")
                    << static_cast<int>(order) << descending;
    }
    void lanesThatFitComeInTheirOrder() {
        QFETCH(const int, order);
        QFETCH(const bool, descending);
        World world;
        world.fill(2'000);
        LanePageRequest plain;
        plain.order = static_cast<LaneOrder>(order);
        plain.descending = descending;
        (void)world.harness.kernel.page(plain, world.harness.now());
        while (world.harness.kernel.tendOrders(world.harness.now())) {}
        std::vector<LaneKey> expected;
        for (plain.offset = 0; plain.offset < 4'000; plain.offset += 250) {
            plain.limit = 250;
            for (const auto& row : world.harness.kernel.page(plain, world.harness.now()).rows)
                if (row.backlog == 2) expected.push_back(row.key);
        }
        auto request = world.asking(backlogOf(2));
        request.order = plain.order;
        request.descending = descending;
        (void)world.finish(request);
        std::vector<LaneKey> found;
        for (; request.offset < 1'000; request.offset += 256) {
            const auto page = world.page(request);
            QCOMPARE(page.total, std::uint64_t{expected.size()});
            for (const auto& row : page.rows) found.push_back(row.key);
        }
        QVERIFY(found == expected);
        const auto look = world.page(request).look;
        QVERIFY(look.complete);
        QCOMPARE(look.looked, std::uint64_t{4'000});
        QCOMPARE(look.fitting, std::uint64_t{expected.size()});
    }

    /// However many lanes there are, no slice costs more than any other: counted, not timed.
    void noSliceOfAMillionLanesIsLargerThanASlice() {
        World world;
        constexpr std::uint64_t kUsers = 500'000;
        for (std::uint64_t user = 1; user <= kUsers; ++user) world.harness.accept(user);
        QCOMPARE(world.harness.kernel.laneCount(), std::size_t{2 * kUsers});
        const auto request = world.asking(attemptsAtLeast(5));
        const int slices = world.finish(request);
        QCOMPARE(world.mostRows, limits::kScanLanes);
        QVERIFY(slices >= static_cast<int>(2 * kUsers / limits::kScanLanes));
        const auto look = world.page(request).look;
        QCOMPARE(look.looked, 2 * kUsers);
        QCOMPARE(look.fitting, std::uint64_t{0});
        QCOMPARE(look.fittingWithout, std::vector<std::uint64_t>{2 * kUsers});
    }

    void textsAreReadOnlyWhereTheyDecideAndAFewAtATime() {
        World world;
        world.fill(3'500);
        const auto request = world.asking(both(backlogOf(2), typeIs("ping")));
        (void)world.finish(request);
        const auto page = world.page(request);
        QCOMPARE(page.look.fitting, std::uint64_t{100});  // users 70, 140, ... at both
        QCOMPARE(world.texts, std::uint64_t{1'000});
        QCOMPARE(world.mostTexts, limits::kScanTexts);
        QVERIFY(page.rows.front().key.user == UserId(70));
        // Without the backlog more would fit; its texts are not read, so all might.
        QCOMPARE(page.look.fittingWithout, (std::vector<std::uint64_t>{6'100, 1'000}));
    }

    void ofVeryManyTheFirstAreKeptAndAllAreCounted() {
        World world;
        world.fill(1'500);
        const auto request = world.asking(attemptsAtLeast(0));
        (void)world.finish(request);
        const auto page = world.page(request);
        QCOMPARE(page.look.fitting, std::uint64_t{3'000});
        QCOMPARE(page.total, std::uint64_t{limits::kScanKept});
        QCOMPARE(page.rows.size(), limits::kPageRows);
    }

    void whatIsFoundSoFarIsShownAtOnce() {
        World world;
        world.fill(20'000);
        const auto request = world.asking(backlogOf(1));
        QVERIFY(world.page(request).readiness < 1 || !world.page(request).look.complete);
        for (int turns = 0; turns < 12; ++turns) (void)world.turn();
        const auto page = world.page(request);
        QVERIFY(!page.look.complete);
        QVERIFY(page.look.looked > 0 && page.look.looked < 40'000);
        QVERIFY(page.look.fitting > 0);
        QCOMPARE(page.look.lanes, std::uint64_t{40'000});
    }

    void anotherQuestionEndsTheLook() {
        World world;
        world.fill(2'000);
        (void)world.page(world.asking(backlogOf(1)));
        for (int turns = 0; turns < 3; ++turns) (void)world.turn();
        const auto other = world.asking(backlogOf(2));
        QCOMPARE(world.page(other).look.looked, std::uint64_t{0});
        while (world.turn()) {}
        QCOMPARE(world.page(other).look.fitting, std::uint64_t{2 * (2'000 / 7)});
        QVERIFY(!world.filtered.isLooking());
    }

    void aLookThatWasEndedStaysEnded() {
        World world;
        world.fill(20'000);
        auto request = world.asking(backlogOf(1));
        (void)world.page(request);
        for (int turns = 0; turns < 12; ++turns) (void)world.turn();
        request.look = false;
        const auto page = world.page(request);
        QVERIFY(page.look.looked > 0 && !page.look.complete);
        QVERIFY(!world.turn());
        world.now += 1h;
        QCOMPARE(world.page(request).look.looked, page.look.looked);
        QVERIFY(!world.filtered.isLooking());
    }

    void theListIsLookedAtAgainAfterAWhileAndKeptMeanwhile() {
        World world;
        world.fill(700);
        const auto request = world.asking(backlogOf(2));
        (void)world.finish(request);
        const auto before = world.page(request).look.fitting;
        world.harness.accept(1);
        QCOMPARE(world.page(request).look.fitting, before);
        QVERIFY(!world.filtered.isLooking());
        world.now += 3s;
        QCOMPARE(world.page(request).look.fitting, before);
        QVERIFY(world.filtered.isLooking());
        while (world.turn()) {}
        QCOMPARE(world.page(request).look.fitting, before + 2);
        // Nobody asks any more: nothing is looked at.
        world.now += 3s;
        (void)world.page(request);
        world.now += 10s;
        QVERIFY(!world.turn());
        QVERIFY(!world.filtered.isLooking());
    }

    void aDestinationNarrowsTheLook() {
        World world;
        world.fill(1'000);
        const Filter shop = Filter::Term{FilterField::destination, FilterRelation::equal,
                                         std::int64_t{world.shop.value}, 0, {}};
        const auto request = world.asking(both(shop, backlogOf(2)));
        (void)world.finish(request);
        const auto page = world.page(request);
        QCOMPARE(page.look.looked, std::uint64_t{1'000});
        QCOMPARE(page.look.fitting, std::uint64_t{1'000 / 7});
        for (const auto& row : page.rows) QCOMPARE(row.key.destination, world.shop);
    }

    void aUserIsFoundWithoutALook() {
        World world;
        world.fill(1'000);
        // The lanes of the user "4711", registered and anonymous.
        const auto user = fingerprint({UserKey::Kind::user, "4711"}, {});
        const auto anonymous = fingerprint({UserKey::Kind::anonymous, "4711"}, {});
        world.harness.accept(user.value);
        world.harness.accept(anonymous.value);
        const Filter named =
            Filter::Term{FilterField::user, FilterRelation::equal, 0, 0, {"4711"}};
        const auto request = world.asking(both(named, backlogOf(1)));
        QCOMPARE(world.finish(request), 0);
        QCOMPARE(world.mostRows, std::size_t{0});
        // The texts tell the users apart: here none is called so.
        QCOMPARE(world.texts, std::uint64_t{4});
        QCOMPARE(world.page(request).look.looked, std::uint64_t{4});
        QCOMPARE(world.page(request).look.fitting, std::uint64_t{0});
    }
};

QTEST_APPLESS_MAIN(TestFilteredLanes)
#include "filtered_lanes_test.moc"

// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/common/filter_bar.h"
#include "ui/common/filter_chip.h"
#include "ui/common/filter_edit.h"
#include "ui/common/filter_menu.h"
#include "ui/common/kept_filters.h"

#include <QAbstractItemView>
#include <QAction>
#include <QInputDialog>
#include <QLabel>
#include <QMenu>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QVBoxLayout>

using namespace lanes;
using namespace lanes::ui;

namespace {

/// A list that only remembers what it is told.
class ListOfTest : public QWidget, public FilteredList {
public:
    ListOfTest(FilterList kind, QWidget* parent) : QWidget(parent), m_kind(kind) {
        setFocusPolicy(Qt::StrongFocus);
    }
    FilterList filterList() const override { return m_kind; }
    void setFilter(const Filter& filter) override {
        filters.push_back(filter);
        progress = {};
    }
    FilterProgress filterProgress() const override { return progress; }
    void endLook() override {
        ++ended;
        progress = {false, true, false, QStringLiteral("Ended after 5 lanes.")};
        filterProgressed();
    }
    void lookOn() override { ++lookedOn; }
    void countRemains(const Filter&, Counted counted) override { ask = std::move(counted); }
    bool countFitting(const Filter& filter, std::uint64_t, CountedOne counted) override {
        toCount.push_back(filter);
        count = std::move(counted);
        return true;
    }
    QWidget& focusOfList() override { return *this; }
    QStringList typesAtHand() const override { return {}; }

    void tell(const FilterProgress& news) {
        progress = news;
        filterProgressed();
    }
    const Bar& ports() const { return bar(); }

    std::vector<Filter> filters;
    FilterProgress progress;
    Counted ask;
    std::vector<Filter> toCount;
    CountedOne count;
    int ended = 0;
    int lookedOn = 0;

private:
    FilterList m_kind;
};

}  // namespace

class FilterBarTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_settings;
    std::unique_ptr<QWidget> m_window;
    ListOfTest* m_lanes = nullptr;
    ListOfTest* m_dead = nullptr;
    FilterBar* m_bar = nullptr;

    FilterContext context(FilterList list) const {
        FilterContext context;
        context.list = list;
        context.destinations = {{DestinationId(1), QStringLiteral("crm")},
                                {DestinationId(2), QStringLiteral("billing")}};
        context.now = 1'796'000'000LL * kSecond;
        return context;
    }
    FilterEdit* edit() const { return m_bar->findChild<FilterEdit*>(); }
    QString message() const {
        return m_bar->strip().findChild<QLabel*>(QStringLiteral("filterMessage"))->accessibleName();
    }
    QToolButton* act() const {
        return m_bar->strip().findChild<QToolButton*>(QStringLiteral("filterAct"));
    }
    QStringList chips() const {
        QStringList texts;
        for (auto* chip : m_bar->strip().findChildren<FilterChip*>())
            if (!chip->isHidden())
                texts << chip->findChild<QLabel*>(QStringLiteral("filterText"))->text();
        return texts;
    }
    QAbstractItemView* words() const {
        for (auto* widget : QApplication::topLevelWidgets())
            if (widget->objectName() == QLatin1String("filterWords") && widget->isVisible())
                return qobject_cast<QAbstractItemView*>(widget);
        return nullptr;
    }
    QStringList offered() const {
        QStringList all;
        if (auto* view = words())
            for (int row = 0; row < view->model()->rowCount(); ++row)
                all << view->model()->index(row, 0).data().toString();
        return all;
    }
    void type(const char* text) {
        edit()->setFocus();
        edit()->selectAll();
        QTest::keyClicks(edit(), QString::fromUtf8(text));
    }
    void applyText(const char* text) {
        type(text);
        QTest::keyClick(edit(), Qt::Key_Return);
    }
    QString inForce(const ListOfTest& list) const {
        return toText(m_bar->filterOf(list), context(list.filterList()));
    }
    std::vector<QToolButton*> saved() const {
        std::vector<QToolButton*> buttons;
        for (auto* button :
             m_bar->strip().findChildren<QToolButton*>(QStringLiteral("savedFilter")))
            if (!button->isHidden()) buttons.push_back(button);
        return buttons;
    }

private slots:
    void initTestCase() {
        QSettings::setPath(QSettings::NativeFormat, QSettings::UserScope, m_settings.path());
        QCoreApplication::setOrganizationName(QStringLiteral("lanes-test"));
        QLocale::setDefault(QLocale::c());
    }
    void init() {
        QSettings().clear();
        m_window = std::make_unique<QWidget>();
        auto* layout = new QVBoxLayout(m_window.get());
        m_lanes = new ListOfTest(FilterList::lanes, m_window.get());
        m_dead = new ListOfTest(FilterList::deadLetters, m_window.get());
        m_bar = new FilterBar([this](FilterList list) { return context(list); }, m_window.get());
        m_bar->addList(*m_lanes);
        m_bar->addList(*m_dead);
        layout->addWidget(m_bar);
        layout->addWidget(&m_bar->strip());
        layout->addWidget(m_lanes);
        layout->addWidget(m_dead);
        m_window->resize(900, 300);
        m_window->show();
        m_window->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
    }
    void cleanup() {
        delete m_bar;  // as the window does it: before the lists
        m_window.reset();
    }

    void whatIsWrongIsSaidUnderlinedAndNotApplied() {
        QVERIFY(m_bar->strip().isHidden());
        applyText("sate:waiting ");
        QCOMPARE(message(), QStringLiteral("There is no field \"sate\". Did you mean \"state\"?"));
        QVERIFY(m_bar->strip().isVisible());
        QVERIFY(m_lanes->filters.empty());
        QVERIFY(edit()->palette().color(QPalette::Base) !=
                QGuiApplication::palette().color(QPalette::Base));
        const QColor wrong = edit()->palette().color(QPalette::Base);
        QCOMPARE(edit()->accessibleDescription(), message());
        // Drawn: pixels of the wave's colour are below the first word and nowhere else.
        const QImage picture = edit()->grab().toImage();
        type("state:waiting ");
        QVERIFY(edit()->palette().color(QPalette::Base) != wrong);
        QVERIFY(edit()->grab().toImage() != picture);
        QTest::keyClick(edit(), Qt::Key_Return);
        QCOMPARE(inForce(*m_lanes), QStringLiteral("state:waiting"));
        QVERIFY(message().isEmpty());
    }

    void whoIsStillTypingIsNotScolded() {
        type("sta");
        QCOMPARE(edit()->palette().color(QPalette::Base),
                 QGuiApplication::palette().color(QPalette::Base));
        type("state:waiting error:x");
        QVERIFY(message().contains(QLatin1String("has no field \"error\"")));
        QVERIFY(message().contains(QLatin1String("Dead letters")));
    }

    void wordsAreOfferedAndTaken() {
        type("sta");
        QCOMPARE(offered(), (QStringList{QStringLiteral("state:"), QStringLiteral("status:")}));
        QTest::keyClick(words(), Qt::Key_Down);
        QTest::keyClick(words(), Qt::Key_Return);
        QCOMPARE(edit()->text(), QStringLiteral("state:"));
        // Its values come at once.
        QCOMPARE(offered().value(1), QStringLiteral("\"in flight\""));
        QTest::keyClick(words(), Qt::Key_Escape);
        QVERIFY(!words());
        QVERIFY(edit()->hasFocus());
        type("dest:c");
        QTest::keyClick(words(), Qt::Key_Tab);
        QCOMPARE(edit()->text(), QStringLiteral("dest:crm"));
        QTest::keyClick(edit(), Qt::Key_Return);
        QCOMPARE(inForce(*m_lanes), QStringLiteral("dest:crm"));
    }

    void chipsShowWhatIsInForceAndTakeItAway() {
        applyText("dest:crm attempts>=5 (life:1 OR life:2)");
        QCOMPARE(chips(), (QStringList{QStringLiteral("dest:crm"), QStringLiteral("attempts>=5"),
                                       QStringLiteral("life:1 OR life:2")}));
        auto* chip = m_bar->strip().findChildren<FilterChip*>().at(1);
        QTest::mouseClick(chip->findChild<QToolButton*>(QStringLiteral("filterRemove")),
                          Qt::LeftButton);
        QCOMPARE(edit()->text(), QStringLiteral("dest:crm (life:1 OR life:2)"));
        QCOMPARE(inForce(*m_lanes), edit()->text());
        QCOMPARE(chips().size(), 2);
    }

    void theButtonInTheFieldTakesItAllAway() {
        applyText("attempts>=5");
        auto* clear = edit()->findChild<QAction*>(QStringLiteral("_q_qlineeditclearaction"));
        QVERIFY(clear);
        for (auto* button : edit()->findChildren<QToolButton*>())
            if (button->defaultAction() == clear) QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(edit()->text().isEmpty());
        QVERIFY(m_bar->filterOf(*m_lanes).isEverything());
        QVERIFY(chips().isEmpty());
    }

    void escapeGoesBackToTheList() {
        applyText("attempts>=5");
        type("attempts>=6");
        if (words()) QTest::keyClick(words(), Qt::Key_Escape);
        QTest::keyClick(edit(), Qt::Key_Escape);
        QCOMPARE(edit()->text(), QStringLiteral("attempts>=5"));
        QVERIFY(m_lanes->hasFocus());
    }

    void whatWasAppliedComesBackWithTheArrows() {
        applyText("life:1");
        applyText("life:2");
        applyText("life:1");
        type("li");
        QTest::keyClick(words(), Qt::Key_Escape);
        QTest::keyClick(edit(), Qt::Key_Up);
        QCOMPARE(edit()->text(), QStringLiteral("life:1"));
        QTest::keyClick(edit(), Qt::Key_Up);
        QCOMPARE(edit()->text(), QStringLiteral("life:2"));
        QTest::keyClick(edit(), Qt::Key_Up);
        QCOMPARE(edit()->text(), QStringLiteral("life:2"));
        QTest::keyClick(edit(), Qt::Key_Down);
        QTest::keyClick(edit(), Qt::Key_Down);
        QCOMPARE(edit()->text(), QStringLiteral("li"));
        for (int n = 0; n < 60; ++n)
            KeptFilters::remember(FilterList::lanes, QStringLiteral("life:%1").arg(n));
        QCOMPARE(KeptFilters::history(FilterList::lanes).size(), KeptFilters::kHistory);
        QCOMPARE(KeptFilters::history(FilterList::lanes).front(), QStringLiteral("life:59"));
        QVERIFY(KeptFilters::history(FilterList::deadLetters).isEmpty());
    }

    void aFilterIsKeptRenamedAndRemoved() {
        type("attempts>=5");
        QTest::mouseClick(m_bar->findChild<QToolButton*>(QStringLiteral("filterStar")),
                          Qt::LeftButton);
        auto* dialog = m_bar->findChild<QInputDialog*>(QStringLiteral("filterName"));
        QVERIFY(dialog);
        dialog->setTextValue(QStringLiteral("stuck & sad"));
        dialog->accept();
        QCOMPARE(saved().size(), std::size_t(1));
        QVERIFY(saved().front()->text().endsWith(QLatin1String("stuck && sad")));
        QVERIFY(m_lanes->filters.empty());
        QTest::mouseClick(saved().front(), Qt::LeftButton);
        QCOMPARE(inForce(*m_lanes), QStringLiteral("attempts>=5"));
        // Each list has its own.
        m_bar->showList(*m_dead);
        QVERIFY(saved().empty());
        m_bar->showList(*m_lanes);
        QCOMPARE(saved().size(), std::size_t(1));
        emit saved().front()->customContextMenuRequested({2, 2});
        auto* menu = m_bar->findChild<QMenu*>(QStringLiteral("savedFilterMenu"));
        QVERIFY(menu);
        menu->actions().at(0)->trigger();
        dialog = nullptr;
        for (auto* found : m_bar->findChildren<QInputDialog*>(QStringLiteral("filterName")))
            if (found->isVisible()) dialog = found;
        QVERIFY(dialog);
        dialog->setTextValue(QStringLiteral("stuck"));
        dialog->accept();
        QVERIFY(saved().front()->text().endsWith(QLatin1String(" stuck")));
        menu->close();
        QTRY_VERIFY(!m_bar->findChild<QMenu*>(QStringLiteral("savedFilterMenu")));
        emit saved().front()->customContextMenuRequested({2, 2});
        menu = m_bar->findChild<QMenu*>(QStringLiteral("savedFilterMenu"));
        menu->actions().at(1)->trigger();
        QVERIFY(saved().empty());
        menu->close();
        QVERIFY(KeptFilters::saved(FilterList::lanes).empty());
    }

    void savedFiltersSayHowManyFit() {
        KeptFilters::save(FilterList::lanes,
                          {QStringLiteral("stuck"), QStringLiteral("attempts>5")});
        KeptFilters::save(FilterList::lanes, {QStringLiteral("gone"), QStringLiteral("dest:gone")});
        KeptFilters::save(FilterList::lanes, {QStringLiteral("crm"), QStringLiteral("dest:crm")});
        m_bar->showList(*m_dead);
        m_bar->showList(*m_lanes);
        QTRY_COMPARE(saved().size(), std::size_t(3));
        QCOMPARE(saved()[0]->text(), QStringLiteral("\u2605 stuck"));
        // One after another, and none that means nothing any more.
        QTRY_COMPARE(m_lanes->toCount.size(), std::size_t(1));
        m_lanes->count({12, false, false});
        QCOMPARE(saved()[0]->text(), QStringLiteral("\u2605 stuck · 12"));
        QVERIFY(saved()[0]->toolTip().contains(QLatin1String("12 fit, counted ")));
        QTRY_COMPARE(m_lanes->toCount.size(), std::size_t(2));
        QCOMPARE(m_lanes->toCount[1], numberIs(FilterField::destination, 1));
        m_lanes->count({1204, true, false});
        QCOMPARE(saved()[2]->text(), QStringLiteral("\u2605 crm · 999+"));
        QCOMPARE(saved()[1]->text(), QStringLiteral("\u2605 gone"));
        // What is known stays known while another list is in front.
        m_bar->showList(*m_dead);
        m_bar->showList(*m_lanes);
        QCOMPARE(saved()[0]->text(), QStringLiteral("\u2605 stuck · 12"));
    }

    void nothingIsCountedWhileNobodySeesIt() {
        KeptFilters::save(FilterList::lanes,
                          {QStringLiteral("stuck"), QStringLiteral("attempts>5")});
        m_window->hide();
        m_bar->showList(*m_dead);
        m_bar->showList(*m_lanes);
        QTest::qWait(1200);
        QVERIFY(m_lanes->toCount.empty());
        m_bar->setFrozen(true);
        m_window->show();
        QTest::qWait(1200);
        QVERIFY(m_lanes->toCount.empty());
        m_bar->setFrozen(false);
        QTRY_COMPARE(m_lanes->toCount.size(), std::size_t(1));
    }

    void nothingFitsSaysWhyAndOffersToDropIt() {
        applyText("dest:crm status:503 type:x&y");
        m_lanes->tell({false, false, true, {}});
        QCOMPARE(message(), QStringLiteral("Nothing fits."));
        QVERIFY(m_lanes->ask);
        m_lanes->ask({{0, false, false}, {12, false, false}, {3, false, false}});
        QCOMPARE(message(),
                 QStringLiteral("Nothing fits; 12 would without status:503."));
        QCOMPARE(act()->text(), QStringLiteral("Drop status:503"));
        QTest::mouseClick(act(), Qt::LeftButton);
        QCOMPARE(inForce(*m_lanes), QStringLiteral("dest:crm type:x&y"));
        m_lanes->tell({false, false, true, {}});
        m_lanes->ask({{5, true, false}, {0, false, false}});
        QCOMPARE(message(),
                 QStringLiteral("Nothing fits; 5 or more would without dest:crm."));
        applyText("life:1 life:2");
        m_lanes->tell({false, false, true, {}});
        m_lanes->ask({{0, false, false}, {0, false, false}});
        QVERIFY(message().contains(QLatin1String("no single condition is the reason")));
        QTest::mouseClick(act(), Qt::LeftButton);
        QVERIFY(m_bar->filterOf(*m_lanes).isEverything());
    }

    void aLookIsShownAndStaysCancelled() {
        type("backlog>10");
        QVERIFY(message().contains(QLatin1String("looks at each row")));
        QTest::keyClick(edit(), Qt::Key_Return);
        m_lanes->tell({true, false, false, QStringLiteral("Looks at each lane: 5 of 9")});
        QCOMPARE(message(), QStringLiteral("Looks at each lane: 5 of 9"));
        QCOMPARE(act()->text(), QStringLiteral("Cancel"));
        QTest::mouseClick(act(), Qt::LeftButton);
        QCOMPARE(m_lanes->ended, 1);
        QCOMPARE(message(), QStringLiteral("Ended after 5 lanes."));
        QCOMPARE(act()->text(), QStringLiteral("Look on"));
        QTest::mouseClick(act(), Qt::LeftButton);
        QCOMPARE(m_lanes->lookedOn, 1);
    }

    void theDestinationIsCommonToAllLists() {
        QSignalSpy changed(m_bar, &FilterBar::destinationChanged);
        applyText("dest:crm attempts>=5");
        QCOMPARE(changed.count(), 1);
        QCOMPARE(m_bar->destination(), DestinationId(1));
        QCOMPARE(inForce(*m_dead), QStringLiteral("dest:crm"));
        m_bar->showList(*m_dead);
        QCOMPARE(edit()->text(), QStringLiteral("dest:crm"));
        applyText("dest:crm error:x");
        QCOMPARE(changed.count(), 1);
        m_bar->setDestination(DestinationId(2));
        QCOMPARE(changed.count(), 1);  // whoever sets it knows
        QCOMPARE(edit()->text(), QStringLiteral("dest:billing error~x"));
        QCOMPARE(inForce(*m_lanes), QStringLiteral("dest:billing attempts>=5"));
        applyText("(dest:crm OR dest:billing) error:x");
        QCOMPARE(changed.count(), 2);
        QCOMPARE(m_bar->destination(), DestinationId());
        QCOMPARE(inForce(*m_lanes), QStringLiteral("attempts>=5"));
        m_bar->setDestination(DestinationId(1));
        m_bar->setDestination({});
        QCOMPARE(edit()->text(), QStringLiteral("error~x"));
    }

    void cellsMakeConditions() {
        applyText("dest:crm");
        QMenu menu;
        addFilterActions(menu, numberIs(FilterField::status, 503), m_lanes->ports());
        const auto trigger = [&menu](const char* name) {
            auto* action = menu.findChild<QAction*>(QLatin1String(name));
            QVERIFY2(action, name);
            action->trigger();
        };
        QVERIFY(menu.findChild<QAction*>(QStringLiteral("filterOnly"))
                    ->text()
                    .contains(QLatin1String("status:503")));
        trigger("filterExclude");
        QCOMPARE(inForce(*m_lanes), QStringLiteral("dest:crm NOT status:503"));
        trigger("filterOr");
        QCOMPARE(edit()->text(), QStringLiteral("(dest:crm NOT status:503) OR status:503"));
        QCOMPARE(inForce(*m_lanes), QStringLiteral("dest:crm NOT status:503"));  // not yet
        QVERIFY(edit()->hasFocus());
        trigger("filterAnd");
        QCOMPARE(edit()->text(), QStringLiteral("dest:crm NOT status:503 status:503"));
        trigger("filterOnly");
        QCOMPARE(inForce(*m_lanes), QStringLiteral("status:503"));
        QCOMPARE(m_bar->destination(), DestinationId());
    }
};

QTEST_MAIN(FilterBarTest)
#include "filter_bar_test.moc"

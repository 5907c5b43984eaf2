// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace lanes;
using namespace lanes::app;

namespace {

std::vector<std::string> words(const QByteArray& line) {
    std::vector<std::string> result;
    for (const auto& word : line.split(' '))
        if (!word.isEmpty()) result.push_back(word.toStdString());
    return result;
}

Options good(const QByteArray& line) {
    auto read = readCommandLine(words(line));
    if (const auto* error = std::get_if<UsageError>(&read)) {
        qWarning("%s", error->text.c_str());
        return {};
    }
    return std::get<Options>(std::move(read));
}

template <typename T>
T operation(const QByteArray& line) {
    const auto options = good(line);
    const auto* any = std::get_if<Operation>(&options.action);
    const auto* wanted = any ? std::get_if<T>(any) : nullptr;
    if (!wanted) QTest::qFail("another operation was read", __FILE__, __LINE__);
    return wanted ? *wanted : T{};
}

template <typename T>
T action(const QByteArray& line) {
    const auto options = good(line);
    const auto* wanted = std::get_if<T>(&options.action);
    if (!wanted) QTest::qFail("another action was read", __FILE__, __LINE__);
    return wanted ? *wanted : T{};
}

}  // namespace

class CommandLineTest : public QObject {
    Q_OBJECT

private slots:
    void opensTheConsoleWithoutArguments() {
        const auto console = action<RunConsole>("");
        QVERIFY(!console.demo);
        QVERIFY(!console.listenPort.has_value());
    }

    void readsTheConsole() {
        const auto options =
            good("--data-dir /x --config c.json --listen 0 --theme dark --log-rules lanes.*=true");
        QCOMPARE(options.dataDirectory, std::string("/x"));
        QCOMPARE(options.logRules, std::string("lanes.*=true"));
        const auto& console = std::get<RunConsole>(options.action);
        QCOMPARE(console.configFile, std::string("c.json"));
        QCOMPARE(console.listenPort.value_or(1), std::uint16_t(0));
        QVERIFY(console.theme == Theme::dark);
        QVERIFY(action<RunConsole>("--demo").demo);
        QVERIFY(action<RunConsole>("demo").demo);
    }

    void readsHeadless() {
        const auto plain = action<RunHeadless>("headless");
        QCOMPARE(plain.listenPort, kDefaultPort);
        QVERIFY(!plain.quiet);
        const auto headless = action<RunHeadless>("headless --listen=8080 --quiet --config=a.json");
        QCOMPARE(headless.listenPort, std::uint16_t(8080));
        QVERIFY(headless.quiet);
        QCOMPARE(headless.configFile, std::string("a.json"));
    }

    void readsTheLaboratory() {
        const auto plain = action<PlayLab>("lab");
        QCOMPARE(plain.scenario, std::string("refuse"));
        QCOMPARE(plain.seed, std::uint64_t(1));
        QVERIFY(!plain.quick && plain.senders.empty());
        const auto lab = action<PlayLab>(
            "lab --scenario all --seed 7 --quick --sender queue --sender lanes-backoff");
        QCOMPARE(lab.scenario, std::string("all"));
        QCOMPARE(lab.seed, std::uint64_t(7));
        QVERIFY(lab.quick);
        QCOMPARE(lab.senders, (std::vector{LabSenderKind::queue, LabSenderKind::lanesBackoff}));
    }

    void readsTheSimulation() {
        const auto plain = action<PlaySimulation>("simulate");
        QCOMPARE(plain.first, std::uint64_t(1));
        QCOMPARE(plain.last, std::uint64_t(100));
        QCOMPARE(plain.options.length, 10 * kMinute);
        QCOMPARE(plain.options.events, 20'000u);
        const auto play = action<PlaySimulation>(
            "simulate --seeds 7..9 --minutes 3 --destinations 2 --users 60 --events 1800");
        QCOMPARE(play.first, std::uint64_t(7));
        QCOMPARE(play.last, std::uint64_t(9));
        QCOMPARE(play.options.length, 3 * kMinute);
        QCOMPARE(play.options.destinations, 2u);
        QCOMPARE(play.options.users, 60u);
        QCOMPARE(play.options.events, 1'800u);
    }

    void readsTheDemonstration() {
        QCOMPARE(action<RunDemo>("demo --headless").length, 20 * kSecond);
        const auto options = good("demo --headless --for 2m --json --shots out");
        QVERIFY(options.json);
        QCOMPARE(std::get<RunDemo>(options.action).length, 2 * kMinute);
        QCOMPARE(std::get<RunDemo>(options.action).shotsDirectory, std::string("out"));
    }

    void readsANewDestination() {
        const auto put = operation<PutDestination>(
            "destinations add crm https://example.org/hook --window 48h --in-flight 8 "
            "--attempt-timeout 5s --type a.b --type c --hold --dead-letter-status 422 "
            "--secret whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw --header X-Team:ops");
        QVERIFY(put.isNew);
        QCOMPARE(put.change.name, std::string("crm"));
        QCOMPARE(*put.change.url, std::string("https://example.org/hook"));
        QCOMPARE(*put.change.window, 48 * kHour);
        QCOMPARE(*put.change.maxInFlight, 8u);
        QCOMPARE(*put.change.attemptTimeout, 5 * kSecond);
        QCOMPARE(*put.change.eventTypes, (std::vector<std::string>{"a.b", "c"}));
        QCOMPARE(*put.change.afterDeadLetter, AfterDeadLetter::hold);
        QCOMPARE(put.change.deadLetterStatuses->front(), std::uint16_t(422));
        QCOMPARE(put.change.headers->front().second, std::string("ops"));
        QCOMPARE(put.change.secrets->size(), std::size_t(1));
        QVERIFY(!put.change.connectTimeout.has_value());
    }

    void readsHowADestinationIsReached() {
        const QTemporaryDir directory;
        const auto file = [&](const char* name, const char* text) {
            QFile out(directory.filePath(QString::fromLatin1(name)));
            if (out.open(QIODevice::WriteOnly)) out.write(text);
            return out.fileName().toStdString();
        };
        const auto put = operation<PutDestination>(QByteArray::fromStdString(
            "destinations add crm https://h/ --body cloudevents-structured --bearer @" +
            file("token", "t0ken\n") + " --client-certificate " + file("c.pem", "certificate\n") +
            " --client-key " + file("k.pem", "key\n") + " --pin " +
            "AA:" + std::string(62, 'b') + " --proxy socks5://p:1080 --proxy-login anna:a:b"));
        QCOMPARE(*put.change.body, BodyFormat::cloudEventsStructured);
        QVERIFY((*put.change.authentication ==
                 Authentication{Authentication::Scheme::bearer, {}, "t0ken"}));
        QCOMPARE(put.change.clientCertificate->first, std::string("certificate\n"));
        QCOMPARE(put.change.clientCertificate->second, std::string("key\n"));
        QCOMPARE(*put.change.pin, "aa" + std::string(62, 'b'));
        QVERIFY((*put.change.proxy == ProxyConfig{"socks5://p:1080", "anna", "a:b"}));

        const auto off = operation<PutDestination>(
            "destinations set crm --no-login --no-client-certificate --pin none --proxy none");
        DestinationConfig config = changed({}, put.change);
        config = changed(config, off.change);
        QVERIFY(config.authentication == Authentication{});
        QVERIFY(config.tls == TlsIdentity{});
        QVERIFY(config.proxy == ProxyConfig{});
    }

    void makesASecret() {
        const auto one =
            operation<PutDestination>("destinations add a http://h/ --generate-secret");
        const auto two =
            operation<PutDestination>("destinations add a http://h/ --generate-secret");
        QVERIFY(one.secretWasGenerated);
        QVERIFY(one.change.secrets != two.change.secrets);
        DestinationConfig config = changed({}, one.change);
        QCOMPARE(validate(config), std::string());
    }

    void readsAChangeOfADestination() {
        const auto put =
            operation<PutDestination>("destinations set crm --url http://h:1/ --go-on");
        QVERIFY(!put.isNew);
        QCOMPARE(*put.change.url, std::string("http://h:1/"));
        QCOMPARE(*put.change.afterDeadLetter, AfterDeadLetter::goOn);
    }

    void readsShortOperations() {
        QCOMPARE(operation<DropDestination>("destinations remove crm").name, std::string("crm"));
        operation<ListDestinations>("destinations list --json");
        QCOMPARE(operation<Pause>("pause crm --reason upgrade").reason, std::string("upgrade"));
        QCOMPARE(operation<Resume>("resume crm").name, std::string("crm"));
        QCOMPARE(operation<ShowEvent>("events show 12").sequence, std::uint64_t(12));
        operation<ShowStatus>("status");
        operation<ShowWriteKey>("write-key");
        action<VerifyStore>("verify --data-dir /x");
        QCOMPARE(action<MakeBackup>("backup /b/monday.db").force, false);
        QCOMPARE(action<MakeBackup>("backup /b/monday.db --force").force, true);
        QCOMPARE(action<RestoreBackup>("restore /b/monday.db").file, std::string("/b/monday.db"));
        action<SalvageStore>("salvage --json");
        action<ShowVersion>("--version");
        action<ShowDiagnostics>("--diagnostics --json");
    }

    void readsLanes() {
        const auto lanes =
            operation<ListLanes>("lanes --destination crm --limit 7 --order backlog");
        QCOMPARE(lanes.destination, std::string("crm"));
        QCOMPARE(lanes.limit, 7u);
        QCOMPARE(lanes.order, LaneOrder::backlog);
    }

    void readsRewinds() {
        const auto all = operation<MoveDeadLetters>("dead-letters rewind --all-of crm --yes");
        QVERIFY(all.rewind);
        QVERIFY(all.confirmed);
        QCOMPARE(all.choice.destination, std::string("crm"));
        const auto some = operation<MoveDeadLetters>("dead-letters rewind --event 5 7 --event 9");
        QCOMPARE(some.choice.events.size(), std::size_t(3));
        QVERIFY(!some.confirmed);
        const auto user =
            operation<MoveDeadLetters>("dead-letters discard --user u1 --destination crm");
        QVERIFY(!user.rewind);
        QCOMPARE(user.choice.filter.user, std::string("u1"));
        QCOMPARE(user.choice.destination, std::string("crm"));
    }

    void readsFiltersOfDeadLetters() {
        const auto list = operation<ListDeadLetters>(
            "dead-letters list --destination crm --user u1 --type order.paid --id e9 --status 5xx "
            "--outcome overloaded --error quota --since 2h --before 2026-11-29T14:00:00.5+01:00 "
            "--never-tried --filter attempts>=5 --limit 7");
        QCOMPARE(list.choice.filterText, std::string("attempts>=5"));
        const auto& filter = list.choice.filter;
        QCOMPARE(list.choice.destination, std::string("crm"));
        QCOMPARE(filter.user, std::string("u1"));
        QCOMPARE(filter.type, std::string("order.paid"));
        QCOMPARE(filter.eventId, std::string("e9"));
        QCOMPARE(filter.statusFrom, std::uint16_t(500));
        QCOMPARE(filter.statusTo, std::uint16_t(599));
        QCOMPARE(*filter.lastOutcome, Outcome::overloaded);
        QCOMPARE(filter.errorContains, std::string("quota"));
        QVERIFY(filter.neverTried);
        QCOMPARE(list.choice.since.seenFrom(10 * kHour), 8 * kHour);
        QCOMPARE(list.choice.before.seenFrom(0), WallMicros(1'795'957'200'500'000));
        QCOMPARE(list.limit, 7u);
        const auto one = operation<ListDeadLetters>("dead-letters list --status 503").choice.filter;
        QCOMPARE(one.statusFrom, std::uint16_t(503));
        QCOMPARE(one.statusTo, std::uint16_t(503));
    }

    void readsHowARewindGoes() {
        const auto paced = operation<MoveDeadLetters>(
            "dead-letters rewind --status 500-504 --pace 2.5 --tracer 20 --plan");
        QCOMPARE(paced.choice.filter.statusTo, std::uint16_t(504));
        QCOMPARE(paced.pace, 2.5);
        QCOMPARE(paced.tracer, 20u);
        QVERIFY(paced.planOnly && !paced.lanes);
        QVERIFY(operation<MoveDeadLetters>("dead-letters rewind --user u1 --lane").lanes);
    }

    void readsEditsOperationsAndHolds() {
        const auto edit = operation<EditDeadLetter>(
            "dead-letters edit 12 --destination crm --payload-file p.json --reason typo");
        QCOMPARE(edit.sequence, std::uint64_t(12));
        QCOMPARE(edit.destination, std::string("crm"));
        QCOMPARE(edit.payloadFile, std::string("p.json"));
        QCOMPARE(edit.reason, std::string("typo"));
        const auto note =
            operation<NoteDeadLetter>("dead-letters note 12 --destination crm --text asked");
        QCOMPARE(note.sequence, std::uint64_t(12));
        QCOMPARE(note.destination, std::string("crm"));
        QCOMPARE(note.text, std::string("asked"));
        QVERIFY(operation<NoteDeadLetter>("dead-letters note 12 --destination crm --text=")
                    .text.empty());
        QCOMPARE(operation<ListOperations>("operations list --limit 3").limit, 3u);
        QCOMPARE(operation<ShowOperation>("operations show 8 --limit 9").id, std::uint64_t(8));
        QCOMPARE(operation<HaltOperation>("operations stop 8").id, std::uint64_t(8));
        QCOMPARE(operation<UndoOperation>("operations undo 8").id, std::uint64_t(8));
        const auto hold =
            operation<HoldUser>("hold u1 --destination crm --anonymous --reason call");
        QCOMPARE(hold.user, std::string("u1"));
        QVERIFY(hold.anonymous && !hold.release);
        QCOMPARE(hold.reason, std::string("call"));
        QVERIFY(operation<HoldUser>("release u1 --destination crm").release);
        QCOMPARE(operation<Pause>("pause crm --for 15m").length, 15 * kMinute);
    }

    void readsLimitsOfADestination() {
        const auto put =
            operation<PutDestination>("destinations set crm --rate-limit 2.5 --allow-edits");
        QCOMPARE(*put.change.rateLimit, 2.5);
        QCOMPARE(*put.change.allowEdits, true);
        const auto none =
            operation<PutDestination>("destinations set crm --rate-limit 0 --no-edits");
        QCOMPARE(*none.change.rateLimit, 0.0);
        QCOMPARE(*none.change.allowEdits, false);
    }

    void takesOptionsBeforeTheCommand() {
        const auto options = good("--data-dir /x --json status");
        QCOMPARE(options.dataDirectory, std::string("/x"));
        QVERIFY(options.json);
        QVERIFY(std::holds_alternative<Operation>(options.action));
    }

    void takesAnythingAfterTwoDashesAsText() {
        QCOMPARE(operation<Pause>("pause -- -crm").name, std::string("-crm"));
    }

    void helpsWithEachCommand_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("says");
        QTest::newRow("the program") << QByteArray("--help") << QByteArray("dead-letters rewind");
        QTest::newRow("by its letter") << QByteArray("-h") << QByteArray("Commands:");
        QTest::newRow("a command") << QByteArray("headless --help") << QByteArray("--listen PORT");
        QTest::newRow("a command of two words")
            << QByteArray("destinations add --help") << QByteArray("--generate-secret");
        QTest::newRow("a group") << QByteArray("destinations --help") << QByteArray("Commands:");
        QTest::newRow("help wins over a mistake")
            << QByteArray("lanes --help --nonsense") << QByteArray("--destination NAME");
    }
    void helpsWithEachCommand() {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, says);
        QVERIFY(action<ShowHelp>(line).text.find(says.toStdString()) != std::string::npos);
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("says");
        const auto row = [](const char* name, const char* line, const char* says) {
            QTest::newRow(name) << QByteArray(line) << QByteArray(says);
        };
        row("an unknown command", "frobnicate", "no command \"frobnicate\"");
        row("an unknown option", "--frobnicate", "no option --frobnicate");
        row("an unknown word of a group", "destinations frob", "no command \"destinations frob\"");
        row("a group alone", "dead-letters", "list, rewind, discard, edit, note");
        row("an option of another command", "status --listen 1", "no option --listen");
        row("an option without its value", "headless --listen", "--listen needs a value");
        row("a value for a switch", "status --json=yes", "--json takes no value");
        row("an option twice", "headless --listen 1 --listen 2", "twice");
        row("an argument too many", "pause crm now", "\"now\" is one argument too many");
        row("an argument too few", "destinations add crm", "needs NAME URL");
        row("a port that is no number", "headless --listen x", "from 0 to 65535");
        row("a port that is too large", "headless --listen 65536", "from 0 to 65535");
        row("a negative port", "headless --listen -1", "from 0 to 65535");
        row("an unknown theme", "--theme pink", "light, dark or system");
        row("a demonstration that is too short", "demo --headless --for 1s", "from 5s");
        row("a demonstration without a unit", "demo --headless --for 20", "such as 90s");
        row("a length for the window", "demo --for 20s", "demo --headless");
        row("a URL of another kind", "destinations add crm ftp://x/", "http:// or https://");
        row("a URL with a password", "destinations add crm http://u:p@x/",
            "user name and password");
        row("a bad secret", "destinations add crm http://x/ --secret abc", "whsec_");
        row("a bad name", "destinations add a/b http://x/", "name:");
        row("a window that is too short", "destinations add c http://x/ --window 5s", "from 1m");
        row("no request at once", "destinations add c http://x/ --in-flight 0", "from 1 to 256");
        row("two secrets of two kinds",
            "destinations add c http://x/ --generate-secret --secret whsec_x", "either --secret");
        row("a header without a colon", "destinations add c http://x/ --header X", "NAME: VALUE");
        row("two logins", "destinations add c http://x/ --basic a:b --bearer t", "give one of");
        row("a login without a password", "destinations add c http://x/ --basic a",
            "USER:PASSWORD");
        row("a token in a file that is not there",
            "destinations add c http://x/ --bearer @/no/such", "cannot be read");
        row("a certificate without a key",
            "destinations add c https://x/ --client-certificate /dev/null", "--client-key");
        row("a body of another kind", "destinations add c http://x/ --body xml", "as-received");
        row("a login for no proxy", "destinations set c --proxy-login a:b", "goes with --proxy");
        row("an export that replaces nothing", "destinations export --force", "--force");
        row("an import of nothing", "destinations import", "needs FILE");
        row("two ways to change keys", "sources rotate shop --at-once --finish", "give either");
        row("a rejected event without a number", "quarantine show x", "by its number");
        row("a discard of nothing", "quarantine discard", "say --all");
        row("a discard of some and all", "quarantine discard 3 --all", "say --all");
        row("a reserved header", "destinations add c http://x/ --header Host:y",
            "set by the program");
        row("a change of nothing", "destinations set crm", "what to change");
        row("a rewind of nothing", "dead-letters rewind --yes",
            "--all-of DESTINATION, --event SEQ");
        row("a rewind of two things", "dead-letters rewind --all-of a --destination b",
            "either --all-of");
        row("a filter beside events", "dead-letters rewind --event 5 --status 503",
            "--event goes with --destination only");
        row("an empty filter", "dead-letters rewind --error=", "--error must not be empty");
        row("an empty text of a filter", "dead-letters rewind --filter=",
            "--filter must not be empty");
        row("a status that is none", "dead-letters list --status 9xx", "503, 500-504 or 5xx");
        row("a range of statuses that is none", "dead-letters list --status 504-500",
            "503, 500-504 or 5xx");
        row("an unknown outcome", "dead-letters list --outcome lost", "refused, throttled");
        row("a time without its zone", "dead-letters list --since 2026-11-29T14:00:00",
            "a time with its zone");
        row("a pace for whole lanes", "dead-letters rewind --all-of a --lane --pace 5",
            "without --pace and --tracer");
        row("a pace of nothing", "dead-letters rewind --all-of a --pace 0", "from 0.01");
        row("an edit without a payload", "dead-letters edit 5 --destination a", "--payload-file");
        row("a note without its text", "dead-letters note 5 --destination a", "--text");
        row("a note of all destinations", "dead-letters note 5 --text a", "--destination");
        row("an edit of all destinations", "dead-letters edit 5 --payload-file f",
            "--destination NAME");
        row("an operation by another name", "operations show last", "operations list");
        row("a hold of nowhere", "hold u1", "--destination NAME");
        row("a pause that never ends", "pause crm --for 90d", "from 1s to 30d");
        row("a rate that is too small", "destinations set c --rate-limit 0.001",
            "from 0.01 to 10000");
        row("edits both ways", "destinations set c --allow-edits --no-edits",
            "either --allow-edits");
        row("an event by another name", "events show abc", "position in the log");
        row("event zero", "dead-letters rewind --event 0", "positions in the log");
        row("an empty data directory", "status --data-dir=", "must not be empty");
        row("a limit of zero", "lanes --limit 0", "from 1 to 1000");
        row("an unknown sender", "lab --sender pigeon", "queue, strict, lanes-backoff or lanes");
        const char* range = "--seeds takes a range such as 1..500";
        row("a range of seeds without dots", "simulate --seeds 7", range);
        row("a range of seeds that runs backwards", "simulate --seeds 9..3", range);
        row("a range of seeds without an end", "simulate --seeds 9..", range);
        row("a range of seeds with a sign", "simulate --seeds -1..3", range);
        row("a range of seeds with three dots", "simulate --seeds 1...3", range);
        row("a range of seeds that nobody can count", "simulate --seeds 1..1000000000000000001",
            range);
        row("no minutes", "simulate --minutes 0", "from 1 to 1440");
        row("too many destinations", "simulate --destinations 101", "from 1 to 100");
        row("more than the memory holds", "simulate --destinations 100 --events 1000000",
            "10000000 at most");
        row("a seed that is no number", "lab --seed x", "--seed takes a number");
    }
    void refuses() {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, says);
        const auto read = readCommandLine(words(line));
        const auto* error = std::get_if<UsageError>(&read);
        QVERIFY(error);
        QVERIFY2(error->text.find(says.toStdString()) != std::string::npos, error->text.c_str());
        QVERIFY2(error->text.find("--help") != std::string::npos, "it names no help");
        QVERIFY2(error->text.find('\n') == std::string::npos, "it is more than one line");
    }
};

QTEST_GUILESS_MAIN(CommandLineTest)
#include "command_line_test.moc"

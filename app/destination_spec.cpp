// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/destination_spec.h"

#include <QFile>

#include <tuple>
#include <utility>

namespace lanes::app {

namespace {

void readHeaders(TypedArguments& typed, DestinationChange& change) {
    if (!typed.has("--header")) return;
    change.headers.emplace();
    for (const auto& line : typed.texts("--header")) {
        const auto colon = line.find(':');
        if (colon == std::string::npos || colon == 0)
            return typed.fail("--header takes \"NAME: VALUE\"");
        const auto value = line.find_first_not_of(' ', colon + 1);
        change.headers->emplace_back(line.substr(0, colon),
                                     value == std::string::npos ? "" : line.substr(value));
    }
}

void readStatuses(TypedArguments& typed, DestinationChange& change) {
    if (!typed.has("--dead-letter-status")) return;
    change.deadLetterStatuses.emplace();
    for (const auto& text : typed.texts("--dead-letter-status")) {
        const auto status = wholeNumber(text);
        if (!status || *status < 300 || *status > 599)
            return typed.fail("--dead-letter-status takes a status from 300 to 599");
        change.deadLetterStatuses->push_back(static_cast<std::uint16_t>(*status));
    }
}

/// The bytes of a file of credentials; empty after a failure.
std::string readFile(TypedArguments& typed, const std::string& option, const std::string& path) {
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly)) {
        typed.fail(option + ": " + path + " cannot be read: " + file.errorString().toStdString());
        return {};
    }
    const auto bytes = file.read(static_cast<qint64>(limits::kCertificateBytes) + 1);
    if (static_cast<std::size_t>(bytes.size()) > limits::kCertificateBytes)
        typed.fail(option + ": " + path + " is larger than 64 KiB");
    return bytes.toStdString();
}

/// What was typed, or with "@FILE" what is in the file, without its last line end: what stands on a
/// command line is seen by everybody on the machine.
std::string credential(TypedArguments& typed, const std::string& option, const std::string& text) {
    if (!text.starts_with('@')) return text;
    auto content = readFile(typed, option, text.substr(1));
    while (content.ends_with('\n') || content.ends_with('\r')) content.pop_back();
    return content;
}

/// "USER:PASSWORD"
std::pair<std::string, std::string> login(TypedArguments& typed, const std::string& option) {
    const auto text = credential(typed, option, typed.text(option));
    const auto colon = text.find(':');
    if (colon == std::string::npos || colon == 0) {
        typed.fail(option + " takes USER:PASSWORD, or @FILE with that in it");
        return {};
    }
    return {text.substr(0, colon), text.substr(colon + 1)};
}

void readBody(TypedArguments& typed, DestinationChange& change) {
    if (!typed.has("--body")) return;
    const auto text = typed.text("--body");
    if (text == "as-received")
        change.body = BodyFormat::asReceived;
    else if (text == "cloudevents-binary")
        change.body = BodyFormat::cloudEventsBinary;
    else if (text == "cloudevents-structured")
        change.body = BodyFormat::cloudEventsStructured;
    else
        typed.fail("--body takes as-received, cloudevents-binary or cloudevents-structured");
}

void readLogin(TypedArguments& typed, DestinationChange& change) {
    if (typed.has("--basic") + typed.has("--bearer") + typed.has("--no-login") > 1)
        return typed.fail("give one of --basic, --bearer and --no-login");
    if (typed.has("--no-login")) change.authentication.emplace();
    if (typed.has("--bearer"))
        change.authentication = {Authentication::Scheme::bearer,
                                 {},
                                 credential(typed, "--bearer", typed.text("--bearer"))};
    if (!typed.has("--basic")) return;
    auto [user, password] = login(typed, "--basic");
    change.authentication = {Authentication::Scheme::basic, std::move(user), std::move(password)};
}

void readTls(TypedArguments& typed, DestinationChange& change) {
    const bool certificate = typed.has("--client-certificate");
    if (certificate != typed.has("--client-key") ||
        (certificate && typed.has("--no-client-certificate")))
        return typed.fail(
            "give --client-certificate and --client-key, or "
            "--no-client-certificate");
    if (typed.has("--no-client-certificate")) change.clientCertificate.emplace();
    if (certificate)
        change.clientCertificate = {
            readFile(typed, "--client-certificate", typed.text("--client-certificate")),
            readFile(typed, "--client-key", typed.text("--client-key"))};
    if (typed.has("--pin"))
        change.pin = typed.text("--pin") == "none" ? std::string() : tidyPin(typed.text("--pin"));
}

void readProxy(TypedArguments& typed, DestinationChange& change) {
    if (typed.has("--proxy")) {
        change.proxy.emplace();
        if (typed.text("--proxy") != "none") change.proxy->url = typed.text("--proxy");
    }
    if (!typed.has("--proxy-login")) return;
    if (!change.proxy || change.proxy->url.empty())
        return typed.fail("--proxy-login goes with --proxy");
    std::tie(change.proxy->user, change.proxy->password) = login(typed, "--proxy-login");
}

PutDestination readDestination(TypedArguments& typed) {
    PutDestination put;
    auto& change = put.change;
    change.name = typed.positional[0];
    if (typed.has("--secret") && typed.has("--generate-secret"))
        typed.fail("give either --secret or --generate-secret");
    if (typed.has("--hold") && typed.has("--go-on")) typed.fail("give either --hold or --go-on");
    if (typed.has("--secret")) {
        change.secrets.emplace();
        for (const auto& text : typed.texts("--secret"))
            change.secrets->push_back(credential(typed, "--secret", text));
    }
    put.secretWasGenerated = typed.has("--generate-secret");
    if (put.secretWasGenerated) change.secrets = {generateSecret()};
    change.window = typed.duration("--window", kMinute, 30 * 24 * kHour);
    change.attemptTimeout = typed.duration("--attempt-timeout", 100 * kMillisecond, 600 * kSecond);
    change.connectTimeout = typed.duration("--connect-timeout", 100 * kMillisecond, 120 * kSecond);
    if (typed.has("--in-flight"))
        change.maxInFlight = static_cast<std::uint32_t>(typed.number("--in-flight", 1, 256, 64));
    if (typed.has("--type")) change.eventTypes = typed.texts("--type");
    readHeaders(typed, change);
    readStatuses(typed, change);
    if (typed.has("--hold")) change.afterDeadLetter = AfterDeadLetter::hold;
    if (typed.has("--go-on")) change.afterDeadLetter = AfterDeadLetter::goOn;
    if (typed.has("--rate-limit")) {
        change.rateLimit = typed.decimal("--rate-limit", 0, 10'000, 0);
        if (!isRateLimit(*change.rateLimit))
            typed.fail("--rate-limit takes requests a second from 0.01 to 10000, or 0 for none");
    }
    if (typed.has("--allow-edits") && typed.has("--no-edits"))
        typed.fail("give either --allow-edits or --no-edits");
    if (typed.has("--allow-edits")) change.allowEdits = true;
    if (typed.has("--no-edits")) change.allowEdits = false;
    if (typed.has("--allow-link-local")) change.allowLinkLocal = true;
    readBody(typed, change);
    readLogin(typed, change);
    readTls(typed, change);
    readProxy(typed, change);
    return put;
}

}  // namespace

const std::vector<OptionSpec>& destinationOptions() {
    static const std::vector<OptionSpec> options = {
        {"--secret", "SECRET", "signs deliveries: whsec_ and base64; up to four while rotating",
         true},
        {"--generate-secret", "", "makes a secret and prints it once"},
        {"--window", "TIME", "retry window, 1m to 30d (72h)"},
        {"--in-flight", "N", "requests at once, 1 to 256 (64)"},
        {"--attempt-timeout", "TIME", "for one whole attempt, 100ms to 600s (30s)"},
        {"--connect-timeout", "TIME", "for the connection, 100ms to 120s (10s)"},
        {"--type", "TYPE", "takes only events of this type", true},
        {"--header", "\"NAME: VALUE\"", "sent with each delivery", true},
        {"--dead-letter-status", "STATUS", "dead-letters at once instead of retrying", true},
        {"--hold", "", "after a dead letter the user's later events wait"},
        {"--go-on", "", "after a dead letter the user's next event is delivered (default)"},
        {"--rate-limit", "N", "requests a second at most, 0.01 to 10000, 0 = none (0)"},
        {"--allow-edits", "", "dead letters may be edited before they are rewound"},
        {"--no-edits", "", "they may not (default)"},
        {"--allow-link-local", "", "permits 169.254.0.0/16 and fe80::/10"},
        {"--body", "FORMAT", "as-received (default), cloudevents-binary or -structured"},
        {"--basic", "USER:PASSWORD", "logs in with a user and a password"},
        {"--bearer", "TOKEN", "logs in with a token"},
        {"--no-login", "", "sends no credentials (default)"},
        {"--client-certificate", "FILE", "PEM, shown to an https destination, with its chain"},
        {"--client-key", "FILE", "PEM of its private key, without a password"},
        {"--no-client-certificate", "", "shows none (default)"},
        {"--pin", "SHA256",
         "accepts this certificate of the destination only; none = any good one"},
        {"--proxy", "URL", "http://HOST:PORT or socks5://HOST:PORT; none = directly"},
        {"--proxy-login", "USER:PASSWORD", "for the proxy"},
    };
    return options;
}

std::vector<OptionSpec> changeOptions() {
    auto options = destinationOptions();
    options.insert(options.begin(), {"--url", "URL", "the new address"});
    return options;
}

std::vector<OptionSpec> exportOptions() {
    return {{"--with-secrets", "", "with secrets and credentials, which are left out otherwise"},
            {"--force", "", "replaces a file that exists"}};
}

std::vector<OptionSpec> importOptions() {
    return {{"--dry-run", "", "shows what would change and changes nothing"},
            {"--yes", "", "does not ask"}};
}

Action readAddDestination(TypedArguments& typed) {
    auto put = readDestination(typed);
    put.change.url = typed.positional[1];
    if (const auto error = validate(changed({}, put.change)); !error.empty()) typed.fail(error);
    return Operation{std::move(put)};
}

Action readSetDestination(TypedArguments& typed) {
    auto put = readDestination(typed);
    put.isNew = false;
    if (typed.has("--url")) put.change.url = typed.text("--url");
    DestinationChange nothing;
    nothing.name = put.change.name;
    if (put.change == nothing) typed.fail("say what to change, for example --in-flight 8");
    return Operation{std::move(put)};
}

Action readRemoveDestination(TypedArguments& typed) {
    return Operation{DropDestination{typed.positional[0]}};
}

Action readExportDestinations(TypedArguments& typed) {
    ExportDestinations wanted;
    if (!typed.positional.empty()) wanted.file = typed.positional[0];
    wanted.withSecrets = typed.has("--with-secrets");
    wanted.force = typed.has("--force");
    if (wanted.force && wanted.file.empty()) typed.fail("--force belongs to a file");
    return Operation{std::move(wanted)};
}

Action readImportDestinations(TypedArguments& typed) {
    return Operation{
        ImportDestinations{typed.positional[0], typed.has("--dry-run"), typed.has("--yes")}};
}

}  // namespace lanes::app

// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lab_file.h"

#include "app/control_protocol.h"

#include <QFile>

#include <algorithm>
#include <cmath>
#include <optional>

namespace lanes::app {

namespace {

constexpr std::size_t kLabFileBytes = 64u << 10;  // a scenario is a few dozen short lines
constexpr double kLongest = 30 * 24 * 3600;       // seconds
/// Events of one run: a laboratory that fills the memory measures nothing.
constexpr double kMostEvents = 50e6;

/// Takes the fields of one object; notes the first that is not as it must be.
class FieldReader {
public:
    explicit FieldReader(const Json& object) : m_object(&object) {}

    void number(const char* key, double& field, double low, double high) {
        const auto value = take(key, low, high);
        if (value) field = *value;
    }
    template <typename Whole>
    void whole(const char* key, Whole& field, double low, double high) {
        const auto value = take(key, low, high);
        if (!value) return;
        if (*value != std::floor(*value)) return fail(key, "must be a whole number");
        field = static_cast<Whole>(*value);
    }
    void seconds(const char* key, Micros& field, double low) {
        const auto value = take(key, low, kLongest);
        if (value) field = static_cast<Micros>(*value * double{kSecond});
    }
    /// The text of a field that may be absent.
    std::string text(const char* key, std::string absent) {
        const auto found = m_object->find(key);
        if (found == m_object->end()) return absent;
        ++m_known;
        if (found->is_string() && found->get_ref<const std::string&>().size() <= 64)
            return found->get<std::string>();
        fail(key, "must be a text of at most 64 bytes");
        return absent;
    }
    const Json* list(const char* key, std::size_t most) {
        const auto found = m_object->find(key);
        if (found == m_object->end()) return nullptr;
        ++m_known;
        if (found->is_array() && found->size() <= most) return &*found;
        fail(key, "must be a list of at most " + std::to_string(most));
        return nullptr;
    }
    void fail(const std::string& key, const std::string& what) {
        if (error.empty()) error = "\"" + key + "\" " + what;
    }
    /// Call it when all fields were asked for.
    void refuseUnknown() {
        if (error.empty() && m_known != m_object->size()) error = "it has a field that is unknown";
    }

    std::string error;

private:
    std::optional<double> take(const char* key, double low, double high) {
        const auto found = m_object->find(key);
        if (found == m_object->end()) return {};
        ++m_known;
        const double value = found->is_number() ? found->get<double>() : std::nan("");
        if (value >= low && value <= high) return value;
        const auto bound = [](double limit) { return QString::number(limit).toStdString(); };
        fail(key, "must be a number from " + bound(low) + " to " + bound(high));
        return {};
    }

    const Json* m_object;
    std::size_t m_known = 0;
};

void readOutage(FieldReader& fields, LabScenario& scenario) {
    const auto word = fields.text("outage", "");
    if (word == "refuse")
        scenario.outage = LabOutage::refuse;
    else if (word == "hang")
        scenario.outage = LabOutage::hang;
    else if (word == "error")
        scenario.outage = LabOutage::error;
    else if (word == "partial")
        scenario.outage = LabOutage::partial;
    else if (word == "flap")
        scenario.outage = LabOutage::flap;
    else if (!word.empty())
        fields.fail("outage", "must be refuse, hang, error, partial or flap");
}

void readAnswers(FieldReader& fields, LabScenario& scenario) {
    const auto kind = fields.text("noise_kind", "");
    if (kind == "error")
        scenario.noiseKind = LabNoise::error;
    else if (kind == "overload")
        scenario.noiseKind = LabNoise::overload;
    else if (kind == "reset")
        scenario.noiseKind = LabNoise::reset;
    else if (!kind.empty())
        fields.fail("noise_kind", "must be error, overload or reset");
    fields.whole("bucket_status", scenario.bucketStatus, 429, 503);
    if (scenario.bucketStatus != 429 && scenario.bucketStatus != 503)
        fields.fail("bucket_status", "must be 429 or 503");
}

void readPhases(FieldReader& fields, LabScenario& scenario) {
    const auto* list = fields.list("phases", 100);
    if (!list) return;
    scenario.phases.clear();
    for (const auto& entry : *list) {
        if (!entry.is_object()) return fields.fail("phases", "must hold objects");
        LabPhase phase;
        FieldReader inner(entry);
        inner.seconds("begin_s", phase.begin, 0);
        inner.seconds("end_s", phase.end, 0);
        inner.number("from", phase.from, 0.01, 100);
        inner.number("to", phase.to, 0.01, 100);
        inner.refuseUnknown();
        if (inner.error.empty() && phase.end <= phase.begin)
            inner.fail("end_s", "must be after \"begin_s\"");
        if (!inner.error.empty()) return fields.fail("phases", "are not good: " + inner.error);
        scenario.phases.push_back(phase);
    }
}

void readFields(FieldReader& fields, LabScenario& scenario) {
    scenario.name = fields.text("name", "file");
    scenario.about = fields.text("about", "a scenario of a file");
    fields.whole("workers", scenario.workers, 1, 10'000);
    fields.number("service_s", scenario.serviceSeconds, 0.0001, 9);
    fields.whole("queue", scenario.queue, 0, 1'000'000);
    fields.number("burn", scenario.burn, 0, 1);
    // Of a limit that lets one event through in an hour nothing can be measured.
    fields.number("bucket_rate", scenario.bucketRate, 0.001, 1e6);
    scenario.bucketSize = std::max(scenario.bucketSize, scenario.bucketRate);
    fields.number("bucket_size", scenario.bucketSize, 1, 1e6);
    fields.whole("retry_after_s", scenario.retryAfterSeconds, -1, 3600);
    fields.number("noise", scenario.noise, 0, 0.9);
    fields.number("poison_share", scenario.poisonShare, 0, 0.5);
    fields.whole("users", scenario.users, 1, 10'000'000);
    fields.number("zipf", scenario.zipf, 0, 3);
    fields.number("events_per_second", scenario.eventsPerSecond, 0.001, 1e6);
    fields.seconds("warm_up_s", scenario.warmUp, 0);
    fields.seconds("outage_s", scenario.outageLength, 1);
    fields.seconds("followed_s", scenario.followed, 1);
    fields.whole("queue_in_flight", scenario.queueInFlight, 1, 10'000);
    fields.whole("strict_in_flight", scenario.strictInFlight, 1, 10'000);
    fields.whole("lanes_in_flight", scenario.lanesInFlight, 1, 10'000);
    readOutage(fields, scenario);
    readAnswers(fields, scenario);
    readPhases(fields, scenario);
}

}  // namespace

std::variant<LabScenario, std::string> readLabText(std::string_view text,
                                                   const std::string& name) {
    const auto json = Json::parse(text, nullptr, false);
    if (!json.is_object()) return name + ": a JSON object with the fields of a scenario is needed.";
    FieldReader fields(json);
    const auto base = fields.text("base", "refuse");
    const auto* known = findLabScenario(base);
    if (!known) return name + ": there is no scenario \"" + base + "\" to begin with.";
    auto scenario = *known;
    readFields(fields, scenario);
    fields.refuseUnknown();
    if (!fields.error.empty()) return name + ": " + fields.error + ".";
    const auto length = scenario.warmUp + scenario.outageLength + scenario.followLength();
    if (scenario.arrivals() * static_cast<double>(length) / double{kSecond} > kMostEvents)
        return name + ": that would be more than 50 million events; shorten the times or lower "
                      "\"events_per_second\".";
    return scenario;
}

std::variant<LabScenario, std::string> readLabFile(const std::string& path) {
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        return path + ": it cannot be read: " + file.errorString().toStdString() + ".";
    const auto bytes = file.read(static_cast<qint64>(kLabFileBytes) + 1);
    if (static_cast<std::size_t>(bytes.size()) > kLabFileBytes)
        return path + ": it is larger than 64 KiB.";
    return readLabText({bytes.constData(), static_cast<std::size_t>(bytes.size())}, path);
}

}  // namespace lanes::app

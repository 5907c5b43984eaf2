// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/lab.h"

#include <charconv>
#include <string>

namespace lanes {

namespace {

/// One object; its members in the order of the calls.
class JsonObject {
public:
    void add(const char* key, const std::string& raw) {
        m_text += m_text.empty() ? "{" : ", ";
        m_text += '"';
        m_text += key;
        m_text += "\": " + raw;
    }
    void text(const char* key, const std::string& value) { add(key, quoted(value)); }
    void count(const char* key, std::uint64_t value) { add(key, std::to_string(value)); }
    void truth(const char* key, bool value) { add(key, value ? "true" : "false"); }
    /// Four decimals: finer than any of the figures means.
    void number(const char* key, std::optional<double> value) {
        if (!value) return add(key, "null");
        char digits[400];
        const auto end = std::to_chars(digits, digits + sizeof digits, *value,
                                       std::chars_format::fixed, 4);
        add(key, std::string(digits, end.ptr));
    }
    [[nodiscard]] std::string str() const { return m_text + "}"; }

private:
    static std::string quoted(const std::string& value) {
        static const char* const kHex = "0123456789abcdef";
        std::string text = "\"";
        for (const char c : value) {
            const auto byte = static_cast<unsigned char>(c);
            if (c == '"' || c == '\\') {
                text += '\\';
                text += c;
            } else if (byte < 0x20) {
                text += "\\u00";
                text += kHex[byte >> 4];
                text += kHex[byte & 15];
            } else {
                text += c;
            }
        }
        return text + "\"";
    }

    std::string m_text;
};

std::string senderJson(const LabSenderResult& sender) {
    JsonObject json;
    json.text("name", labSenderName(sender.sender));
    json.count("waiting", sender.waiting);
    json.count("out_of_order", sender.outOfOrder);
    json.number("drain_p50_s", sender.drainP50);
    json.number("drain_p99_s", sender.drainP99);
    json.number("drain_max_s", sender.drainMax);
    json.number("drain_p99_ratio", sender.drainP99Ratio);
    json.number("peak_1s", sender.peak1s);
    json.number("peak_10s", sender.peak10s);
    json.number("refused_share", sender.refusedShare);
    json.count("requests", sender.requests);
    json.count("wasted", sender.wasted);
    json.count("dead", sender.dead);
    json.number("detect_s", sender.detect);
    return json.str();
}

std::string resultJson(const LabResult& result) {
    JsonObject json;
    json.text("scenario", result.scenario);
    json.count("seed", result.seed);
    json.number("ideal_s", result.ideal);
    json.number("p99_drain_reduction", result.p99DrainReduction);
    json.truth("p99_drain_reduction_is_lower_bound", result.reductionIsLowerBound);
    json.truth("cancelled", result.cancelled);
    std::string senders;
    for (const LabSenderResult& sender : result.senders)
        senders += (senders.empty() ? "" : ", ") + senderJson(sender);
    json.add("senders", "[" + senders + "]");
    return json.str();
}

}  // namespace

const char* labSenderName(LabSenderKind sender) {
    switch (sender) {
    case LabSenderKind::queue:
        return "queue";
    case LabSenderKind::strict:
        return "strict";
    case LabSenderKind::lanesBackoff:
        return "lanes-backoff";
    case LabSenderKind::lanes:
        return "lanes";
    }
    return "";
}

std::string labJson(const std::vector<LabResult>& results) {
    std::string text;
    for (const LabResult& result : results)
        text += (text.empty() ? "" : ",\n ") + resultJson(result);
    return "[" + text + "]\n";
}

}  // namespace lanes

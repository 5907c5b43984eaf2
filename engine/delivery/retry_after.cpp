// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/delivery/retry_after.h"

#include <algorithm>
#include <array>
#include <chrono>

namespace lanes {

namespace {

constexpr std::array<std::string_view, 7> kDays = {"Sunday",   "Monday", "Tuesday", "Wednesday",
                                                   "Thursday", "Friday", "Saturday"};
constexpr std::array<std::string_view, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                      "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};

/// Eats a text from the front; after the first piece that does not fit, nothing fits.
class Scanner {
public:
    explicit Scanner(std::string_view text) : m_rest(text) {}

    [[nodiscard]] bool good() const { return m_good; }
    [[nodiscard]] bool whole() const { return m_good && m_rest.empty(); }

    void expect(std::string_view text) {
        if (m_good && m_rest.starts_with(text))
            m_rest.remove_prefix(text.size());
        else
            m_good = false;
    }
    /// A number of exactly so many digits; with `padded` a leading space stands for a zero.
    int number(std::size_t digits, bool padded = false) {
        if (m_rest.size() < digits) m_good = false;
        if (!m_good) return 0;
        int value = 0;
        for (std::size_t i = 0; i < digits; ++i) {
            const char c = m_rest[i];
            const bool blank = padded && i == 0 && c == ' ';
            if (!blank && (c < '0' || c > '9')) m_good = false;
            value = value * 10 + (blank ? 0 : c - '0');
        }
        m_rest.remove_prefix(digits);
        return value;
    }
    unsigned month() {
        for (unsigned i = 0; i < kMonths.size(); ++i)
            if (m_rest.starts_with(kMonths[i])) {
                m_rest.remove_prefix(3);
                return i + 1;
            }
        m_good = false;
        return 0;
    }
    /// A day of the week, whole or its first three letters. That it is the right one is not asked.
    void weekday(bool whole) {
        for (const auto day : kDays) {
            const auto name = whole ? day : day.substr(0, 3);
            if (m_rest.starts_with(name)) {
                m_rest.remove_prefix(name.size());
                return;
            }
        }
        m_good = false;
    }

private:
    std::string_view m_rest;
    bool m_good = true;
};

struct Moment {
    int year = 0;
    unsigned month = 0;
    int day = 0;
    int hour = 0;
    int minute = 0;
    int second = 0;
};

std::optional<std::int64_t> secondsOf(const Moment& m) {
    using namespace std::chrono;
    const year_month_day date{year{m.year}, month{m.month}, day{static_cast<unsigned>(m.day)}};
    // A leap second is written as 60.
    if (!date.ok() || m.hour > 23 || m.minute > 59 || m.second > 60) return std::nullopt;
    const auto days = sys_days{date}.time_since_epoch().count();
    return static_cast<std::int64_t>(days) * 86'400 + m.hour * 3600 + m.minute * 60 + m.second;
}

void clockTime(Scanner& scanner, Moment& moment) {
    moment.hour = scanner.number(2);
    scanner.expect(":");
    moment.minute = scanner.number(2);
    scanner.expect(":");
    moment.second = scanner.number(2);
}

/// Sun, 06 Nov 1994 08:49:37 GMT
std::optional<std::int64_t> presentForm(std::string_view text) {
    Scanner scanner(text);
    Moment moment;
    scanner.weekday(false);
    scanner.expect(", ");
    moment.day = scanner.number(2);
    scanner.expect(" ");
    moment.month = scanner.month();
    scanner.expect(" ");
    moment.year = scanner.number(4);
    scanner.expect(" ");
    clockTime(scanner, moment);
    scanner.expect(" GMT");
    return scanner.whole() ? secondsOf(moment) : std::nullopt;
}

/// Sunday, 06-Nov-94 08:49:37 GMT
std::optional<std::int64_t> rfc850Form(std::string_view text, std::int64_t nowSeconds) {
    Scanner scanner(text);
    Moment moment;
    scanner.weekday(true);
    scanner.expect(", ");
    moment.day = scanner.number(2);
    scanner.expect("-");
    moment.month = scanner.month();
    scanner.expect("-");
    const int shortYear = scanner.number(2);
    scanner.expect(" ");
    clockTime(scanner, moment);
    scanner.expect(" GMT");
    if (!scanner.whole()) return std::nullopt;
    using namespace std::chrono;
    const year_month_day today{floor<days>(sys_seconds{seconds{nowSeconds}})};
    const int present = static_cast<int>(today.year());
    moment.year = present - present % 100 + shortYear;
    if (moment.year > present + 50) moment.year -= 100;
    return secondsOf(moment);
}

/// Sun Nov  6 08:49:37 1994
std::optional<std::int64_t> asctimeForm(std::string_view text) {
    Scanner scanner(text);
    Moment moment;
    scanner.weekday(false);
    scanner.expect(" ");
    moment.month = scanner.month();
    scanner.expect(" ");
    moment.day = scanner.number(2, true);
    scanner.expect(" ");
    clockTime(scanner, moment);
    scanner.expect(" ");
    moment.year = scanner.number(4);
    return scanner.whole() ? secondsOf(moment) : std::nullopt;
}

}  // namespace

std::optional<std::int64_t> parseHttpDate(std::string_view text, std::int64_t nowSeconds) {
    if (const auto seconds = presentForm(text)) return seconds;
    if (const auto seconds = rfc850Form(text, nowSeconds)) return seconds;
    return asctimeForm(text);
}

Micros retryAfter(std::string_view value, std::string_view date, std::int64_t nowSeconds) {
    if (value.empty()) return -1;
    constexpr std::int64_t cap = kRetryAfterCap / kSecond;
    if (std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; })) {
        std::int64_t seconds = 0;
        // Stops growing at the cap, so that any number of digits is harmless.
        for (const char c : value) seconds = std::min(cap, seconds * 10 + (c - '0'));
        return seconds * kSecond;
    }
    const auto until = parseHttpDate(value, nowSeconds);
    if (!until) return -1;
    const auto from = parseHttpDate(date, nowSeconds).value_or(nowSeconds);
    return std::clamp<std::int64_t>(*until - from, 0, cap) * kSecond;
}

}  // namespace lanes

// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/json_check.h"

#include <simdjson.h>

namespace lanes {

namespace {

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

bool isHexDigit(char c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Descends through one JSON text. Each function leaves `m_at` behind what it read, or at the
/// fault.
class Descent {
public:
    Descent(std::string_view text, std::vector<std::string_view>* elements)
        : m_text(text), m_elements(elements) {}

    std::optional<JsonFault> check() {
        skipSpace();
        if (value(0)) {
            skipSpace();
            if (m_at < m_text.size()) fail("there is more after the value");
        }
        if (m_what.empty()) return std::nullopt;
        return JsonFault{m_at, m_what};
    }

private:
    bool fail(std::string_view what) {
        m_what = what;
        return false;
    }

    [[nodiscard]] char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }

    bool take(char c) {
        if (m_at >= m_text.size() || m_text[m_at] != c) return false;
        ++m_at;
        return true;
    }

    void skipSpace() {
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c != ' ' && c != '\n' && c != '\r' && c != '\t') return;
            ++m_at;
        }
    }

    bool value(int depth) {
        if (m_at >= m_text.size()) return fail("the text ends where a value belongs");
        switch (m_text[m_at]) {
            case '{':
                return depth < kJsonDepth ? object(depth + 1) : fail("it is nested too deeply");
            case '[':
                return depth < kJsonDepth ? array(depth + 1) : fail("it is nested too deeply");
            case '"': return string();
            case 't': return word("true");
            case 'f': return word("false");
            case 'n': return word("null");
            default: return number();
        }
    }

    bool object(int depth) {
        ++m_at;
        skipSpace();
        if (take('}')) return true;
        while (true) {
            if (peek() != '"') return fail("a name in double quotes belongs here");
            if (!string()) return false;
            skipSpace();
            if (!take(':')) return fail("a colon belongs here");
            skipSpace();
            if (!value(depth)) return false;
            skipSpace();
            if (take('}')) return true;
            if (!take(',')) return fail("a comma or } belongs here");
            skipSpace();
        }
    }

    bool array(int depth) {
        ++m_at;
        skipSpace();
        if (take(']')) return true;
        while (true) {
            const std::size_t start = m_at;
            if (!value(depth)) return false;
            if (depth == 1 && m_elements) m_elements->push_back(m_text.substr(start, m_at - start));
            skipSpace();
            if (take(']')) return true;
            if (!take(',')) return fail("a comma or ] belongs here");
            skipSpace();
        }
    }

    bool string() {
        ++m_at;
        while (m_at < m_text.size()) {
            const char c = m_text[m_at];
            if (c == '"') {
                ++m_at;
                return true;
            }
            if (static_cast<unsigned char>(c) < 0x20)
                return fail("a control character in a string must be escaped");
            if (c == '\\') {
                if (!escape()) return false;
            } else {
                ++m_at;
            }
        }
        return fail("a string does not end");
    }

    bool escape() {
        ++m_at;
        const char c = peek();
        if (c == 'u') {
            for (int i = 0; i < 4; ++i) {
                ++m_at;
                if (!isHexDigit(peek())) return fail("\\u needs four hexadecimal digits");
            }
        } else if (c == '\0' || std::string_view("\"\\/bfnrt").find(c) == std::string_view::npos) {
            return fail("there is no such escape");
        }
        ++m_at;
        return true;
    }

    bool word(std::string_view expected) {
        if (m_text.substr(m_at, expected.size()) != expected) return fail("this is no value");
        m_at += expected.size();
        return true;
    }

    bool digits() {
        if (!isDigit(peek())) return fail("a digit belongs here");
        while (isDigit(peek())) ++m_at;
        return true;
    }

    bool number() {
        if (!isDigit(peek()) && peek() != '-') return fail("this is no value");
        take('-');
        if (take('0')) {
            if (isDigit(peek())) return fail("a number must not begin with 0");
        } else if (!digits()) {
            return false;
        }
        if (take('.') && !digits()) return false;
        if (take('e') || take('E')) {
            if (!take('+')) take('-');
            return digits();
        }
        return true;
    }

    std::string_view m_text;
    std::vector<std::string_view>* m_elements;
    std::size_t m_at = 0;
    std::string_view m_what;
};

/// Position of the first byte that is not UTF-8, known that there is one.
std::size_t firstInvalidByte(std::string_view text) {
    // A prefix may end inside a character: its last bytes are then left out.
    const auto valid = [text](std::size_t size) {
        for (std::size_t cut = 0; cut < 4 && cut <= size; ++cut)
            if (simdjson::validate_utf8(text.data(), size - cut)) return true;
        return false;
    };
    std::size_t low = 0;
    std::size_t high = text.size();
    while (low + 1 < high) {
        const std::size_t middle = low + (high - low) / 2;
        (valid(middle) ? low : high) = middle;
    }
    // `low` bytes are valid but for a cut character: the fault is at that character's start.
    std::size_t start = low;
    while (start > 0 && !simdjson::validate_utf8(text.data(), start)) --start;
    return start;
}

}  // namespace

std::string faultText(const JsonFault& fault) {
    return "the JSON is broken at byte " + std::to_string(fault.position) + ": " +
           std::string(fault.what);
}

std::optional<JsonFault> checkJson(std::string_view text, std::vector<std::string_view>* elements) {
    if (!simdjson::validate_utf8(text.data(), text.size()))
        return JsonFault{firstInvalidByte(text), "it is not valid UTF-8"};
    return Descent(text, elements).check();
}

}  // namespace lanes

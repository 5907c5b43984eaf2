// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
// Filters as text, and what may follow in one.
#include "ui/common/filter_language.h"
#include "ui/common/filter_values.h"
#include "ui/common/filter_words.h"

#include <QCoreApplication>

#include <algorithm>

namespace lanes::ui {

namespace {

struct Words {
    Q_DECLARE_TR_FUNCTIONS(lanes::ui::FilterLanguage)
};

bool needsQuotes(const QString& text) {
    for (const char* keyword : {"AND", "OR", "NOT"})
        if (text.compare(QLatin1String(keyword), Qt::CaseInsensitive) == 0) return true;
    return std::any_of(text.begin(), text.end(), [](QChar c) {
        return c.isSpace() || QStringLiteral("()\"\\*").contains(c);
    });
}

QString quoted(const QString& text) {
    if (!needsQuotes(text)) return text;
    QString result = QStringLiteral("\"");
    for (const QChar c : text) {
        if (c == QLatin1Char('"') || c == QLatin1Char('\\')) result += QLatin1Char('\\');
        result += c;
    }
    return result + QLatin1Char('"');
}

QString patternText(const std::vector<std::string>& parts) {
    if (parts.size() == 1 && parts.front().empty()) return QStringLiteral("\"\"");
    QStringList words;
    for (const auto& part : parts) words << quoted(QString::fromStdString(part));
    QString text = words.join(QLatin1Char('*'));
    // A comparison may end with = and must not grow.
    if (text.startsWith(QLatin1Char('='))) text.prepend(QLatin1Char('\\'));
    return text;
}

QString amountText(FilterField field, std::int64_t amount, const FilterContext& context) {
    switch (kindOf(field)) {
        case FilterKind::duration: return durationWord(amount);
        case FilterKind::time: return timeWord(amount, context.zone);
        case FilterKind::number:
        case FilterKind::destination:
        case FilterKind::text:
        case FilterKind::prose:
        case FilterKind::state:
        case FilterKind::outcome:
        case FilterKind::cause: break;
    }
    return QString::number(amount);
}

QString spanText(const Filter::Term& term, const FilterContext& context) {
    if (term.field == FilterField::status && term.low % 100 == 0 && term.low >= 100 &&
        term.low < 1000 && term.high == term.low + 99)
        return QStringLiteral("%1xx").arg(term.low / 100);
    return amountText(term.field, term.low, context) + QStringLiteral("..") +
           amountText(term.field, term.high, context);
}

QString destinationText(std::int64_t id, const FilterContext& context) {
    for (const auto& [known, name] : context.destinations)
        if (std::int64_t{known.value} == id) return patternText({name.toStdString()});
    return QStringLiteral("#%1").arg(id);
}

QString termText(const Filter::Term& term, const FilterContext& context) {
    const QString name = fieldName(term.field);
    const auto with = [&name](const char* compared, const QString& value) {
        return name + QLatin1String(compared) + value;
    };
    switch (kindOf(term.field)) {
        case FilterKind::destination: return with(":", destinationText(term.low, context));
        case FilterKind::text:
        case FilterKind::prose:
            return with(term.relation == FilterRelation::contains ? "~" : ":",
                        patternText(term.parts));
        case FilterKind::state:
        case FilterKind::outcome:
        case FilterKind::cause:
            return with(":", quoted(wordsOf(kindOf(term.field)).value(static_cast<int>(term.low))));
        case FilterKind::number:
        case FilterKind::duration:
        case FilterKind::time: break;
    }
    const QString low = amountText(term.field, term.low, context);
    switch (term.relation) {
        case FilterRelation::less: return with("<", low);
        case FilterRelation::atMost: return with("<=", low);
        case FilterRelation::more: return with(">", low);
        case FilterRelation::atLeast: return with(">=", low);
        case FilterRelation::within: return with(":", spanText(term, context));
        case FilterRelation::equal:
        case FilterRelation::contains: break;
    }
    return with(":", low);
}

bool isJoined(const Filter& filter) {
    return filter.shape() == Filter::Shape::all || filter.shape() == Filter::Shape::any;
}

/// What stands at the cursor, as far as it was typed.
struct Fragment {
    qsizetype offset = 0;
    QString text;
};

Fragment fragmentAt(const QString& text, qsizetype cursor) {
    qsizetype begin = 0;
    bool inQuotes = false;
    for (qsizetype at = 0; at < cursor; ++at) {
        const QChar c = text[at];
        if (c == QLatin1Char('\\')) {
            ++at;
            continue;
        }
        if (c == QLatin1Char('"')) inQuotes = !inQuotes;
        if (!inQuotes && (c.isSpace() || c == QLatin1Char('(') || c == QLatin1Char(')')))
            begin = at + 1;
    }
    begin = std::min(begin, cursor);
    if (begin < cursor && text[begin] == QLatin1Char('-')) ++begin;
    return {begin, text.mid(begin, cursor - begin)};
}

QStringList valuesOf(FilterField field, const FilterContext& context) {
    QStringList values;
    switch (kindOf(field)) {
        case FilterKind::destination:
            for (const auto& [id, name] : context.destinations) values << name;
            return values;
        case FilterKind::text: return field == FilterField::type ? context.types : values;
        case FilterKind::state:
        case FilterKind::outcome:
        case FilterKind::cause: return shownWordsOf(kindOf(field));
        case FilterKind::duration:
            return {QStringLiteral("5m"), QStringLiteral("1h"), QStringLiteral("24h")};
        case FilterKind::number:
            if (field == FilterField::status)
                return {QStringLiteral("4xx"), QStringLiteral("5xx"), QStringLiteral("429"),
                        QStringLiteral("503")};
            return values;
        case FilterKind::time:
        case FilterKind::prose: break;
    }
    return values;
}

QStringList operatorsOf(FilterField field) {
    switch (kindOf(field)) {
        case FilterKind::text: return {QStringLiteral(":"), QStringLiteral("~")};
        case FilterKind::prose: return {QStringLiteral("~")};
        case FilterKind::number:
            return {QStringLiteral(":"), QStringLiteral(">="), QStringLiteral("<")};
        case FilterKind::duration:
        case FilterKind::time: return {QStringLiteral(">"), QStringLiteral("<")};
        case FilterKind::destination:
        case FilterKind::state:
        case FilterKind::outcome:
        case FilterKind::cause: break;
    }
    return {QStringLiteral(":")};
}

void addFields(FilterCompletion& completion, const QString& begun, bool isFirst,
               const FilterContext& context) {
    for (const auto field : fieldsOf(context.list)) {
        const QString name = fieldName(field);
        if (!name.startsWith(begun, Qt::CaseInsensitive)) continue;
        // A name that is whole goes on with each operator; a begun one with the usual one.
        const auto operators = operatorsOf(field);
        const bool whole = name.compare(begun, Qt::CaseInsensitive) == 0;
        for (const QString& compared : whole ? operators : operators.mid(0, 1))
            completion.words.push_back({name + compared, fieldMeaning(field, context.list)});
    }
    if (QStringLiteral("NOT").startsWith(begun, Qt::CaseInsensitive))
        completion.words.push_back(
            {QStringLiteral("NOT "), Words::tr("what does not fit the next condition")});
    if (!isFirst && QStringLiteral("OR").startsWith(begun, Qt::CaseInsensitive))
        completion.words.push_back(
            {QStringLiteral("OR "), Words::tr("what fits either of its sides")});
}

}  // namespace

QString toText(const Filter& filter, const FilterContext& context) {
    switch (filter.shape()) {
        case Filter::Shape::everything: return {};
        case Filter::Shape::term: return termText(filter.term(), context);
        case Filter::Shape::negation: {
            const auto& inner = filter.parts().front();
            const QString text = toText(inner, context);
            return isJoined(inner) ? QStringLiteral("NOT (%1)").arg(text)
                                   : QStringLiteral("NOT ") + text;
        }
        case Filter::Shape::all:
        case Filter::Shape::any: break;
    }
    const bool all = filter.shape() == Filter::Shape::all;
    QStringList words;
    for (const auto& part : filter.parts()) {
        const QString text = toText(part, context);
        // AND goes before OR by itself, but not everybody knows.
        words << (isJoined(part) ? QLatin1Char('(') + text + QLatin1Char(')') : text);
    }
    return words.join(all ? QStringLiteral(" ") : QStringLiteral(" OR "));
}

FilterCompletion completeFilter(const QString& text, qsizetype cursor,
                                const FilterContext& context) {
    cursor = std::clamp<qsizetype>(cursor, 0, text.size());
    const auto fragment = fragmentAt(text, cursor);
    FilterCompletion completion;
    qsizetype nameEnd = 0;
    while (nameEnd < fragment.text.size() && fragment.text[nameEnd].isLetterOrNumber()) ++nameEnd;
    completion.offset = fragment.offset;
    completion.length = cursor - fragment.offset;
    if (nameEnd == fragment.text.size()) {
        addFields(completion, fragment.text, text.left(fragment.offset).trimmed().isEmpty(),
                  context);
        return completion;
    }
    const auto field = fieldOf(fragment.text.left(nameEnd));
    if (!field || !has(context.list, *field)) return completion;
    qsizetype valueBegin = nameEnd;
    while (valueBegin < fragment.text.size() &&
           QStringLiteral(":=!<>~").contains(fragment.text[valueBegin]))
        ++valueBegin;
    QString begun = fragment.text.mid(valueBegin);
    begun.remove(QLatin1Char('"'));
    completion.offset += valueBegin;
    completion.length -= valueBegin;
    for (const QString& value : valuesOf(*field, context))
        if (value.startsWith(begun, Qt::CaseInsensitive) && value != begun)
            completion.words.push_back({quoted(value), {}});
    return completion;
}

}  // namespace lanes::ui

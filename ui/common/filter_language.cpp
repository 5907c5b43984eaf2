// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
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

/// More than any filter within its limits that a person writes.
constexpr qsizetype kLongestText = 8192;

enum class Operator { equal, unequal, contains, less, atMost, more, atLeast };

struct ReadValue {
    qsizetype offset = 0;
    qsizetype length = 0;
    std::vector<std::string> parts{std::string()};
    QString plain;        ///< without quotes and backslashes
    bool quoted = false;  ///< in part
    std::size_t bytes = 0;
};

bool isOperator(QChar c) {
    return QStringLiteral(":=!<>~").contains(c);
}

class Parser {
public:
    Parser(const QString& text, const FilterContext& context)
        : m_text(text), m_context(context) {}

    ParsedFilter parse() {
        if (m_text.size() > kLongestText)
            fail(kLongestText, m_text.size() - kLongestText, Words::tr("This is too long."));
        skipBlanks();
        Filter filter;
        if (!m_error && !atEnd()) {
            if (const auto read = either(0)) filter = *read;
            if (!m_error && !atEnd())
                fail(m_at, 1, Words::tr("Nothing was opened that this bracket closes."));
        }
        if (m_error) return {{}, m_error};
        return {filter, {}};
    }

private:
    [[nodiscard]] bool atEnd() const { return m_at >= m_text.size(); }
    [[nodiscard]] QChar here() const { return m_text[m_at]; }
    void skipBlanks() {
        while (!atEnd() && here().isSpace()) ++m_at;
    }

    std::nullopt_t fail(qsizetype offset, qsizetype length, const QString& sentence) {
        if (!m_error)
            m_error = FilterError{offset, length, sentence, offset + length >= m_text.size()};
        return std::nullopt;
    }

    /// The word that begins here, up to a blank, a bracket or a quote.
    [[nodiscard]] QString word() const {
        qsizetype end = m_at;
        while (end < m_text.size() && !m_text[end].isSpace() &&
               !QStringLiteral("()\"").contains(m_text[end]))
            ++end;
        return m_text.mid(m_at, end - m_at);
    }
    [[nodiscard]] bool isKeyword(const char* keyword) const {
        return word().compare(QLatin1String(keyword), Qt::CaseInsensitive) == 0;
    }
    bool takeKeyword(const char* keyword) {
        if (!isKeyword(keyword)) return false;
        m_at += word().size();
        skipBlanks();
        return true;
    }

    std::optional<Filter> limited(std::optional<Filter> filter, qsizetype from) {
        if (!filter)
            return fail(from, m_at - from,
                        Words::tr("A filter has %1 conditions at most, %2 deep.")
                            .arg(limits::kFilterTerms)
                            .arg(limits::kFilterDepth));
        return filter;
    }

    std::optional<Filter> either(std::size_t depth) {
        const auto from = m_at;
        std::vector<Filter> parts;
        do {
            auto part = both(depth);
            if (!part) return std::nullopt;
            parts.push_back(std::move(*part));
        } while (takeKeyword("OR"));
        return limited(Filter::anyOf(parts), from);
    }

    std::optional<Filter> both(std::size_t depth) {
        const auto from = m_at;
        std::vector<Filter> parts;
        for (;;) {
            auto part = one(depth);
            if (!part) return std::nullopt;
            parts.push_back(std::move(*part));
            if (takeKeyword("AND")) continue;
            if (atEnd() || here() == QLatin1Char(')') || isKeyword("OR")) break;
        }
        return limited(Filter::allOf(parts), from);
    }

    std::optional<Filter> one(std::size_t depth) {
        const auto from = m_at;
        if (depth > limits::kFilterDepth) return limited(std::nullopt, from);
        if (atEnd())
            return fail(from, 0, Words::tr("A condition is missing at the end."));
        if (takeKeyword("NOT")) return negated(depth, from);
        if (here() == QLatin1Char('-')) {
            ++m_at;
            return negated(depth, from);
        }
        if (here() == QLatin1Char('(')) return inBrackets(depth);
        if (here() == QLatin1Char(')'))
            return fail(m_at, 1, Words::tr("A condition is missing before this bracket."));
        if (isKeyword("AND") || isKeyword("OR"))
            return fail(m_at, word().size(),
                        Words::tr("A condition is missing before \"%1\".").arg(word()));
        auto filter = condition();
        skipBlanks();
        return filter;
    }

    std::optional<Filter> negated(std::size_t depth, qsizetype from) {
        const auto inner = one(depth + 1);
        if (!inner) return std::nullopt;
        return limited(Filter::negationOf(*inner), from);
    }

    std::optional<Filter> inBrackets(std::size_t depth) {
        const auto from = m_at;
        ++m_at;
        skipBlanks();
        auto inner = either(depth + 1);
        if (!inner) return std::nullopt;
        if (atEnd()) {
            fail(from, 1, Words::tr("This bracket is not closed."));
            m_error->unfinished = true;
            return std::nullopt;
        }
        ++m_at;
        skipBlanks();
        return inner;
    }

    std::optional<Filter> condition() {
        const auto from = m_at;
        while (!atEnd() && (here().isLetterOrNumber() || here() == QLatin1Char('_'))) ++m_at;
        const QString name = m_text.mid(from, m_at - from);
        const auto afterName = m_at;
        skipBlanks();
        if (name.isEmpty() || atEnd() || !isOperator(here()) ||
            (here() == QLatin1Char('!') && m_text.mid(m_at, 2) != QLatin1String("!="))) {
            m_at = from;
            return bareWord(name);
        }
        const auto compared = readOperator();
        const auto field = fieldOf(name);
        if (!field) return unknownField(from, name);
        if (!has(m_context.list, *field)) return otherList(from, afterName - from, *field);
        skipBlanks();
        return withValue(*field, compared, from);
    }

    std::nullopt_t bareWord(const QString& name) {
        const auto from = m_at;
        // A quoted text may have blanks: all of it is the word.
        const auto read = value();
        if (!read) return std::nullopt;
        const auto length = std::max<qsizetype>(read->length, 1);
        if (fieldOf(name) && name.size() == read->length)
            return fail(from, length,
                        Words::tr("Write what \"%1\" should be, as %2.")
                            .arg(name, example(*fieldOf(name))));
        return fail(from, length,
                    Words::tr("\"%1\" stands alone. Write a field before it, as %2.")
                        .arg(read->plain, example(m_context.list == FilterList::lanes
                                                      ? FilterField::user
                                                      : FilterField::error)));
    }

    std::nullopt_t unknownField(qsizetype from, const QString& name) {
        QStringList names;
        for (const auto field : fieldsOf(m_context.list)) names << fieldName(field);
        const QString meant = closest(name, names);
        const QString sentence = Words::tr("There is no field \"%1\".").arg(name);
        fail(from, name.size(),
             sentence + QLatin1Char(' ') +
                 (meant.isEmpty() ? Words::tr("Here are: %1.").arg(names.join(QStringLiteral(", ")))
                                  : Words::tr("Did you mean \"%1\"?").arg(meant)));
        m_error->unfinished = false;
        return std::nullopt;
    }

    std::nullopt_t otherList(qsizetype from, qsizetype length, FilterField field) {
        QStringList lists;
        for (const auto list : {FilterList::lanes, FilterList::deadLetters, FilterList::attempts})
            if (has(list, field)) lists << listName(list);
        QString sentence = Words::tr("The list \"%1\" has no field \"%2\"; these have: %3.")
                               .arg(listName(m_context.list), fieldName(field),
                                    lists.join(QStringLiteral(", ")));
        // Whoever asks for a time can ask for one here, if only for another one.
        QStringList times;
        if (kindOf(field) == FilterKind::time)
            for (const auto other : fieldsOf(m_context.list))
                if (kindOf(other) == FilterKind::time || other == FilterField::age)
                    times << QStringLiteral("%1 (%2)").arg(fieldName(other),
                                                           fieldMeaning(other, m_context.list));
        if (!times.isEmpty())
            sentence += QLatin1Char(' ') +
                        Words::tr("Times here: %1.").arg(times.join(QStringLiteral("; ")));
        fail(from, length, sentence);
        m_error->unfinished = false;
        return std::nullopt;
    }

    Operator readOperator() {
        const QChar first = m_text[m_at++];
        const bool orEqual = !atEnd() && here() == QLatin1Char('=');
        if (first == QLatin1Char('<') || first == QLatin1Char('>')) {
            if (orEqual) ++m_at;
            if (first == QLatin1Char('<')) return orEqual ? Operator::atMost : Operator::less;
            return orEqual ? Operator::atLeast : Operator::more;
        }
        if (first == QLatin1Char('!')) {
            ++m_at;
            return Operator::unequal;
        }
        return first == QLatin1Char('~') ? Operator::contains : Operator::equal;
    }

    std::optional<ReadValue> value() {
        ReadValue read;
        read.offset = m_at;
        const auto add = [&read](QStringView text) {
            read.plain += text;
            read.parts.back() += text.toUtf8().toStdString();
        };
        while (!atEnd() && !here().isSpace() && here() != QLatin1Char('(') &&
               here() != QLatin1Char(')')) {
            // What lies outside of the basic plane comes in two.
            const qsizetype size =
                here().isHighSurrogate() && m_at + 1 < m_text.size() ? 2 : 1;
            if (here() == QLatin1Char('"')) {
                if (!quoted(add)) return std::nullopt;
                read.quoted = true;
            } else if (here() == QLatin1Char('\\') && m_at + 1 < m_text.size()) {
                add(QStringView(m_text).mid(m_at + 1, 1));
                m_at += 2;
                read.quoted = true;
            } else if (here() == QLatin1Char('*')) {
                read.plain += here();
                read.parts.emplace_back();
                ++m_at;
            } else {
                add(QStringView(m_text).mid(m_at, size));
                m_at += size;
            }
        }
        read.length = m_at - read.offset;
        for (const auto& part : read.parts) read.bytes += part.size();
        if (read.bytes > limits::kFilterTextBytes)
            return fail(read.offset, read.length,
                        Words::tr("A text has %1 bytes at most.").arg(limits::kFilterTextBytes));
        return read;
    }

    template <typename Add>
    bool quoted(Add add) {
        const auto from = m_at++;
        qsizetype begin = m_at;
        for (; !atEnd(); ++m_at) {
            if (here() == QLatin1Char('\\') && m_at + 1 < m_text.size()) {
                add(QStringView(m_text).mid(begin, m_at - begin));
                begin = ++m_at;
            } else if (here() == QLatin1Char('"')) {
                add(QStringView(m_text).mid(begin, m_at - begin));
                ++m_at;
                return true;
            }
        }
        fail(from, m_text.size() - from, Words::tr("The quote is not closed."));
        return false;
    }

    std::optional<Filter> withValue(FilterField field, Operator compared, qsizetype from) {
        const bool keyword = isKeyword("AND") || isKeyword("OR") || isKeyword("NOT");
        const auto read = keyword ? ReadValue{m_at, 0, {{}}, {}, false, 0} : value();
        if (!read) return std::nullopt;
        if (read->length == 0)
            return fail(from, m_text.left(m_at).trimmed().size() - from,
                        Words::tr("A value is missing, as in %1.").arg(example(field)));
        auto filter = valueOf(field, compared, *read);
        if (filter && compared == Operator::unequal)
            return limited(Filter::negationOf(*filter), from);
        return filter;
    }

    std::optional<Filter> valueOf(FilterField field, Operator compared, const ReadValue& read) {
        const bool ordered = compared == Operator::less || compared == Operator::atMost ||
                             compared == Operator::more || compared == Operator::atLeast;
        switch (kindOf(field)) {
            case FilterKind::destination:
            case FilterKind::text:
            case FilterKind::prose:
                if (ordered)
                    return fail(read.offset, read.length,
                                Words::tr("\"%1\" is a text: compare it with : or ~, as %2.")
                                    .arg(fieldName(field), example(field)));
                if (kindOf(field) == FilterKind::destination) return destination(compared, read);
                return textOf(field, compared, read);
            case FilterKind::state:
            case FilterKind::outcome:
            case FilterKind::cause:
                if (ordered || compared == Operator::contains)
                    return fail(read.offset, read.length,
                                Words::tr("\"%1\" is a word: compare it with :, as %2.")
                                    .arg(fieldName(field), example(field)));
                return wordOf(field, read);
            case FilterKind::number:
            case FilterKind::duration:
            case FilterKind::time: break;
        }
        if (compared == Operator::contains)
            return fail(read.offset, read.length,
                        Words::tr("\"%1\" is no text: compare it with :, < or >, as %2.")
                            .arg(fieldName(field), example(field)));
        return amount(field, compared, read);
    }

    Filter textOf(FilterField field, Operator compared, const ReadValue& read) {
        const bool within =
            compared == Operator::contains || kindOf(field) == FilterKind::prose;
        return Filter::Term{field, within ? FilterRelation::contains : FilterRelation::equal, 0, 0,
                            read.parts};
    }

    std::optional<Filter> destination(Operator compared, const ReadValue& read) {
        const auto relation = compared == Operator::contains ? FilterRelation::contains
                                                             : FilterRelation::equal;
        const auto termOf = [](DestinationId id) {
            return Filter(Filter::Term{FilterField::destination, FilterRelation::equal,
                                       std::int64_t{id.value}, 0, {}});
        };
        bool isNumber = false;
        if (const auto id = read.plain.mid(1).toUInt(&isNumber);
            read.plain.startsWith(QLatin1Char('#')) && isNumber && id > 0)
            return termOf(DestinationId(id));
        std::vector<Filter> found;
        QStringList names;
        for (const auto& [id, name] : m_context.destinations) {
            names << name;
            if (textFits(name.toStdString(), read.parts, relation)) found.push_back(termOf(id));
        }
        if (!found.empty()) return limited(Filter::anyOf(found), read.offset);
        return unknownWord(Words::tr("There is no destination \"%1\".").arg(read.plain), read,
                           names);
    }

    std::optional<Filter> wordOf(FilterField field, const ReadValue& read) {
        if (const auto number = numberOfWord(kindOf(field), read.plain))
            return Filter(Filter::Term{field, FilterRelation::equal, *number, 0, {}});
        return unknownWord(Words::tr("\"%1\" is none of its words.").arg(read.plain), read,
                           shownWordsOf(kindOf(field)));
    }

    std::nullopt_t unknownWord(const QString& sentence, const ReadValue& read,
                               const QStringList& known) {
        const QString meant = closest(read.plain, known);
        QString text = sentence;
        if (!meant.isEmpty())
            text += QLatin1Char(' ') + Words::tr("Did you mean \"%1\"?").arg(meant);
        else if (!known.isEmpty())
            text += QLatin1Char(' ') +
                    Words::tr("There are: %1.").arg(known.mid(0, 8).join(QStringLiteral(", ")));
        fail(read.offset, read.length, text);
        m_error->unfinished =
            m_error->unfinished && std::any_of(known.begin(), known.end(), [&](const QString& w) {
                return w.startsWith(read.plain, Qt::CaseInsensitive);
            });
        return std::nullopt;
    }

    std::optional<FilterSpan> spanOf(FilterField field, const QString& text) const {
        switch (kindOf(field)) {
            case FilterKind::duration:
                if (const auto duration = durationFrom(text))
                    return FilterSpan{*duration, *duration};
                return std::nullopt;
            case FilterKind::time: return timeFrom(text, m_context.zone, m_context.now);
            case FilterKind::number:
                if (field == FilterField::status)
                    if (const auto all = statusClassFrom(text)) return all;
                if (const auto number = numberFrom(text)) return FilterSpan{*number, *number};
                return std::nullopt;
            case FilterKind::destination:
            case FilterKind::text:
            case FilterKind::prose:
            case FilterKind::state:
            case FilterKind::outcome:
            case FilterKind::cause: break;
        }
        return std::nullopt;
    }

    std::optional<Filter> amount(FilterField field, Operator compared, const ReadValue& read) {
        const auto dots = read.plain.indexOf(QLatin1String(".."));
        const bool isRange = dots >= 0;
        const auto from = spanOf(field, isRange ? read.plain.left(dots) : read.plain);
        const auto to = isRange ? spanOf(field, read.plain.mid(dots + 2)) : from;
        if (!from || !to) return wrongAmount(field, read);
        const auto make = [field](FilterRelation relation, std::int64_t low,
                                  std::int64_t high = 0) {
            return Filter(Filter::Term{field, relation, low, high, {}});
        };
        if (compared == Operator::equal || compared == Operator::unequal) {
            if (isRange) {
                // To the very time that is written, but to the end of a class of statuses.
                const auto last = kindOf(field) == FilterKind::time ? to->low : to->high;
                if (last < from->low)
                    return fail(read.offset, read.length,
                                Words::tr("This range ends before it begins."));
                return make(FilterRelation::within, from->low, last);
            }
            if (from->low != from->high) return make(FilterRelation::within, from->low, from->high);
            if (kindOf(field) == FilterKind::duration)
                return fail(read.offset, read.length,
                            Words::tr("Say longer or shorter, as %1.").arg(example(field)));
            return make(FilterRelation::equal, from->low);
        }
        if (isRange)
            return fail(read.offset, read.length,
                        Words::tr("A range goes with a colon, as %1:%2.")
                            .arg(fieldName(field), read.plain));
        switch (compared) {
            case Operator::less: return make(FilterRelation::less, from->low);
            case Operator::atMost: return make(FilterRelation::atMost, highOf(field, *from));
            case Operator::more: return make(FilterRelation::more, highOf(field, *from));
            case Operator::atLeast: return make(FilterRelation::atLeast, from->low);
            case Operator::equal:
            case Operator::unequal:
            case Operator::contains: break;
        }
        return std::nullopt;
    }

    /// After "14:00" is after that very time; after "4xx" is 500.
    static std::int64_t highOf(FilterField field, const FilterSpan& span) {
        return kindOf(field) == FilterKind::time ? span.low : span.high;
    }

    std::nullopt_t wrongAmount(FilterField field, const ReadValue& read) {
        QString text;
        if (kindOf(field) == FilterKind::time && durationFrom(read.plain))
            text = Words::tr("\"%1\" takes a time, as %2; how long ago something was is its age, "
                             "as age<%3.")
                       .arg(fieldName(field), example(field), read.plain);
        else if (kindOf(field) == FilterKind::time)
            text = Words::tr("\"%1\" is no time; write it as 14:00, 2026-11-29 or "
                             "2026-11-29T14:00Z.")
                       .arg(read.plain);
        else if (kindOf(field) == FilterKind::duration)
            text = Words::tr("\"%1\" is no duration; write it with its unit, as 250ms, 90s, 20m, "
                             "2h or 3d.")
                       .arg(read.plain);
        else if (field == FilterField::status)
            text = Words::tr("\"%1\" is no status; write it as 503, 5xx or 500..599.")
                       .arg(read.plain);
        else
            text = Words::tr("\"%1\" is no number; write it as 12, 5k, 2M or 5..10.")
                       .arg(read.plain);
        return fail(read.offset, read.length, text);
    }

    [[nodiscard]] static QString example(FilterField field) {
        const QString name = fieldName(field);
        switch (kindOf(field)) {
            case FilterKind::destination: return name + QStringLiteral(":crm");
            case FilterKind::text:
                return field == FilterField::type ? name + QStringLiteral(":order.*")
                                                  : name + QStringLiteral(":42");
            case FilterKind::prose: return name + QStringLiteral("~timeout");
            case FilterKind::number:
                return field == FilterField::status ? name + QStringLiteral(":503")
                                                    : name + QStringLiteral(">=5");
            case FilterKind::duration: return name + QStringLiteral(">2h");
            case FilterKind::time: return name + QStringLiteral(">14:00");
            case FilterKind::state:
            case FilterKind::outcome:
            case FilterKind::cause:
                return name + QLatin1Char(':') + shownWordsOf(kindOf(field)).value(0);
        }
        return name;
    }

    const QString& m_text;
    const FilterContext& m_context;
    qsizetype m_at = 0;
    std::optional<FilterError> m_error;
};

}  // namespace

ParsedFilter parseFilter(const QString& text, const FilterContext& context) {
    return Parser(text, context).parse();
}

}  // namespace lanes::ui

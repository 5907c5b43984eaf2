// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/exports/row_file.h"

#include "ui/common/csv.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <utility>

namespace lanes::ui {

namespace {

/// As many digits as tell two numbers apart, and no more.
QByteArray decimal(double value) {
    return QByteArray::number(value, 'g', QLocale::FloatingPointShortest);
}

QByteArray jsonText(const QString& text) {
    const QByteArray array = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return array.mid(1, array.size() - 2);
}

QString textOf(const std::string& text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Text is quoted as the format asks; what stands for itself is not.
struct Cell {
    RowFormat format;
    TimeDisplay::Zone zone;

    [[nodiscard]] QByteArray text(const QString& text) const {
        return format == RowFormat::csv ? csvCell(text).toUtf8() : jsonText(text);
    }
    [[nodiscard]] QByteArray nothing() const { return format == RowFormat::csv ? "" : "null"; }

    QByteArray operator()(std::monostate) const { return nothing(); }
    QByteArray operator()(const std::string& value) const { return text(textOf(value)); }
    QByteArray operator()(std::uint64_t value) const { return QByteArray::number(value); }
    QByteArray operator()(double value) const { return decimal(value); }
    QByteArray operator()(RowTime value) const {
        return value.at == 0 ? nothing() : text(TimeDisplay::iso(value.at, zone));
    }
};

}  // namespace

QByteArray titleLine(const QStringList& columns, RowFormat format) {
    return format == RowFormat::csv ? columns.join(u',').toUtf8() + "\r\n" : QByteArray();
}

QByteArray rowLine(const QStringList& columns, const RowValues& row, RowFormat format,
                   TimeDisplay::Zone zone) {
    const Cell cell{format, zone};
    const bool json = format == RowFormat::json;
    QByteArray line = json ? "{" : "";
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0) line += ',';
        if (json) line += jsonText(columns[static_cast<qsizetype>(i)]) + ':';
        line += std::visit(cell, row[i]);
    }
    return line + (json ? "}\n" : "\r\n");
}

RowFile::RowFile(const QString& path, QStringList columns, RowFormat format, TimeDisplay::Zone zone)
    : m_file(path), m_columns(std::move(columns)), m_format(format), m_zone(zone) {}

QString RowFile::open() {
    if (!m_file.open(QIODevice::WriteOnly)) return m_file.errorString();
    return written(titleLine(m_columns, m_format));
}

QString RowFile::write(const std::vector<RowValues>& rows) {
    QByteArray lines;
    for (const auto& row : rows) lines += rowLine(m_columns, row, m_format, m_zone);
    return written(lines);
}

QString RowFile::written(const QByteArray& lines) {
    return m_file.write(lines) == lines.size() ? QString() : m_file.errorString();
}

QString RowFile::finish() {
    return m_file.commit() ? QString() : m_file.errorString();
}

}  // namespace lanes::ui

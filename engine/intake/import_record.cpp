// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/intake/import_record.h"

#include "engine/config.h"

#include <nlohmann/json.hpp>

#include <QByteArray>
#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QSaveFile>

#include <sys/stat.h>

namespace lanes {

namespace {

using nlohmann::json;

/// Far more than a record has, its longest path included.
constexpr qint64 kRecordBytes = 256 << 10;

std::string textOf(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

std::uint64_t numberOf(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
}

bool isTrue(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && *found == true;
}

/// Paths are bytes, not always UTF-8: they are kept as Latin-1 characters.
std::string widened(const std::string& bytes) {
    return QString::fromLatin1(bytes.data(), std::ssize(bytes)).toStdString();
}
std::string narrowed(const std::string& text) {
    return QString::fromStdString(text).toLatin1().toStdString();
}

json toJson(const ImportRecord& record) {
    return {{"path", widened(record.path)},         {"source", widened(record.source)},
            {"position", record.position},          {"lines", record.lines},
            {"known_at", record.knownAt},           {"fingerprint", record.fingerprint},
            {"finished", record.finished},          {"orderly", record.orderly},
            {"report", widened(record.report)},     {"report_bytes", record.reportBytes},
            {"skipped_lines", record.skippedLines}, {"blank", record.blank},
            {"accepted", record.accepted},          {"duplicates", record.duplicates},
            {"rejected", record.rejected}};
}

}  // namespace

ImportRecords::ImportRecords(const std::string& dataDirectory)
    : m_directory(dataDirectory + "/imports") {}

ImportRecord ImportRecords::load(const std::string& path, const std::string& source) const {
    ImportRecord fresh;
    fresh.path = path;
    fresh.source = source;
    QFile file(QFile::decodeName(fileOf(path, source).c_str()));
    if (!file.open(QIODevice::ReadOnly)) return fresh;
    const QByteArray bytes = file.read(kRecordBytes);
    const json read = json::parse(bytes.begin(), bytes.end(), nullptr, false);
    if (!read.is_object()) return fresh;
    ImportRecord record = fresh;
    record.position = numberOf(read, "position");
    record.lines = numberOf(read, "lines");
    record.knownAt = numberOf(read, "known_at");
    record.fingerprint = textOf(read, "fingerprint");
    record.finished = isTrue(read, "finished");
    record.orderly = isTrue(read, "orderly");
    record.report = narrowed(textOf(read, "report"));
    record.reportBytes = numberOf(read, "report_bytes");
    record.skippedLines = numberOf(read, "skipped_lines");
    record.blank = numberOf(read, "blank");
    record.accepted = numberOf(read, "accepted");
    record.duplicates = numberOf(read, "duplicates");
    record.rejected = numberOf(read, "rejected");
    const bool ours = narrowed(textOf(read, "path")) == path &&
                      narrowed(textOf(read, "source")) == source &&
                      record.skippedLines + record.blank + record.accepted + record.duplicates +
                              record.rejected ==
                          record.lines;
    return ours ? record : fresh;
}

Result<Nothing> ImportRecords::save(const ImportRecord& record) const {
    const std::string path = fileOf(record.path, record.source);
    ::mkdir(m_directory.c_str(), 0700);
    QSaveFile file(QFile::decodeName(path.c_str()));
    const std::string text = toJson(record).dump(1) + "\n";
    const bool written = file.open(QIODevice::WriteOnly) &&
                         file.setPermissions(QFile::ReadOwner | QFile::WriteOwner) &&
                         file.write(text.data(), std::ssize(text)) == std::ssize(text) &&
                         file.commit();
    if (!written)
        return Error{Error::Code::unavailable, "how far the import has come cannot be kept in " +
                                                   path + " (" + file.errorString().toStdString() +
                                                   ")."};
    forgetOldest();
    return Nothing{};
}

std::string ImportRecords::fileOf(const std::string& path, const std::string& source) const {
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArrayView(path.data(), std::ssize(path)));
    hash.addData(QByteArrayView("\0", 1));
    hash.addData(QByteArrayView(source.data(), std::ssize(source)));
    return m_directory + "/" + hash.result().toHex().left(32).toStdString() + ".json";
}

void ImportRecords::forgetOldest() const {
    QDir directory(QFile::decodeName(m_directory.c_str()), QStringLiteral("*.json"), QDir::Time,
                   QDir::Files);
    const auto files = directory.entryList();  // newest first
    for (qsizetype i = static_cast<qsizetype>(limits::kImportRecords); i < files.size(); ++i)
        directory.remove(files[i]);
}

}  // namespace lanes

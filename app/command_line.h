// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/dead_letter_choice.h"
#include "app/destination_change.h"
#include "engine/commands.h"
#include "engine/lab.h"
#include "engine/queries.h"
#include "engine/simulation.h"
#include "engine/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

// The command line as plain values. Reading it touches no application object and does not exit, so
// that it can be decided what kind of application is needed before one is made. The only files that
// are read are those that it names for credentials.
namespace lanes::app {

/// Exit codes, the same for every command.
enum class Exit : int {
    good = 0,
    checkFailed = 1,  ///< a promise was broken, or verify found something
    usage = 2,        ///< the command cannot be done as it was typed
    fault = 3,        ///< engine, store, port or data directory
};

enum class Theme { system, light, dark };

inline constexpr std::uint16_t kDefaultPort = 7420;

struct ShowHelp {
    std::string text;
};
struct ShowVersion {};
struct ShowDiagnostics {};

/// The window.
struct RunConsole {
    bool demo = false;
    std::optional<Theme> theme;  ///< none: as the user prefers
    std::string configFile;
    std::optional<std::uint16_t> listenPort;  ///< nothing: 7420, in the demonstration any free one
};

/// Engine and intake without a window.
struct RunHeadless {
    std::string configFile;
    std::uint16_t listenPort = kDefaultPort;  ///< 0 = any free one
    bool quiet = false;
};

/// The scripted demonstration without a display.
struct RunDemo {
    Micros length = 20 * kSecond;
    std::string shotsDirectory;  ///< empty: no pictures
};

/// The JSON Schema of configuration files.
struct ShowSchema {};

struct VerifyStore {};

/// Copies the data file, by the running instance if there is one.
struct MakeBackup {
    std::string file;
    bool force = false;  ///< an existing file is replaced
};
/// Puts a backup in the place of the data file.
struct RestoreBackup {
    std::string file;
};
/// Keeps what is readable of a damaged data file.
struct SalvageStore {};

/// The laboratory: compares ways of delivering on a virtual clock.
struct PlayLab {
    std::string scenario = "refuse";  ///< a name, "all" or a file
    std::uint64_t seed = 1;
    bool quick = false;                  ///< a tenth of the time
    std::vector<LabSenderKind> senders;  ///< empty: all
};

/// Plays the simulation under many seeds.
struct PlaySimulation {
    std::uint64_t first = 1;
    std::uint64_t last = 100;
    SimulationOptions options;  ///< of each; the seed is the number of the run
};

// Operations on the running instance.

struct PutDestination {
    DestinationChange change;
    bool isNew = true;  ///< add refuses an existing name, set refuses an unknown one
    bool secretWasGenerated = false;
};
struct ListDestinations {};
struct DropDestination {
    std::string name;
};
struct ExportDestinations {
    std::string file;  ///< empty: standard output
    bool withSecrets = false;
    bool force = false;  ///< an existing file is replaced
};
struct ImportDestinations {
    std::string file;
    bool dryRun = false;
    bool confirmed = false;
};
struct ListSources {};
struct AddSource {
    std::string name;
};
/// A new key for a source.
struct RotateSource {
    std::string name;
    bool atOnce = false;  ///< the old ones open nothing any more
    bool finish = false;  ///< no new key: the newest one alone opens
};
struct DropSource {
    std::string name;
};
struct ListQuarantine {
    std::uint32_t limit = 50;
    bool bodies = false;
};
struct ShowQuarantined {
    QuarantineId id;
};
struct RetryRejected {
    QuarantineId id;
    std::string bodyFile;  ///< empty: as it was sent
};
struct DiscardRejected {
    std::vector<QuarantineId> ids;
    bool all = false;
};
struct Pause {
    std::string name;
    std::string reason;
    Micros length = 0;  ///< resumed by itself after that; 0 = only by an operator
};
struct Resume {
    std::string name;
};
struct ListLanes {
    std::string destination;  ///< empty = all
    LaneOrder order = LaneOrder::headAge;
    std::uint32_t limit = 50;
};

struct ListDeadLetters {
    DeadLetterChoice choice;
    std::uint32_t limit = 50;
};
struct MoveDeadLetters {
    bool rewind = true;  ///< false: discard
    DeadLetterChoice choice;
    std::string reason;
    bool confirmed = false;
    double pace = 0;           ///< events a second, 0 = as fast as possible
    std::uint32_t tracer = 0;  ///< events that are tried first
    bool lanes = false;        ///< the rest of each lane too, delivered events included
    bool planOnly = false;
};
struct EditDeadLetter {
    std::uint64_t sequence = 0;
    std::string destination;
    std::string payloadFile;
    std::string reason;
};
struct NoteDeadLetter {
    std::uint64_t sequence = 0;
    std::string destination;
    std::string text;  ///< empty: takes the note away
};
struct ListOperations {
    std::uint32_t limit = 20;
};
struct ShowOperation {
    std::uint64_t id = 0;
    std::uint32_t limit = 50;
};
struct HaltOperation {
    std::uint64_t id = 0;
};
struct UndoOperation {
    std::uint64_t id = 0;
};
struct HoldUser {
    bool release = false;
    bool anonymous = false;
    std::string user;
    std::string destination;
    std::string reason;
};
struct ShowEvent {
    std::uint64_t sequence = 0;
};
struct ImportFile {
    std::string file;
    ImportFormat format = ImportFormat::automatic;
    std::string source;  ///< empty: as over HTTP
    std::string report;  ///< empty: beside the file
    bool restart = false;
};
struct ShowStatus {};
struct ShowWriteKey {};

using Operation =
    std::variant<PutDestination, ListDestinations, DropDestination, ExportDestinations,
                 ImportDestinations, Pause, Resume, ListLanes, ListDeadLetters, MoveDeadLetters,
                 EditDeadLetter, NoteDeadLetter, ListOperations, ShowOperation, HaltOperation,
                 UndoOperation, HoldUser, ShowEvent, ImportFile, ShowStatus, ShowWriteKey,
                 ListSources, AddSource, RotateSource, DropSource, ListQuarantine, ShowQuarantined,
                 RetryRejected, DiscardRejected>;
using Action = std::variant<ShowHelp, ShowVersion, ShowDiagnostics, RunConsole, RunHeadless,
                            RunDemo, ShowSchema, VerifyStore, MakeBackup, RestoreBackup,
                            SalvageStore, PlayLab, PlaySimulation, Operation>;

struct Options {
    std::string dataDirectory;  ///< empty: the default of the command
    std::string logRules;       ///< QLoggingCategory filter rules, ';' between them
    bool json = false;
    Action action = RunConsole{};
};

/// One line that says what is wrong and where help is.
struct UsageError {
    std::string text;
};

/// Reads the arguments after the program's name.
[[nodiscard]] std::variant<Options, UsageError> readCommandLine(
    const std::vector<std::string>& arguments);

}  // namespace lanes::app

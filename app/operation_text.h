// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/control_protocol.h"

#include <ostream>
#include <string>

// How the answers of a running instance read on a terminal. They come from an instance of the same
// program, yet a member that is missing must not end in an exception, so they are read with
// fallbacks; and every text in them may come from outside, so it is made one plain line.
namespace lanes::app {

[[nodiscard]] std::string textIn(const Json& object, const char* key);
[[nodiscard]] std::string countIn(const Json& object, const char* key);
/// "1 event", "3 events".
[[nodiscard]] std::string counted(std::uint64_t number, const std::string& one);

void printStatus(const Json& result, std::ostream& out);
void printDestinations(const Json& result, std::ostream& out);
void printSources(const Json& result, std::ostream& out);
void printQuarantine(const Json& result, std::ostream& out);
void printQuarantined(const Json& result, std::ostream& out);
void printLanes(const Json& result, std::ostream& out);
void printDeadLetters(const Json& result, std::ostream& out);
void printEvent(const Json& result, std::ostream& out);
void printOperations(const Json& result, std::ostream& out);
void printOperation(const Json& result, std::ostream& out);
/// What a rewind or discard would do.
void printPlan(const Json& plan, bool rewind, std::ostream& out);
/// "872 dead letters in 512 lanes"; with the rest of the lanes: "872 dead letters and 211 delivered
/// events in 512 lanes".
[[nodiscard]] std::string planned(const Json& plan);
/// Events that would be moved.
[[nodiscard]] std::uint64_t plannedEvents(const Json& plan);

}  // namespace lanes::app

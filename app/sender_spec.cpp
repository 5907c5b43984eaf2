// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sender_spec.h"

#include "engine/config.h"

#include <utility>

namespace lanes::app {

namespace {

QuarantineId idOf(TypedArguments& typed, const std::string& text) {
    const auto number = wholeNumber(text);
    if (!number || *number == 0)
        typed.fail("a rejected event is named by its number in the list, such as 17");
    return QuarantineId(number.value_or(0));
}

Action readAdd(TypedArguments& typed) {
    return Operation{AddSource{typed.positional[0]}};
}

Action readRotate(TypedArguments& typed) {
    RotateSource rotate{typed.positional[0], typed.has("--at-once"), typed.has("--finish")};
    if (rotate.atOnce && rotate.finish) typed.fail("give either --at-once or --finish");
    return Operation{std::move(rotate)};
}

Action readRemove(TypedArguments& typed) {
    return Operation{DropSource{typed.positional[0]}};
}

Action readList(TypedArguments& typed) {
    return Operation{ListQuarantine{
        static_cast<std::uint32_t>(typed.number("--limit", 1, limits::kQuarantined, 50)),
        typed.has("--bodies")}};
}

Action readShow(TypedArguments& typed) {
    return Operation{ShowQuarantined{idOf(typed, typed.positional[0])}};
}

Action readRetry(TypedArguments& typed) {
    return Operation{RetryRejected{idOf(typed, typed.positional[0]), typed.text("--body-file")}};
}

Action readDiscard(TypedArguments& typed) {
    DiscardRejected discard;
    for (const auto& text : typed.positional) discard.ids.push_back(idOf(typed, text));
    discard.all = typed.has("--all");
    if (discard.all == !discard.ids.empty()) typed.fail("name the rejected events, or say --all");
    return Operation{std::move(discard)};
}

}  // namespace

std::vector<CommandSpec> senderSpecs() {
    return {
        {"sources list",
         "",
         "lists the senders with write keys of their own",
         0,
         0,
         {},
         [](TypedArguments&) -> Action { return Operation{ListSources{}}; }},
        {"sources add", "NAME", "adds a sender and prints its write key once", 1, 1, {}, readAdd},
        {"sources rotate",
         "NAME",
         "prints a new write key for a sender; the old ones open as well until --finish",
         1,
         1,
         {{"--at-once", "", "the old keys open nothing any more from now on"},
          {"--finish", "", "no new key: the newest one alone opens from now on"}},
         readRotate},
        {"sources remove",
         "NAME",
         "withdraws a sender's keys; its events stay and are delivered",
         1,
         1,
         {},
         readRemove},
        {"quarantine list",
         "",
         "lists events that were rejected, newest first",
         0,
         0,
         {{"--limit", "N", "at most, 1 to 5000 (50)"},
          {"--bodies", "", "with --json: what was sent as well"}},
         readList},
        {"quarantine show",
         "ID",
         "a rejected event as it was sent, and what is wrong with it",
         1,
         1,
         {},
         readShow},
        {"quarantine retry",
         "ID",
         "takes a rejected event again, as it was sent or mended",
         1,
         1,
         {{"--body-file", "FILE", "what is sent instead, at most 1 MiB"}},
         readRetry},
        {"quarantine discard",
         "[ID ...]",
         "gives rejected events up",
         0,
         limits::kQuarantined,
         {{"--all", "", "all of them"}},
         readDiscard},
    };
}

}  // namespace lanes::app

// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// @segment/analytics-node, unmodified: every method, many users, a receiver that fails at first.
import assert from "node:assert/strict";
import { Analytics } from "@segment/analytics-node";
import { byUser, Engine, Receiver } from "./world.mjs";

const engine = await Engine.start(process.argv[2]);
// The first event of one user is refused once: what follows it must wait for it.
let refusals = 0;
const receiver = await Receiver.start(engine, ({ body }) =>
    JSON.parse(body).userId === "flaky" && refusals++ === 0 ? 503 : undefined,
);
const errors = [];
const analytics = new Analytics({ writeKey: engine.key, host: engine.url, maxRetries: 0 });
analytics.on("error", (error) => errors.push(error));

const users = ["anna", "ben", "Zoë € 😀", "flaky"];
for (const userId of users) {
    analytics.identify({ userId, traits: { step: 0 } });
    analytics.track({ userId, event: "Created", properties: { step: 1 } });
    analytics.page({ userId, name: "Pricing", properties: { step: 2 } });
    analytics.screen({ userId, name: "Settings", properties: { step: 3 } });
    analytics.group({ userId, groupId: "company", traits: { step: 4 } });
    analytics.alias({ userId, previousId: `${userId}-before` });
    // Batches of their own are under way at the same time otherwise, and their order is nobody's.
    await analytics.flush();
}
analytics.track({ anonymousId: "anna", event: "Seen", properties: { step: 0 } });
await analytics.closeAndFlush();
assert.deepEqual(errors, []);

const types = ["identify", "track", "page", "screen", "group", "alias"];
await receiver.expect(engine, users.length * types.length + 1);
const known = byUser(receiver.accepted, (event) => event.userId ?? `anonymous ${event.anonymousId}`);
for (const user of users)
    assert.deepEqual(known.get(user).map((event) => event.type), types);
assert.equal(known.get("anonymous anna").length, 1);
assert.equal(receiver.refused, 1);
const lanes = new Set(receiver.accepted.map(({ headers }) => headers["rivora-lane"]));
assert.equal(lanes.size, users.length + 1, "the user anna and the anonymous anna are two");

// The same events again, as after an answer that was lost: known, and delivered no second time.
const again = receiver.accepted.map(({ body }) => body.toString()).join(",");
const answer = await engine.fetch("/v1/batch", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: `{"batch":[${again}]}`,
});
assert.equal(answer.status, 200);
assert.deepEqual(await answer.json(), {
    success: true,
    accepted: 0,
    duplicates: receiver.accepted.length,
    rejected: [],
});

// A wrong key is told to the program that uses the SDK.
const stranger = new Analytics({ writeKey: "wrong", host: engine.url, maxRetries: 0 });
stranger.on("error", (error) => errors.push(error));
stranger.track({ userId: "eve", event: "Tried" });
await stranger.closeAndFlush();
assert.equal(errors.length, 1);

await engine.stop();
receiver.stop();
assert.equal(receiver.accepted.length, users.length * types.length + 1);

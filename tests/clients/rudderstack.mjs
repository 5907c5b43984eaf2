// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// @rudderstack/rudder-sdk-node, unmodified: every method, packed by default and not.
import assert from "node:assert/strict";
import RudderAnalytics from "@rudderstack/rudder-sdk-node";
import { byUser, Engine, Receiver } from "./world.mjs";

const engine = await Engine.start(process.argv[2]);
const receiver = await Receiver.start(engine);
const types = ["identify", "track", "page", "screen", "group", "alias"];
const users = ["anna", "ben", "Zoë € 😀"];

/** An SDK that gives all it has in one request when it is told to, and not before. */
function client(options) {
    return new RudderAnalytics(engine.key, {
        dataPlaneUrl: engine.url, flushAt: 1000, flushInterval: 600_000, ...options,
    });
}

for (const gzip of [true, false]) {
    const analytics = client({ gzip });
    for (const userId of users) {
        analytics.identify({ userId, traits: { gzip } });
        // It sends the very first event at once; the others must not overtake it on the way.
        await analytics.flush();
        analytics.track({ userId, event: "Created", properties: { gzip } });
        analytics.page({ userId, name: "Pricing" });
        analytics.screen({ userId, name: "Settings" });
        analytics.group({ userId, groupId: "company" });
        analytics.alias({ userId, previousId: `${userId}-before` });
        await analytics.flush();
    }
}
await receiver.expect(engine, 2 * users.length * types.length);
const known = byUser(receiver.accepted, (event) => event.userId);
for (const user of users)
    assert.deepEqual(known.get(user).map((event) => event.type), [...types, ...types]);

await engine.stop();
receiver.stop();
process.exit(0);  // the SDK keeps a timer

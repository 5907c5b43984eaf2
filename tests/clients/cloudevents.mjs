// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// cloudevents, unmodified: binary and structured mode by its transport, batches by fetch; and read
// again from what was delivered.
import assert from "node:assert/strict";
import { CloudEvent, emitterFor, HTTP, httpTransport, Mode } from "cloudevents";
import { Engine, Receiver, sha256 } from "./world.mjs";

const engine = await Engine.start(process.argv[2]);
const receiver = await Receiver.start(engine);
const authorization = { headers: { Authorization: `Bearer ${engine.key}` } };
const transport = httpTransport(`${engine.url}/v1/cloudevents`);

const users = ["anna", "ben", "with space, \"quotes\" and 100%"];
const sent = new Map(users.map((user) => [user, []]));
for (const mode of [Mode.BINARY, Mode.STRUCTURED]) {
    const emit = emitterFor(transport, { mode });
    for (let step = 0; step < 5; ++step) {
        for (const subject of users) {
            const event = new CloudEvent({
                type: "subscription.changed", source: "/shop", subject, data: { step, mode },
            });
            const answer = await emit(event, authorization);
            assert.deepEqual(JSON.parse(answer.body), { accepted: 1, duplicates: 0, rejected: [] });
            sent.get(subject).push(event);
        }
    }
}
const batch = users.map(
    (subject) => new CloudEvent({ type: "note.added", source: "/shop", subject, data: { batch: 1 } }),
);
const answer = await engine.fetch("/v1/cloudevents", {
    method: "POST",
    headers: { "Content-Type": "application/cloudevents-batch+json" },
    body: JSON.stringify(batch),
});
assert.equal(answer.status, 202);
assert.deepEqual(await answer.json(), { accepted: 3, duplicates: 0, rejected: [] });
users.forEach((user, index) => sent.get(user).push(batch[index]));
let count = 3 * (2 * 5 + 1);
await receiver.expect(engine, count);

// Each lane is one user, and holds that user's events in the order in which they were sent.
const lanes = new Map();
for (const { headers, body } of receiver.accepted) {
    const structured = headers["content-type"] === "application/cloudevents+json";
    const lane = lanes.get(headers["rivora-lane"]) ?? [];
    lanes.set(headers["rivora-lane"], lane);
    lane.push(headers["rivora-event-id"]);
    if (structured) {
        const read = HTTP.toEvent({ headers, body: body.toString() });
        assert.equal(read.id, headers["rivora-event-id"]);
        assert.equal(read.source, "/shop");
        assert.ok(users.includes(read.subject));
    } else {
        assert.equal(headers["content-type"], "application/json; charset=utf-8");
        assert.equal(JSON.parse(body).mode, Mode.BINARY);
    }
}
assert.deepEqual(
    [...lanes.values()].map((ids) => ids.join()).sort(),
    [...sent.values()].map((events) => events.map((event) => event.id).join()).sort(),
);

// Ids are unique within their source only.
const binary = (headers, body = "{}") =>
    engine.fetch("/v1/cloudevents", {
        method: "POST",
        headers: { "ce-specversion": "1.0", "ce-type": "t", "Content-Type": "application/json",
                   ...headers },
        body,
    });
for (const [source, accepted] of [["/a", 1], ["/b", 1], ["/a", 0]]) {
    const told = await (await binary({ "ce-id": "1", "ce-source": source })).json();
    assert.equal(told.accepted, accepted);
    assert.equal(told.duplicates, 1 - accepted);
}
count += 2;

// The user is the partition key before the subject, decoded once.
const encoded = { "ce-id": "2", "ce-source": "/a", "ce-subject": "x" };
assert.equal((await binary({ ...encoded, "ce-partitionkey": "Euro%20%E2%82%AC" })).status, 202);
assert.equal((await binary({ ...encoded, "ce-id": "3", "ce-subject": "%C0%A0" })).status, 422);
++count;
await receiver.expect(engine, count);
assert.match(engine.tell("events", "show", String(receiver.accepted.length)), /Euro €/);

// Data that is no JSON arrives with its own type, a large one whole, and none at all as none.
const large = "ä".repeat(400_000);
for (const [type, body, id] of [["text/plain", "hello", "4"], ["text/csv; header=present", large, "5"],
                                ["application/json", "", "6"]]) {
    const told = await binary({ "ce-id": id, "ce-source": "/a", "Content-Type": type }, body);
    assert.equal(told.status, 202, await told.text());
    await receiver.expect(engine, ++count);
    const { headers, body: got } = receiver.accepted.at(-1);
    assert.equal(headers["content-type"], type);
    assert.equal(sha256(got), sha256(Buffer.from(body)));
}
// Numbers keep their digits, where a program that reads and writes them again would lose some.
const digits = '{"n":12345678901234567890,"x":1e400}';
assert.equal((await binary({ "ce-id": "7", "ce-source": "/a" }, digits)).status, 202);
await receiver.expect(engine, ++count);
assert.equal(receiver.accepted.at(-1).body.toString(), digits);

await engine.stop();
receiver.stop();

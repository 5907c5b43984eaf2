// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// GET /metrics, read by a public parser: it must agree with the status and with what was delivered.
import assert from "node:assert/strict";
import parse from "parse-prometheus-text-format";
import { Engine, Receiver } from "./world.mjs";

const engine = await Engine.start(process.argv[2]);
const receiver = await Receiver.start(engine);
const COUNT = 20;
for (let i = 0; i < COUNT; ++i) {
    const answer = await engine.fetch("/v1/events", {
        method: "POST",
        headers: { "Content-Type": "application/json", "Idempotency-Key": `"key-${i}"` },
        body: JSON.stringify({ user: `user ${i}`, type: "note", payload: { i } }),
    });
    assert.equal(answer.status, 202);
}
await receiver.expect(engine, COUNT);

assert.equal((await fetch(`${engine.url}/metrics`)).status, 401);
const answer = await engine.fetch("/metrics");
assert.equal(answer.status, 200);
assert.match(answer.headers.get("content-type"), /^text\/plain; version=0\.0\.4/);
const text = await answer.text();
const families = new Map(parse(text).map((family) => [family.name, family]));
// The parser leaves out what it does not understand, so nothing may be left out.
const begun = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)];
assert.equal(families.size, begun.length);
for (const [, name, type] of begun) {
    assert.equal(families.get(name).type, type.toUpperCase());
    assert.ok(families.get(name).help.length > 0);
}

const value = (name, labels) => {
    const same = (metric) =>
        Object.entries(labels).every(([key, text]) => metric.labels?.[key] === text);
    const found = families.get(name).metrics.filter(same);
    assert.equal(found.length, 1, `${name} ${JSON.stringify(labels)}`);
    return Number(found[0].value);
};
const destination = "crm";
assert.equal(value("rivora_destination_events", { destination, state: "delivered" }), COUNT);
assert.equal(value("rivora_destination_events_accepted_total", { destination }), COUNT);
assert.equal(
    value("rivora_destination_attempts_total", { destination, outcome: "delivered" }), COUNT);
assert.equal(value("rivora_destination_state", { destination, state: "healthy" }), 1);
assert.equal(value("rivora_intake_events_total", { result: "accepted" }), COUNT);
assert.equal(value("rivora_engine_state", { state: "running" }), 1);
const [latency] = families.get("rivora_destination_latency_seconds").metrics;
assert.equal(Number(latency.buckets["+Inf"]), COUNT);
assert.match(text, /^rivora_destination_latency_seconds_sum\{destination="crm"\} \d+(\.\d+)?$/m);
assert.match(text, /^rivora_destination_latency_seconds_count\{destination="crm"\} 20$/m);
assert.ok(value("rivora_store_commits_total", {}) > 0);

await engine.stop();
receiver.stop();

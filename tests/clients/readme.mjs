// SPDX-FileCopyrightText: 2026 The Rivora Lanes authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// Types the README's session with senders and receivers into a shell, with free ports and the
// packages that are installed already, and looks at what comes out.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import net from "node:net";
import os from "node:os";
import path from "node:path";

const [program, source] = process.argv.slice(2);
const readme = fs.readFileSync(path.resolve(source, "../../README.md"), "utf8");
const section = /^## Senders and receivers$([^]*?)^## /m.exec(readme)[1];
const blocks = [...section.matchAll(/^```sh\n([^]*?)^```$/gm)].map((match) => match[1]);

async function freePort() {
    const holder = net.createServer().listen(0, "127.0.0.1");
    await once(holder, "listening");
    const { port } = holder.address();
    holder.close();
    return String(port);
}

const home = fs.mkdtempSync(path.join(os.tmpdir(), "rivora-readme-"));
const modules = path.resolve("node_modules");
let script = blocks.join("\n").replaceAll("7420", await freePort());
script = script.replaceAll("9000", await freePort());
script = script.replaceAll("$PWD/build/release/app", path.dirname(program));
script = script.replace(/^npm install (.*)$/m, (line, names) => {
    for (const name of names.split(" "))
        assert.ok(fs.existsSync(path.join(modules, name)), `${name} is installed`);
    return `ln -s '${modules}' node_modules`;
});
assert.ok(!script.includes("npm install"));
script = `trap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n${script}`;
const ran = spawnSync("timeout", ["--kill-after=5", "80", "bash", "-eu", "-o", "pipefail"], {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, LC_ALL: "C.UTF-8", QT_QPA_PLATFORM: "offscreen" },
    input: script,
    encoding: "utf8",
});
console.log(ran.stdout, ran.stderr);
assert.equal(ran.status, 0);
fs.rmSync(home, { recursive: true });

assert.match(ran.stdout, /^\{"accepted":1,"duplicates":0,"rejected":\[\]\}$/m);
const received = ran.stdout.split("\n").map((line) => /^(\d+) (\{.*\})$/.exec(line));
const events = received.filter(Boolean).map(([, sequence, body]) => [Number(sequence), JSON.parse(body)]);
assert.deepEqual(events.map(([sequence]) => sequence), [1, 2, 3, 4, 5]);
assert.deepEqual(events[0][1], { total: 12 });
assert.deepEqual(events.slice(1, 4).map(([, event]) => event.event ?? event.type),
    ["identify", "Plan chosen", "Plan paid"]);
assert.deepEqual(events[4][1], { number: 1 });
assert.match(ran.stdout, /^rivora_intake_events_total\{result="accepted"\} 5$/m);
assert.match(ran.stdout, /^rivora_destination_attempts_total\{destination="crm",outcome="delivered"\} 5$/m);

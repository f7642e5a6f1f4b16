// One turn of Node for benchmarks/portable.py: node portable_node.mjs MODULE LAYOUT RECORD BATTLES
// Prints the seconds of processor time that the battles took and the sha256 of their results.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

const [moduleFile, layoutFile, recordFile, battles] = process.argv.slice(2);
const layout = JSON.parse(readFileSync(layoutFile, "utf8"));
const record = readFileSync(recordFile);
const count = Number(battles);
const aligned = (place) => Math.ceil(place / 64) * 64;
const bytes = 131072 + aligned(layout.record.size) + count * layout.result.size;
const pages = Math.ceil(bytes / 65536);
const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
const { instance } = await WebAssembly.instantiate(readFileSync(moduleFile), { env: { memory } });
const { simulate, __heap_base: base } = instance.exports;
const place = aligned(base.value);
const results = place + aligned(layout.record.size);
const view = new Uint8Array(memory.buffer);
view.set(record, place);
// The first battles are played by code of the quick compiler.
simulate(place, 0, 0, results, count);
view.fill(0, results, results + count * layout.result.size);
const before = process.cpuUsage();
const status = simulate(place, 0, 0, results, count);
const used = process.cpuUsage(before);
const seconds = (used.user + used.system) / 1e6;
if (status !== 0) throw new Error(`status ${status}`);
const digest = createHash("sha256").update(view.subarray(results, results + count * layout.result.size)).digest("hex");
console.log(JSON.stringify({ seconds, digest }));

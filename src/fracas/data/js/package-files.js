// What the npm package holds besides this folder: the modules and the licence stand elsewhere in the sources, so that
// they exist once. `npm pack` copies them here before, and removes them after.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const modules = join(here, "..", "wasm");
const [copies, licence] = [join(here, "wasm"), join(here, "LICENSE")];

rmSync(copies, { recursive: true, force: true });
rmSync(licence, { force: true });
if (process.argv[2] === "copy") {
  mkdirSync(copies);
  for (const name of readdirSync(modules)) {
    const stem = name.replace(/\.(wasm|json)$/, "");
    if (existsSync(join(modules, `${stem}.wasm`))) cpSync(join(modules, name), join(copies, name));
  }
  cpSync(join(here, "..", "..", "..", "..", "LICENSE"), licence);
}

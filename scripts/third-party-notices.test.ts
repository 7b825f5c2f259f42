import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rolldown, type Plugin } from "rolldown";
import { afterEach, beforeEach, expect, test } from "vitest";
import { thirdPartyNotices } from "./third-party-notices.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "secplat-notices-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function addPackage(name: string, terms: object): void {
  const place = join(folder, "node_modules", name);
  mkdirSync(place, { recursive: true });
  const manifest = { name, version: "1.2.3", main: "index.js", type: "module", ...terms };
  writeFileSync(join(place, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(place, "index.js"), `export const ${name} = "${name}";`);
  writeFileSync(join(place, "LICENSE"), `The terms of ${name}.\n`);
}

/** Bundles a program that imports these packages, and returns the notices. */
async function noticesOf(names: readonly string[]): Promise<string> {
  const lines = names.map((name) => `import { ${name} } from "${name}"; console.log(${name});`);
  writeFileSync(join(folder, "main.js"), lines.join("\n"));
  const file = join(folder, "dist/notices.txt");
  const plugins = [thirdPartyNotices(file) as Plugin];
  const bundle = await rolldown({ cwd: folder, input: "main.js", plugins });
  await bundle.write({ dir: join(folder, "dist") });
  return readFileSync(file, "utf8");
}

test("the notices hold the terms of each bundled package", async () => {
  addPackage("beta", { license: "ISC" });
  addPackage("alpha", { license: "(MIT OR GPL-3.0-only)" });
  addPackage("unused", { license: "GPL-3.0-only" });
  const notices = await noticesOf(["beta", "alpha"]);
  expect(notices.split(`\n${"-".repeat(80)}\n\n`)).toEqual([
    "alpha 1.2.3, license: (MIT OR GPL-3.0-only)\n\nThe terms of alpha.\n",
    "beta 1.2.3, license: ISC\n\nThe terms of beta.",
  ]);
});

test.each([
  [{ license: "GPL-3.0-only" }, "not compatible"],
  [{ license: "(MIT AND GPL-3.0-only)" }, "not compatible"],
  [{}, "does not specify any license"],
])("a bundle with a package under %j fails", async (terms, message) => {
  addPackage("gamma", terms);
  await expect(noticesOf(["gamma"])).rejects.toThrow(message);
});

/** Prints the lengths of the files of spec/ and of this package, by kind and in total. */
import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { sizesBy } from "../src/measure/sizes.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

function textsBelow(folder: string, ending: string): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(ending) && !path.includes("generated"))
      .map((path) => path.split(sep).join("/"))
      .map((path) => [path, readFileSync(join(root, folder, path), "utf8")]),
  );
}

/** The kind of a file of spec/: its folder in a collection, or `errata`. */
function kindOf(path: string): string {
  const [first = "", second, third] = path.split("/");
  if (second === undefined) return "beside openapi.yaml";
  return third === undefined ? first : second;
}

const specification = textsBelow("spec", ".yaml");
const code = textsBelow("packages/spec/src", ".ts");
const rows = [
  ...sizesBy(specification, kindOf),
  ...sizesBy(specification, () => "all of spec/"),
  ...sizesBy(code, (path) => (path.endsWith(".test.ts") ? "tests" : "code")),
];
process.stdout.write(`${"lines".padEnd(20)} files median   p90 longest\n`);
for (const { name, files, median, p90, largest, largestFile } of rows) {
  const figures = [files, median, p90, largest].map((figure) => String(figure).padStart(6));
  process.stdout.write(`${name.padEnd(20)}${figures.join("")}  ${largestFile}\n`);
}

// `npm run places -- <operationId>`: prints every place of an operation, and marks those that are missing.
import { existsSync, globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { placesOf, type Place } from "./operation-places.ts";

const root = resolve(import.meta.dirname, "..");
const [id] = process.argv.slice(2);

const text = (file: string): string => {
  const path = join(root, file);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
};

const paths = (): readonly string[] => globSync("spec/*/paths/*.yaml", { cwd: root }).toSorted();

function print({ found, path, what }: Place): void {
  process.stdout.write(`${found ? "ok     " : "MISSING"}  ${path.padEnd(64)}  ${what}\n`);
}

if (id === undefined) {
  process.stderr.write("expected an operation id: npm run places -- createHostGroups\n");
  process.exitCode = 2;
} else {
  const places = placesOf(id, { text, paths });
  for (const place of places) print(place);
  if (places.some(({ found }) => !found)) process.exitCode = 1;
}

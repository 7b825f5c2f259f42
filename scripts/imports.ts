import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/**
 * One import of one file by another, both relative to the root of the repository, with forward
 * slashes.
 */
export interface Import {
  readonly from: string;
  readonly to: string;
  /** Types are erased; a dynamic import is loaded when its code runs. */
  readonly kind: "types" | "static" | "dynamic";
}

const statement =
  /(?:\b(?:import|export)\s+(?<type>type\s)?[\w*{}\s,$]*?\bfrom|\bimport)\s*(?<call>\(?)\s*"(?<target>[^"\s]+)"/g;
const isSource = (name: string): boolean => name.endsWith(".ts") && !name.endsWith(".test.ts");

/** Files below a folder, relative to `root`, without tests, shared test code and generated code. */
export function sourceFiles(root: string, folder: string): readonly string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .filter((path) => !/\/(testing|generated|node_modules)\//.test(path))
    .toSorted();
}

/** Imports of files and of packages, type imports included. */
export function importsOf(root: string, files: readonly string[]): readonly Import[] {
  return files.flatMap((from) => {
    const text = readFileSync(join(root, from), "utf8");
    return [...text.matchAll(statement)].map(({ groups = {} }) => {
      const { type, call, target = "" } = groups;
      const path = resolve(root, dirname(from), target);
      const to = target.startsWith(".") ? relative(root, path).split(sep).join("/") : target;
      const kind = type === undefined ? (call === "" ? "static" : "dynamic") : "types";
      return { from, to, kind };
    });
  });
}

/** What is loaded with `start`: every file and package, with the files through which it is reached. */
export function loadedWith(
  imports: readonly Import[],
  start: string,
): ReadonlyMap<string, readonly string[]> {
  const targets = Map.groupBy(
    imports.filter(({ kind }) => kind === "static"),
    ({ from }) => from,
  );
  const ways = new Map<string, readonly string[]>([[start, [start]]]);
  // The iteration also visits entries that are added meanwhile.
  for (const [file, way] of ways) {
    for (const { to } of targets.get(file) ?? []) {
      if (!ways.has(to)) ways.set(to, [...way, to]);
    }
  }
  return ways;
}

/** Groups of files that import each other in a circle (Tarjan's strongly connected components). */
export function cycles(imports: readonly Import[]): readonly (readonly string[])[] {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const groups: string[][] = [];
  const visit = (file: string): number => {
    const number = order.size;
    let low = number;
    order.set(file, number);
    stack.push(file);
    for (const { to } of targets.get(file) ?? []) {
      if (!targets.has(to)) continue;
      if (!order.has(to)) low = Math.min(low, visit(to));
      else if (stack.includes(to)) low = Math.min(low, lowest.get(to) ?? order.get(to) ?? low);
    }
    lowest.set(file, low);
    if (low === number) {
      const component = stack.splice(stack.indexOf(file));
      if (component.length > 1) groups.push(component.toSorted());
    }
    return low;
  };
  for (const file of targets.keys()) if (!order.has(file)) visit(file);
  return groups;
}

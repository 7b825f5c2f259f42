import { readFileSync, readdirSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";

/**
 * One import of one file by another, both relative to the root of the repository, with forward
 * slashes.
 */
export interface Import {
  readonly from: string;
  readonly to: string;
}

const statement = /(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g;
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
    return [...text.matchAll(statement)].map(([, target = ""]) => {
      const path = resolve(root, dirname(from), target);
      const to = target.startsWith(".") ? relative(root, path).split(sep).join("/") : target;
      return { from, to };
    });
  });
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

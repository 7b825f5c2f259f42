import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FalconPyCall } from "./calls.ts";

/** The calls of the package in a folder, by method and path: `GET /iocs/queries/actions/v1`. */
export function readFalconPy(folder: string): ReadonlyMap<string, FalconPyCall> {
  const requests = endpoints(folder);
  const calls = new Map<string, FalconPyCall>();
  for (const file of globSync("*.py", { cwd: folder }).toSorted()) {
    const source = readFileSync(join(folder, file), "utf8");
    for (const { name, body } of classesIn(source)) {
      for (const [, method = "", code = ""] of body.matchAll(methodPattern)) {
        const [, operation = ""] = /operation_id="([^"]+)"/.exec(code) ?? [];
        const request = requests.get(operation);
        // Some services have two classes; the first one is the older one that more programs use.
        if (request === undefined || calls.has(request)) continue;
        const takesQuery = /\b(?:params|keywords)=/.test(code);
        calls.set(request, { class: name, method, ...(!takesQuery && { takesQuery }) });
      }
    }
  }
  return calls;
}

export function falconPyVersion(folder: string): string {
  const source = readFileSync(join(folder, "_version.py"), "utf8");
  return /^_VERSION = ['"]([^'"]+)/m.exec(source)?.[1] ?? "";
}

const methodPattern = /^ {4}def ([a-z]\w*)\(self([^]*?)(?=^ {4}(?:def|@)|(?![^]))/gm;

/** Method and path of each operation id of FalconPy. */
function endpoints(folder: string): ReadonlyMap<string, string> {
  const requests = new Map<string, string>();
  for (const file of globSync("_endpoint/*.py", { cwd: folder })) {
    const source = readFileSync(join(folder, file), "utf8");
    const entries = source.matchAll(/^ {2}\[\n {4}"([^"]+)",\n {4}"([A-Z]+)",\n {4}"([^"]+)"/gm);
    for (const [, id = "", method, path = ""] of entries) {
      requests.set(id, `${method} ${path.replace(/\?.*/, "")}`);
    }
  }
  return requests;
}

function classesIn(source: string): readonly { readonly name: string; readonly body: string }[] {
  const classes = source.matchAll(/^class (\w+)\(\w+\):([^]*?)(?=^class |^\w+ = |(?![^]))/gm);
  return [...classes].map(([, name = "", body = ""]) => ({ name, body }));
}

/**
 * Writes `calls.json`: how FalconPy, gofalcon and PSFalcon call the operations of the document. It contains
 * names and types only. Arguments: the folder of the installed Python package `falconpy`, and the folders of the
 * source code of gofalcon and of PSFalcon.
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { operations } from "@security-platform/spec";
import { falconPyVersion, readFalconPy } from "./read-falconpy.ts";
import { gofalconVersion, readGofalcon } from "./read-gofalcon.ts";
import { psfalconVersion, readPSFalcon } from "./read-psfalcon.ts";

const [falconpy, gofalcon, psfalcon] = process.argv.slice(2);
if (falconpy === undefined || gofalcon === undefined || psfalcon === undefined) {
  throw new Error("expected the folders of falconpy, gofalcon and PSFalcon");
}

/** Names of path parameters differ between the clients. */
const withoutNames = (path: string): string => path.replaceAll(/\{[^}]*\}/g, "{}");

const byShape = <Call>(calls: ReadonlyMap<string, Call>): ReadonlyMap<string, Call> =>
  new Map([...calls].map(([request, call]) => [withoutNames(request), call]));

const pythonCalls = byShape(readFalconPy(falconpy));
const goCalls = byShape(readGofalcon(gofalcon));
const powerShellCalls = byShape(readPSFalcon(psfalcon));

const entries = operations().map(({ id, method, path }) => {
  const request = withoutNames(`${method.toUpperCase()} ${path}`);
  return [
    id,
    {
      falconpy: pythonCalls.get(request),
      gofalcon: goCalls.get(request),
      psfalcon: powerShellCalls.get(request),
    },
  ] as const;
});

const file = {
  versions: {
    falconpy: falconPyVersion(falconpy),
    gofalcon: gofalconVersion(gofalcon),
    psfalcon: psfalconVersion(psfalcon),
  },
  operations: Object.fromEntries(entries.filter(([, calls]) => Object.values(calls).some(Boolean))),
};
writeFileSync(
  fileURLToPath(new URL("calls.json", import.meta.url)),
  `${JSON.stringify(file, null, 2)}\n`,
);

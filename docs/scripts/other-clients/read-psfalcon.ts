import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { PSFalconCall, PSFalconParameter } from "./calls.ts";

/** The calls of the module in a folder, by method and path: `GET /iocs/queries/actions/v1`. */
export function readPSFalcon(folder: string): ReadonlyMap<string, PSFalconCall> {
  const calls = new Map<string, PSFalconCall>();
  for (const file of globSync("public/*.ps1", { cwd: folder }).toSorted()) {
    const source = readFileSync(join(folder, file), "utf8").replaceAll("\r\n", "\n");
    for (const [, command = "", code = ""] of source.matchAll(
      /^function ([\w-]+) \{([^]*?)^\}/gm,
    )) {
      const byRequest = parametersIn(code);
      // A command of one request may have no parameters, and then names its request in its body.
      for (const [, only = ""] of code.matchAll(/Endpoint = '([^']+)'/g)) {
        if (!byRequest.has(only)) byRequest.set(only, []);
      }
      for (const [set, parameters] of byRequest) {
        const [path = "", verb = ""] = set.split(":");
        const request = `${verb.toUpperCase()} ${path}`;
        if (path.startsWith("/") && !calls.has(request)) {
          calls.set(request, { command, parameters });
        }
      }
    }
  }
  return calls;
}

export function psfalconVersion(folder: string): string {
  const source = readFileSync(join(folder, "PSFalcon.psd1"), "utf8");
  return /ModuleVersion += '([^']+)'/.exec(source)?.[1] ?? "";
}

/** The parameters of a command by their parameter sets, which PSFalcon names after requests. */
function parametersIn(code: string): Map<string, PSFalconParameter[]> {
  const [, list = ""] = /^ {2}param\(\n([^]*?)^ {2}\)/m.exec(code) ?? [];
  const bySet = new Map<string, PSFalconParameter[]>();
  for (const part of list.split(/(?<=\$\w+,?)\n(?= {4}\[)/)) {
    const [, type = "", name = ""] = /\[([\w.[\]]+)\]\s*\$(\w+),?\s*$/.exec(part) ?? [];
    if (name === "") continue;
    const [, names = ""] = /\[Alias\(([^)]*)\)\]/.exec(part) ?? [];
    const aliases = textsIn(names);
    const [, allowed = ""] = /\[ValidateSet\(([^)]*)\)\]/.exec(part) ?? [];
    const values = textsIn(allowed);
    for (const [attribute, set = ""] of part.matchAll(
      /\[Parameter\(ParameterSetName='([^']+)'[^\]]*\)\]/g,
    )) {
      const mandatory = attribute.includes("Mandatory");
      const earlier = bySet.get(set) ?? [];
      bySet.set(set, [
        ...earlier,
        {
          name,
          type,
          ...(aliases.length > 0 && { aliases }),
          ...(values.length > 0 && name !== "Sort" && { values }),
          ...(mandatory && { mandatory }),
        },
      ]);
    }
  }
  return bySet;
}

const textsIn = (list: string): readonly string[] =>
  [...list.matchAll(/'([^']+)'/g)].map(([, text = ""]) => text);

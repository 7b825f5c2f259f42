import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { GofalconCall } from "./calls.ts";

/** The calls of the module in a folder, by method and path: `GET /iocs/queries/actions/v1`. */
export function readGofalcon(folder: string): ReadonlyMap<string, GofalconCall> {
  const client = join(folder, "falcon/client");
  const root = readFileSync(join(client, "crowd_strike_api_specification_client.go"), "utf8");
  const members = new Map(
    [...root.matchAll(/^\t(\w+) (\w+)\.ClientService$/gm)].map(([, member = "", name = ""]) => [
      name,
      member,
    ]),
  );
  const calls = new Map<string, GofalconCall>();
  for (const file of globSync("*/*_client.go", { cwd: client }).toSorted()) {
    const name = dirname(file);
    const member = members.get(name);
    if (member === undefined) continue;
    const source = readFileSync(join(client, file), "utf8");
    const files = globSync(`${name}/*_{parameters,responses}.go`, { cwd: client });
    const types = files.map((each) => readFileSync(join(client, each), "utf8")).join("\n");
    for (const [, method = "", writer, results = "", code = ""] of source.matchAll(methodPattern)) {
      const [, verb] = /Method: +"(\w+)"/.exec(code) ?? [];
      const [, path] = /PathPattern: +"([^"]+)"/.exec(code) ?? [];
      const [result = ""] = results.split(",");
      calls.set(`${verb} ${path}`, {
        member,
        package: name,
        method,
        parameters: parametersOf(method, types),
        results: results.split(",").length - 1,
        payload: types.includes(`func (o ${result.trim()}) GetPayload()`),
        writer: writer !== undefined,
      });
    }
  }
  return calls;
}

export function gofalconVersion(folder: string): string {
  const source = readFileSync(join(folder, "falcon/version.go"), "utf8");
  return /MustParse\("([^"]+)"\)/.exec(source)?.[1] ?? "";
}

const methodPattern =
  /^func \(a \*Client\) (\w+)\(params \*\w+,( writer io\.Writer,)? opts \.\.\.ClientOption\) \(([^)]*)\) \{([^]*?)^\}/gm;

function parametersOf(method: string, types: string): Readonly<Record<string, string>> {
  const [, fields = ""] =
    new RegExp(String.raw`^type ${method}Params struct \{([^]*?)^\}`, "m").exec(types) ?? [];
  const code = fields.replaceAll(/\/\*[^]*?\*\//g, "").replaceAll(/\/\/.*$/gm, "");
  return Object.fromEntries(
    [...code.matchAll(/^\t([A-Z]\w*) +(\S+)$/gm)]
      .filter(([, name = ""]) => name !== "Context" && name !== "HTTPClient")
      .map(([, name, type]) => [name, type]),
  );
}

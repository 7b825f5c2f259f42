import { isObject, listOf, objectsOf, textOf, type Json, type JsonObject } from "../json.ts";
import type { OperationSite } from "./comparison.ts";

/** Compares the URLs under which the API, or one operation, is served. */
export function compareServers(
  site: OperationSite,
  base: Json | undefined,
  revision: Json | undefined,
): void {
  const before = serversOf(base);
  const after = serversOf(revision);
  const removed = [...before].filter(([url]) => !after.has(url));
  const added = [...after].filter(([url]) => !before.has(url));
  if (removed.length === 1 && added.length === 1 && removed[0] && added[0]) {
    site.report("server-changed", "request", `the server ${removed[0][0]} became ${added[0][0]}`, {
      base: removed[0][1],
      revision: added[0][1],
    });
  } else {
    for (const [url, node] of removed) {
      site.report("server-removed", "request", `the server ${url} was removed`, { base: node });
    }
    for (const [url, node] of added) {
      site.report("server-added", "request", `the server ${url} is new`, { revision: node });
    }
  }
  for (const [url, node] of before) {
    const other = after.get(url);
    if (other !== undefined) compareVariables(site, url, node, other);
  }
}

/** By URL without trailing slash. Without servers, the URL is that of the document. */
function serversOf(servers: Json | undefined): ReadonlyMap<string, JsonObject> {
  const all = listOf(servers).filter(isObject);
  return new Map(
    all.map((node) => [(textOf(node["url"]) ?? "/").replace(/(?<!\/)\/+$/, ""), node]),
  );
}

function compareVariables(
  site: OperationSite,
  url: string,
  base: JsonObject,
  revision: JsonObject,
): void {
  const after = new Map(objectsOf(revision["variables"]));
  for (const [name, node] of objectsOf(base["variables"])) {
    const other = after.get(name);
    if (other === undefined) continue;
    const at = { base: node, revision: other };
    if (node["default"] !== other["default"]) {
      site.report(
        "server-variable-changed",
        "request",
        `the default of {${name}} in ${url} was ${String(node["default"])} and is ${String(other["default"])} now`,
        at,
      );
    }
    const values = Array.isArray(other["enum"]) ? listOf(other["enum"]) : undefined;
    if (values === undefined) continue;
    const lost = listOf(node["enum"]).filter((value) => !values.includes(value));
    if (lost.length === 0 && Array.isArray(node["enum"])) continue;
    const words = Array.isArray(node["enum"])
      ? `lacks ${lost.map(String).join(", ")}`
      : `is limited to ${values.map(String).join(", ")}`;
    site.report("server-variable-changed", "request", `{${name}} in ${url} ${words}`, at);
  }
}

import type { Sides, Verdict } from "../change.ts";
import { isObject, listOf, objectsOf, textOf, type Json, type JsonObject } from "../json.ts";
import type { LoadedDocument } from "../read/loaded-document.ts";
import type { OperationSite } from "./comparison.ts";

/** Compares the URLs under which the API, or one operation, is served. */
export function compareServers(
  site: OperationSite,
  base: Json | undefined,
  revision: Json | undefined,
  moved: Sides<string> = { base: "", revision: "" },
): void {
  const before = serversOf(base, moved.base);
  const after = serversOf(revision, moved.revision);
  // Without servers, the URL is `/`.
  if (before.size === 0) after.delete("");
  if (after.size === 0) before.delete("");
  const onlyBefore = [...before].filter(([url]) => !after.has(url));
  const onlyAfter = [...after].filter(([url]) => !before.has(url));
  const renamed = renamedVariables(onlyBefore, onlyAfter);
  const isAmong = (others: typeof onlyAfter, entry: Entry): boolean =>
    renamed.some((pair) => pair.includes(entry)) ||
    others.some((other) => withoutFixed(...other) === withoutFixed(...entry));
  const [reachedBefore, reachedAfter] = [reached(before), reached(after)];
  const all = { base: reachedBefore, revision: reachedAfter };
  const removed = onlyBefore
    .filter((entry) => !isAmong(onlyAfter, entry))
    .flatMap((entry) => withoutReached(entry, reachedAfter));
  const added = onlyAfter
    .filter((entry) => !isAmong(onlyBefore, entry))
    .flatMap((entry) => withoutReached(entry, reachedBefore));
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
    if (other !== undefined) compareVariables(site, url, node, other, all);
  }
  for (const [[url, node], [other, now]] of renamed) {
    // The names of variables are not sent.
    const names = new Map(namesIn(other).map((name, index) => [name, namesIn(url)[index] ?? name]));
    const variables = Object.fromEntries(
      objectsOf(now["variables"]).map(([name, each]) => [names.get(name) ?? name, each]),
    );
    compareVariables(site, url, node, { ...now, variables }, all);
  }
}

const namesIn = (url: string): readonly string[] =>
  [...url.matchAll(/\{([^{}]*)\}/g)].map(([, name = ""]) => name);

/** Templates that differ only in the names of their variables. */
function renamedVariables(
  before: readonly Entry[],
  after: readonly Entry[],
): readonly (readonly [Entry, Entry])[] {
  const shapeOf = (url: string): string => url.replaceAll(/\{[^{}]*\}/g, "{}");
  return before.flatMap((entry): readonly (readonly [Entry, Entry])[] => {
    const other = after.find(([url]) => shapeOf(url) === shapeOf(entry[0]));
    return other === undefined || namesIn(entry[0]).length === 0 ? [] : [[entry, other]];
  });
}

type Entry = readonly [url: string, node: JsonObject];

/** A URL with the values of variables that have only one. */
function withoutFixed(url: string, { variables }: JsonObject): string {
  let text = url;
  for (const [name, { enum: values }] of objectsOf(variables)) {
    const [value, ...more] = listOf(values);
    if (value !== undefined && more.length === 0) {
      text = text.replaceAll(`{${name}}`, String(value));
    }
  }
  return text === url ? url : normalUrl({ url: text });
}

/** More URLs of one server are compared by its template. */
const mostUrls = 100;

/** The URLs that variables with listed values stand for; undefined if a variable has no list. */
function urlsOf([url, { variables }]: Entry, listed: (variable: JsonObject) => readonly Json[]) {
  let urls = [url];
  for (const [name, variable] of objectsOf(variables)) {
    if (!url.includes(`{${name}}`)) continue;
    const values = listed(variable);
    if (values.length === 0 || urls.length * values.length > mostUrls) return undefined;
    urls = urls.flatMap((each) =>
      values.map((value) => each.replaceAll(`{${name}}`, String(value))),
    );
  }
  return urls.map((each) => normalUrl({ url: each }));
}

/** All URLs at which a server is known to be; of a variable without a list, only the default is. */
function reached(servers: ReadonlyMap<string, JsonObject>): ReadonlySet<string> {
  const known = ({ enum: values, default: byDefault }: JsonObject): readonly Json[] =>
    Array.isArray(values) ? listOf(values) : byDefault === undefined ? [] : [byDefault];
  return new Set([...servers].flatMap((entry) => urlsOf(entry, known) ?? []));
}

/** The entry, or those of its URLs that the other document does not have. */
function withoutReached(entry: Entry, others: ReadonlySet<string>): readonly Entry[] {
  const urls = urlsOf(entry, ({ enum: values }) => listOf(values)) ?? [];
  const left = urls.filter((url) => !others.has(url));
  if (left.length === urls.length) return [entry];
  return left.map((url) => [url, entry[1]]);
}

/** By normal URL. */
function serversOf(servers: Json | undefined, moved: string): Map<string, JsonObject> {
  const all = listOf(servers).filter(isObject);
  return new Map(
    all.map((node) => {
      const url = normalUrl(node);
      const whole = withoutFixed(url, node);
      const isMoved = moved !== "" && whole.endsWith(moved);
      return [isMoved ? whole.slice(0, -moved.length) : url, node];
    }),
  );
}

const defaultPorts: Readonly<Record<string, string>> = { http: ":80", https: ":443" };

/** A URL without what does not matter: the case of the host, the default port, a slash at the end. */
function normalUrl({ url }: JsonObject): string {
  let text = textOf(url) ?? "/";
  const [, scheme, host, path] = /^([a-z]+):\/\/([^/?#]*)(.*)$/is.exec(text) ?? [];
  if (scheme !== undefined && host !== undefined && path !== undefined) {
    const port = defaultPorts[scheme.toLowerCase()];
    // Names of variables keep their case.
    const name = host.replaceAll(/[^{}]+(?![^{}]*\})/g, (part) => part.toLowerCase());
    const short = port !== undefined && name.endsWith(port) ? name.slice(0, -port.length) : name;
    text = `${scheme.toLowerCase()}://${short}${path}`;
  }
  return text.replace(/(?<!\/)\/+$/, "");
}

/** What moved from the URLs of the servers to the paths, or back: the start of the other paths. */
export function movedPaths(base: LoadedDocument, revision: LoadedDocument): Sides<string> {
  const none = { base: "", revision: "" };
  const [before, after] = [commonPath(base), commonPath(revision)];
  if (before === undefined || after === undefined) return none;
  const startOf = (longer: string, shorter: string, { root }: LoadedDocument): string => {
    const start = longer.slice(shorter.length);
    const isMoved =
      start.startsWith("/") &&
      longer.startsWith(shorter) &&
      objectsOf(root["paths"]).every(([path]) => path.startsWith(`${start}/`));
    return isMoved ? start : "";
  };
  return before.length > after.length
    ? { ...none, base: startOf(before, after, revision) }
    : { ...none, revision: startOf(after, before, base) };
}

/** The path that the URLs of all servers have; undefined if they differ. */
function commonPath({ root }: LoadedDocument): string | undefined {
  const urls = [...serversOf(root["servers"], "")].map((entry) => withoutFixed(...entry));
  const paths = new Set(
    urls.map((url) => url.replace(/^[a-z]+:\/\/[^/]*/i, "").replace(/^\/$/, "")),
  );
  if (paths.size > 1) return undefined;
  return [...paths][0] ?? "";
}

function compareVariables(
  site: OperationSite,
  url: string,
  base: JsonObject,
  revision: JsonObject,
  all: Sides<ReadonlySet<string>>,
): void {
  const after = new Map(objectsOf(revision["variables"]));
  /** Whether each URL with a value of a variable is also that of another server. */
  const isReached = (name: string, value: Json, others: ReadonlySet<string>): boolean => {
    const entry: Entry = [url.replaceAll(`{${name}}`, String(value)), base];
    const urls = urlsOf(entry, ({ enum: values }) => listOf(values));
    return urls?.every((each) => others.has(each)) === true;
  };
  for (const [name, node] of objectsOf(base["variables"])) {
    const other = after.get(name);
    if (other === undefined) continue;
    const at = { base: node, revision: other };
    const report = (words: string, verdict?: Verdict): void =>
      site.report("server-variable-changed", "request", words, at, verdict);
    if (node["default"] !== other["default"]) {
      report(
        `the default of {${name}} in ${url} was ${String(node["default"])} and is ${String(other["default"])} now`,
      );
    }
    const before = Array.isArray(node["enum"]) ? listOf(node["enum"]) : undefined;
    const values = Array.isArray(other["enum"]) ? listOf(other["enum"]) : undefined;
    if (values === undefined) {
      if (before !== undefined) report(`{${name}} in ${url} is no longer limited`, "minor");
      continue;
    }
    const lost = before?.filter(
      (value) => !values.includes(value) && !isReached(name, value, all.revision),
    );
    const gained = values.filter(
      (value) => before?.includes(value) === false && !isReached(name, value, all.base),
    );
    if (lost === undefined) {
      report(`{${name}} in ${url} is limited to ${values.map(String).join(", ")}`);
    } else if (lost.length > 0) {
      report(`{${name}} in ${url} lacks ${lost.map(String).join(", ")}`);
    }
    if (gained.length > 0) {
      report(`{${name}} in ${url} may also be ${gained.map(String).join(", ")}`, "minor");
    }
  }
}

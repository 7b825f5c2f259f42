import { parameterProblem } from "./url-parameters.ts";

/** What is wrong with the URL of a database, which messages call `name`; null if nothing is. */
export function databaseProblem(url: string, name: string): string | null {
  const path = /^sqlite:(?<path>.+)$/s.exec(url)?.groups?.["path"];
  if (path !== undefined) return pathProblem(path, name);
  if (!/^postgres(ql)?:\/\/./s.test(url)) return wrongDatabaseUrl(url, name);
  const problem = partProblem(url);
  if (problem !== null) return `${name}: ${problem}`;
  return canBeUrl(url)
    ? (escapeProblem(url, name) ?? parameterProblem(urlOf(url).searchParams, name))
    : `${name} is not a URL; ${expected}, with a port of at most 65535, and with special characters of a password escaped, such as %40 for @`;
}

const parts =
  /^[a-z]+:\/\/(?:[^/?#]*@)?(?<hosts>[^/?#]*)(?<path>[^?#]*)(?<query>[^#]*)(?<rest>.*)/s;

/** What the driver would take for another part of the URL. */
function partProblem(url: string): string | null {
  const { hosts = "", path = "", query = "", rest = "" } = parts.exec(url)?.groups ?? {};
  if (rest.length > 1) return "what follows # has no effect; escape # in a password as %23";
  if (path.includes("@")) {
    return "there is an @ behind the first /; escape / in a password as %2F, and @ in the name of a database as %40";
  }
  const isList = [hosts, ...new URLSearchParams(query).getAll("host")].some((each) =>
    each.includes(","),
  );
  return isList
    ? "it has several hosts; name the primary alone, and set --database-replica for reads"
    : null;
}

/** As the driver does, takes a lone % for itself. */
function escapeProblem(url: string, name: string): string | null {
  const { username, password, hostname, pathname } = urlOf(url);
  try {
    const decoded = [username, password, hostname, pathname].map((part) =>
      decodeURIComponent(part.replaceAll(/%(?![0-9a-f]{2})/gi, "%25")),
    );
    return decoded.some((part) => part.includes("\0"))
      ? `${name}: %00 is a character that no name or password can have; remove it`
      : null;
  } catch {
    return `${name}: an escape with % is no character in UTF-8; escape % itself as %25`;
  }
}

/** A URL has a host after two slashes; as a path, `//x` would be a file of the root folder. */
function pathProblem(path: string, name: string): string | null {
  if (path.trim() === "") return `${name} is incomplete after sqlite:; ${expected}`;
  return /^\/\/(?!\/)/.test(path)
    ? `${name}: sqlite:// has no host; expected sqlite:<path>, such as sqlite:platform.sqlite or sqlite:/var/lib/secplat/platform.sqlite`
    : null;
}

/** As the driver does, accepts a user without a host, which means a Unix socket. */
export const withHost = (url: string): string => url.replace("@/", "@host/");

const canBeUrl = (url: string): boolean => URL.canParse(withHost(url));

const urlOf = (url: string): URL => new URL(withHost(url));

const expected = "expected sqlite:<path> or postgres://user@host/name";

/** What can only be the name of a SQLite file, and no part of a URL with a password. */
const fileName = /^[\w./\\-]+\.(sqlite3?|db)$/;

/** Describes the problem without repeating the text, which may contain a password. */
function wrongDatabaseUrl(url: string, name: string): string {
  if (url === "") return `${name} is empty; ${expected}`;
  const known = /^(?<scheme>sqlite|postgres(ql)?):/i.exec(url)?.groups?.["scheme"];
  if (known !== undefined && known !== known.toLowerCase()) {
    return `${name}: ${known} is not in lower case; ${expected}`;
  }
  if (known !== undefined) return `${name} is incomplete after ${known}:; ${expected}`;
  const other = /^(?<scheme>(?:jdbc:)?[a-z][a-z0-9+.-]*):\/\//i.exec(url)?.groups?.["scheme"];
  return other === undefined
    ? `${name} has no engine; ${expected}. For a SQLite file write sqlite:${fileName.test(url) ? url : "<path>"}`
    : `${name}: unknown engine "${other}"; ${expected}`;
}

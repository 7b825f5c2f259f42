import { parameterProblem } from "./url-parameters.ts";

/** What is wrong with the URL of a database, which messages call `name`; null if nothing is. */
export function databaseProblem(url: string, name: string): string | null {
  if (/^sqlite:./s.test(url)) return null;
  if (!/^postgres(ql)?:\/\/./s.test(url)) return wrongDatabaseUrl(url, name);
  return canBeUrl(url)
    ? parameterProblem(parametersOf(url), name)
    : `${name} is not a URL; ${expected}, with a port of at most 65535, and with special characters of a password escaped, such as %40 for @`;
}

/** As the driver does, accepts a user without a host. */
const withHost = (url: string): string => url.replace("@/", "@host/");

const canBeUrl = (url: string): boolean => URL.canParse(withHost(url));

const parametersOf = (url: string): URLSearchParams => new URL(withHost(url)).searchParams;

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
  const other = /^(?<scheme>[a-z][a-z0-9+.-]*):\/\//i.exec(url)?.groups?.["scheme"];
  return other === undefined
    ? `${name} has no engine; ${expected}. For a SQLite file write sqlite:${fileName.test(url) ? url : "<path>"}`
    : `${name}: unknown engine "${other}"; ${expected}`;
}

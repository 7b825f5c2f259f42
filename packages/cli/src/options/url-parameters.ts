import { accessSync, constants } from "node:fs";
import { nearest } from "@security-platform/fql";
import { systemCode } from "../terminal/describe-error.ts";

/** The values that a parameter may have. Null: a file that can be read. Absent: any value. */
interface Parameter {
  readonly values?: readonly string[] | null;
}

/** What the driver of PostgreSQL acts on. It ignores other parameters, and takes wrong values for the default. */
const parameters: Readonly<Record<string, Parameter>> = {
  channel_binding: { values: ["disable", "prefer", "require"] },
  host: {},
  options: {},
  password: {},
  port: {},
  ssl: { values: ["true", "1", "0", "no-verify"] },
  sslcert: { values: null },
  sslkey: { values: null },
  sslmode: { values: ["disable", "prefer", "require", "verify-ca", "verify-full", "no-verify"] },
  sslnegotiation: { values: ["postgres", "direct"] },
  sslrootcert: { values: null },
  uselibpqcompat: { values: ["true"] },
  user: {},
};

/** What to do instead of some parameters of other programs. */
const instead: Readonly<Record<string, string>> = {
  application_name: "remove it; the platform names its connections itself",
  client_encoding: "remove it; connections use UTF8",
  connect_timeout: "set --connect-timeout",
  connection_limit: "set --database-connections",
  database: "write the name of the database behind the host: postgres://user@host/name",
  dbname: "write the name of the database behind the host: postgres://user@host/name",
  gssencmode: "remove it; connections do not use GSSAPI",
  pgbouncer: "remove it; the server finds out what a pooler can do",
  schema: "remove it, and choose the schema: alter role <login> set search_path = <schema>",
  statement_timeout: "set --statement-timeout",
  target_session_attrs: "name the primary alone, and set --database-replica for reads",
};

const listed = (names: readonly string[]): string => names.join(", ");

/** What is wrong with the parameters of a URL of PostgreSQL, which messages call `name`; null if nothing is. */
export function parameterProblem(search: URLSearchParams, name: string): string | null {
  for (const [parameter, value] of search) {
    const problem = problemOf(parameter, value);
    if (problem !== null) return `${name}: ${problem}`;
  }
  return search.get("uselibpqcompat") === "true" &&
    search.get("sslmode") === "verify-ca" &&
    !search.has("sslrootcert")
    ? `${name}: sslmode=verify-ca with uselibpqcompat=true needs sslrootcert; add it, or set sslmode=verify-full`
    : null;
}

function problemOf(parameter: string, value: string): string | null {
  const known = Object.hasOwn(parameters, parameter) ? parameters[parameter] : undefined;
  if (known === undefined) return unknownParameter(parameter);
  if (parameter === "port") return portProblem(value);
  if (known.values === null) return fileProblem(parameter, value);
  if (known.values === undefined || known.values.includes(value)) return null;
  const near = nearest(value, known.values);
  return `the parameter ${parameter} is "${value}"; expected ${listed(known.values)}${didYouMean(near)}`;
}

function unknownParameter(parameter: string): string {
  // With an unescaped ? in a password, this is a part of it.
  if (!/^\w+$/.test(parameter)) {
    return "a parameter after ? has no valid name; escape ? in a password as %3F";
  }
  const cure = Object.hasOwn(instead, parameter) ? instead[parameter] : undefined;
  const names = Object.keys(parameters);
  const more = cure ?? `expected ${listed(names)}${didYouMean(nearest(parameter, names))}`;
  return `unknown parameter "${parameter}"; ${more}`;
}

const didYouMean = (near: string | undefined): string =>
  near === undefined ? "" : `. Did you mean ${near}?`;

const portProblem = (value: string): string | null =>
  /^\d{1,5}$/.test(value) && Number(value) >= 1 && Number(value) <= 65_535
    ? null
    : `the parameter port is "${value}"; expected a number from 1 to 65535`;

function fileProblem(parameter: string, value: string): string | null {
  if (parameter === "sslrootcert" && value === "system") {
    return "sslrootcert=system has no effect; remove it: the certificates of Node.js are used without it";
  }
  try {
    accessSync(value, constants.R_OK);
    return null;
  } catch (error) {
    return `the parameter ${parameter} is "${value}", which cannot be read (${systemCode(error)}); expected a file in PEM`;
  }
}

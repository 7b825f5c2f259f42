import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { JsonObject } from "./requests/request.ts";
import type { RunOptions } from "./run.ts";
import type { Credentials } from "./target/credentials.ts";

export const help = `Usage: contract-tests --base-url URL --client-id ID --client-secret SECRET [options]

Runs a generated case for every operation and documented answer of the Security Platform API, and the
laws that hold for all operations, against a running service. It creates records, each in a namespace
of its own, and removes them again.

  --base-url URL             the service, for example http://127.0.0.1:8080
  --client-id ID             an API client with every scope that is to be tested
  --client-secret SECRET     its secret; better in CONTRACT_TESTS_CLIENT_SECRET
  --other-client-id ID       a client of an unrelated tenant: tenants must see nothing of each other
  --other-client-secret S    its secret; better in CONTRACT_TESTS_OTHER_CLIENT_SECRET
  --faults URL               a service that runs with --dev: 429, 500 and 503 are forced there
  --rate-limited-url URL     the same service with a small rate limit: 429 is then a real one
  --known-records FILE       JSON: records of the first tenant that no operation creates, by kind
  --body-limit BYTES         the largest body that the service takes (default 10485760)
  --allow-header NAME        a response header that a proxy adds; may be repeated
  --only TEXT                cases whose name holds the text, or matches /a regular expression/
  --except-file FILE         ids of operations that the service does not have, one a line
  --list                     print the names of the cases and stop
  --concurrency NUMBER       cases at a time (default 8)
  --require-all              a case that cannot be run fails the run
  --json FILE, --junit FILE  write the report in this form, too
  --help                     print this text

A service that answers 429 is given the time it asks for; for a quick run, switch its limits off.
Exit codes: 0 all is well, 1 a case failed, 2 the run could not be made.
`;

/** What the user asked for cannot be done as it stands; the message says why. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export interface CommandLine {
  readonly help: boolean;
  readonly list: boolean;
  readonly json: string | undefined;
  readonly junit: string | undefined;
  readonly run: RunOptions;
}

const text = { type: "string" } as const;
const flag = { type: "boolean", default: false } as const;

/** Reads a command line; throws `UsageError`. `environment` may hold the secrets. */
export function parseCommandLine(
  words: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): CommandLine {
  const values = parse(words);
  const { help: wantsHelp, list, json, junit } = values;
  const isRun = !wantsHelp && !list;
  const secret = values["client-secret"] ?? environment["CONTRACT_TESTS_CLIENT_SECRET"];
  const otherSecret =
    values["other-client-secret"] ?? environment["CONTRACT_TESTS_OTHER_CLIENT_SECRET"];
  const only = values.only;
  const baseUrl = isRun ? urlOf("--base-url", values["base-url"]) : "";
  const own = isRun
    ? credentials("", values["client-id"], secret)
    : { clientId: "", clientSecret: "" };
  return {
    help: wantsHelp,
    list,
    json,
    junit,
    run: {
      baseUrl,
      credentials: own,
      requireAll: values["require-all"],
      ...(values["other-client-id"] === undefined
        ? {}
        : { otherTenant: credentials("other-", values["other-client-id"], otherSecret) }),
      ...(values.faults === undefined ? {} : { faults: urlOf("--faults", values.faults) }),
      ...(values["rate-limited-url"] === undefined
        ? {}
        : {
            rateLimited: {
              baseUrl: urlOf("--rate-limited-url", values["rate-limited-url"]),
              credentials: own,
            },
          }),
      ...(values["known-records"] === undefined
        ? {}
        : { knownRecords: readRecords(values["known-records"]) }),
      ...(values["body-limit"] === undefined
        ? {}
        : { bodyBytes: count("--body-limit", values["body-limit"]) }),
      ...(values["allow-header"] === undefined ? {} : { allowHeaders: values["allow-header"] }),
      ...(values["except-file"] === undefined
        ? {}
        : { except: readLines("--except-file", values["except-file"]) }),
      ...(only === undefined ? {} : { only: selection(only) }),
      ...(values.concurrency === undefined
        ? {}
        : { concurrency: count("--concurrency", values.concurrency) }),
    },
  };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        "base-url": text,
        "client-id": text,
        "client-secret": text,
        "other-client-id": text,
        "other-client-secret": text,
        faults: text,
        "rate-limited-url": text,
        "known-records": text,
        "body-limit": text,
        "allow-header": { type: "string", multiple: true },
        only: text,
        "except-file": text,
        list: flag,
        concurrency: text,
        "require-all": flag,
        json: text,
        junit: text,
        help: flag,
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function urlOf(option: string, value: string | undefined): string {
  if (value === undefined) throw new UsageError(`${option} is needed`);
  if (!URL.canParse(value) || !/^https?:/.test(value)) {
    throw new UsageError(`${option}: expected a URL such as http://127.0.0.1:8080, got ${value}`);
  }
  return value;
}

function credentials(
  whose: string,
  clientId: string | undefined,
  clientSecret: string | undefined,
): Credentials {
  if (clientId === undefined) throw new UsageError(`--${whose}client-id is needed`);
  if (clientSecret === undefined) throw new UsageError(`--${whose}client-secret is needed`);
  return { clientId, clientSecret };
}

function count(option: string, value: string): number {
  if (!/^[1-9]\d{0,11}$/.test(value)) {
    throw new UsageError(`${option}: expected a number from 1 on, got ${value}`);
  }
  return Number(value);
}

function selection(only: string): string | RegExp {
  const pattern = /^\/(.+)\/$/.exec(only)?.[1];
  try {
    return pattern === undefined ? only : new RegExp(pattern, "u");
  } catch (error) {
    throw new UsageError(`--only: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readLines(option: string, file: string): readonly string[] {
  try {
    return readFileSync(file, "utf8").split(/\s+/).filter(Boolean);
  } catch (error) {
    throw new UsageError(`${option}: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function readRecords(file: string): Readonly<Record<string, readonly JsonObject[]>> {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Readonly<
      Record<string, readonly JsonObject[]>
    >;
  } catch (error) {
    throw new UsageError(
      `--known-records: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

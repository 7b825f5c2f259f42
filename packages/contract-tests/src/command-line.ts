import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { JsonObject } from "./requests/request.ts";
import type { RunOptions } from "./run.ts";
import type { Selector, Shard } from "./selection.ts";
import type { Credentials } from "./target/credentials.ts";

export const help = `Usage: contract-tests --base-url URL [options]

Runs a generated case for every operation and documented answer of the Security Platform API, and the
laws that hold for all operations, against a running service.

Target:
  --base-url URL             the service, for example http://127.0.0.1:8080
  --client-id ID             an API client with every scope to test (CONTRACT_TESTS_CLIENT_ID)
  --client-secret SECRET     its secret; better: CONTRACT_TESTS_CLIENT_SECRET
  --other-client-id ID       a client of an unrelated tenant, to test that tenants are separate
                             (CONTRACT_TESTS_OTHER_CLIENT_ID)
  --other-client-secret S    its secret; better: CONTRACT_TESTS_OTHER_CLIENT_SECRET
  --limited-client-id ID     a client of the first tenant that acts as a user who does not see some of its
                             records, which --known-records lists (CONTRACT_TESTS_LIMITED_CLIENT_ID)
  --limited-client-secret S  its secret; better: CONTRACT_TESTS_LIMITED_CLIENT_SECRET
  --expired-token TOKEN      a token of the first tenant that has expired; better:
                             CONTRACT_TESTS_EXPIRED_TOKEN
  --allow-writes             create, change and delete records, and remove them at the end;
                             without it only reads are sent
  --known-records FILE       JSON: records that no operation creates, by kind; see the README
  --faults URL               a service that runs with --dev, to force 408, 429, 431, 500, 503, 507
  --rate-limited-url URL     the same service with a small rate limit, to obtain a real 429
  --body-limit BYTES         largest request body that the service accepts (default 10485760)
  --value-limit COUNT        JSON values in the largest body that the service accepts (default 200000)
  --upload-limit BYTES       largest file that the service accepts (default 104857600)

Selection:
  --companion                also the companion operations: host groups, hosts, user and tenant groups
  --compat                   the service serves existing clients (secplat serve --compat): every success is an
                             Envelope, and requests may be written as those clients write them
  --include TEXT             only cases whose name has the text, or matches /a regular expression/;
                             collections and operation ids work too; may be repeated
  --exclude TEXT             no such cases; may be repeated
  --except-file FILE         ids of operations to leave out, one a line
  --shard I/N                the I-th of N parts of the run
  --sample PERCENT           share of the cases that send many requests (default 100)
  --quick                    a tenth of the requests that a service refuses before it reads a record: one for
                             each operation and law, and one for each rule and place that is broken
  --list                     print the names of the cases and stop
  --arazzo FOLDER            write a story for each kind of record as an Arazzo document and stop

Run:
  --seed TEXT                two runs with one seed send the same requests, with other names (default: random)
  --max-time SECONDS         begin no case after this time
  --timeout SECONDS          time limit of one request (default 30)
  --rate-limit-wait SECONDS  time to spend waiting for rate limits, all together (default 300)
  --concurrency NUMBER       cases at a time (default 8)
  --keep-records             do not remove the created records, to repeat failed requests
  --strict-headers           an undocumented response header fails the case
  --allow-header NAME        a response header that a gateway adds; may be repeated
  --require-all              a case that is not run fails the run

Reports:
  --junit FILE               JUnit XML
  --json FILE                everything, as JSON
  --html FILE                one page, with a command for each failure that repeats its request
  --help                     print this text

Exit codes: 0 no case failed, 1 a case failed, 2 the run could not start, or was interrupted.
Ctrl-C ends the run, removes the created records and prints the report; a second one stops at once.
`;

/** An invalid command line; the message gives the reason. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export interface CommandLine {
  readonly help: boolean;
  readonly list: boolean;
  readonly arazzo: string | undefined;
  readonly json: string | undefined;
  readonly junit: string | undefined;
  readonly html: string | undefined;
  readonly maxSeconds: number | undefined;
  readonly run: RunOptions;
}

type Environment = Readonly<Record<string, string | undefined>>;
type Values = ReturnType<typeof parse>;

/** Reads a command line; throws `UsageError`. Credentials may be in the environment. */
export function parseCommandLine(words: readonly string[], environment: Environment): CommandLine {
  const values = parse(words);
  const isRun = !values.help && !values.list && values.arazzo === undefined;
  const { json, junit, html } = values;
  return {
    help: values.help,
    list: values.list,
    arazzo: values.arazzo,
    json,
    junit,
    html,
    maxSeconds: count("--max-time", values["max-time"]),
    run: {
      ...(isRun ? targetOf(values, environment) : noTarget),
      ...selectionOf(values),
      knownRecords: readRecords(values["known-records"]),
      bodyBytes: count("--body-limit", values["body-limit"]),
      bodyValues: count("--value-limit", values["value-limit"]),
      uploadBytes: count("--upload-limit", values["upload-limit"]),
      allowHeaders: values["allow-header"],
      strictHeaders: values["strict-headers"],
      companion: values.companion,
      compat: values.compat,
      allowWrites: values["allow-writes"],
      keepRecords: values["keep-records"],
      requireAll: values["require-all"],
      seed: values.seed,
      concurrency: count("--concurrency", values.concurrency),
      timeoutMilliseconds: milliseconds(count("--timeout", values.timeout)),
      waitSeconds: count("--rate-limit-wait", values["rate-limit-wait"], 0),
    },
  };
}

const noTarget = { baseUrl: "", credentials: { clientId: "", clientSecret: "" } };

function targetOf(values: Values, environment: Environment) {
  const baseUrl = urlOf("--base-url", values["base-url"]);
  if (baseUrl === undefined) throw new UsageError("--base-url is required");
  const own = credentials("", values["client-id"], values["client-secret"], environment);
  if (own === undefined) {
    throw new UsageError("--client-id, or CONTRACT_TESTS_CLIENT_ID, is required");
  }
  const limitedUrl = urlOf("--rate-limited-url", values["rate-limited-url"]);
  return {
    baseUrl,
    credentials: own,
    otherTenant: credentials(
      "other-",
      values["other-client-id"],
      values["other-client-secret"],
      environment,
    ),
    limitedUser: credentials(
      "limited-",
      values["limited-client-id"],
      values["limited-client-secret"],
      environment,
    ),
    expiredToken: values["expired-token"] ?? environment["CONTRACT_TESTS_EXPIRED_TOKEN"],
    faults: urlOf("--faults", values.faults),
    rateLimited: limitedUrl === undefined ? undefined : { baseUrl: limitedUrl, credentials: own },
  };
}

const selectionOf = (values: Values) => ({
  include: values.include?.map((text) => selector("--include", text)),
  exclude: values.exclude?.map((text) => selector("--exclude", text)),
  except: readWords("--except-file", values["except-file"]),
  shard: shardOf(values.shard),
  sample: shareOf(count("--sample", values.sample, 0)),
  quick: values.quick,
});

const text = { type: "string" } as const;
const texts = { type: "string", multiple: true } as const;
const flag = { type: "boolean", default: false } as const;

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
        "limited-client-id": text,
        "limited-client-secret": text,
        "expired-token": text,
        companion: flag,
        compat: flag,
        "allow-writes": flag,
        faults: text,
        "rate-limited-url": text,
        "known-records": text,
        "body-limit": text,
        "value-limit": text,
        "upload-limit": text,
        include: texts,
        exclude: texts,
        "except-file": text,
        shard: text,
        sample: text,
        quick: flag,
        list: flag,
        arazzo: text,
        seed: text,
        "max-time": text,
        timeout: text,
        "rate-limit-wait": text,
        concurrency: text,
        "keep-records": flag,
        "strict-headers": flag,
        "allow-header": texts,
        "require-all": flag,
        json: text,
        junit: text,
        html: text,
        help: flag,
      },
    }).values;
  } catch (error) {
    throw new UsageError(describe(error));
  }
}

function urlOf(option: string, value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  if (!URL.canParse(value) || !/^https?:/.test(value)) {
    throw new UsageError(`${option}: expected a URL such as http://127.0.0.1:8080, got ${value}`);
  }
  return value;
}

function credentials(
  prefix: "" | "other-" | "limited-",
  id: string | undefined,
  secret: string | undefined,
  environment: Environment,
): Credentials | undefined {
  const variable = `CONTRACT_TESTS_${prefix.toUpperCase().replace("-", "_")}CLIENT`;
  const clientId = id ?? environment[`${variable}_ID`];
  const clientSecret = secret ?? environment[`${variable}_SECRET`];
  if (clientId === undefined) return undefined;
  if (clientSecret === undefined) {
    throw new UsageError(`--${prefix}client-secret, or ${variable}_SECRET, is required`);
  }
  return { clientId, clientSecret };
}

function count(option: string, value: string | undefined, minimum = 1): number | undefined {
  if (value === undefined) return undefined;
  if (!/^\d{1,12}$/.test(value) || Number(value) < minimum) {
    throw new UsageError(`${option}: expected a whole number from ${minimum} on, got ${value}`);
  }
  return Number(value);
}

const milliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1_000;

function shardOf(value: string | undefined): Shard | undefined {
  if (value === undefined) return undefined;
  const [, index, shards] = /^(\d{1,4})\/(\d{1,4})$/.exec(value)?.map(Number) ?? [];
  if (index === undefined || shards === undefined || index < 1 || index > shards) {
    throw new UsageError(`--shard: expected a part such as 1/4, got ${value}`);
  }
  return { index, count: shards };
}

const shareOf = (percent: number | undefined): number | undefined =>
  percent === undefined ? undefined : percent / 100;

function selector(option: string, value: string): Selector {
  const pattern = /^\/(.+)\/$/.exec(value)?.[1];
  try {
    return pattern === undefined ? value : new RegExp(pattern, "u");
  } catch (error) {
    throw new UsageError(`${option}: ${describe(error)}`);
  }
}

function readWords(option: string, file: string | undefined): readonly string[] | undefined {
  if (file === undefined) return undefined;
  try {
    return readFileSync(file, "utf8").split(/\s+/).filter(Boolean);
  } catch (error) {
    throw new UsageError(`${option}: ${describe(error)}`);
  }
}

type KnownRecords = Readonly<Record<string, readonly JsonObject[]>>;

function readRecords(file: string | undefined): KnownRecords | undefined {
  if (file === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw new UsageError(`--known-records: ${describe(error)}`);
  }
  const isObject = (each: unknown): boolean =>
    each !== null && typeof each === "object" && !Array.isArray(each);
  const isRecords = (each: unknown): boolean => Array.isArray(each) && each.every(isObject);
  if (!isObject(value) || !Object.values(value as object).every(isRecords)) {
    throw new UsageError(
      `--known-records: ${file} must be an object of lists of records, such as {"hosts": [{"device_id": "…"}]}`,
    );
  }
  return value as KnownRecords;
}

const describe = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

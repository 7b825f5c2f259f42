import { defaultLimits, type ServerLimits } from "@security-platform/server/internal";
import { Option, type Command } from "commander";
import { readInteger } from "../../options/read-integer.ts";

interface Limit {
  readonly flags: `--${string} <${string}>`;
  readonly description: string;
  readonly minimum: number;
  /** Default: that of timers. */
  readonly maximum?: number;
}

/** A limit without an option does not compile. */
const limits: Readonly<Record<keyof ServerLimits, Limit>> = {
  requestsPerMinute: {
    flags: "--rate-limit <count>",
    description: "requests per minute and tenant; 0: no limit",
    minimum: 0,
  },
  tokenRequestsPerMinute: {
    flags: "--token-rate-limit <count>",
    description: "token requests per minute and client address; 0: no limit",
    minimum: 0,
  },
  failedAuthenticationsPerMinute: {
    flags: "--failure-limit <count>",
    description: "failed authentications per minute and client address; 0: no limit",
    minimum: 0,
  },
  bodyBytes: {
    flags: "--body-limit <bytes>",
    description: "maximum size of a request body",
    minimum: 1_024,
  },
  bodyMemoryBytes: {
    flags: "--body-memory <bytes>",
    description:
      "memory for all request bodies that are being received; 0: an eighth of the process's memory limit",
    minimum: 0,
  },
  responseMemoryBytes: {
    flags: "--response-memory <bytes>",
    description:
      "memory for all responses that callers have not taken; 0: an eighth of the process's memory limit",
    minimum: 0,
  },
  requestsInWork: {
    flags: "--requests-in-work <count>",
    description: "requests in work at a time, others wait; 0: 16 for each processor",
    minimum: 0,
  },
  requestsWaiting: {
    flags: "--waiting-limit <count>",
    description: "maximum number of requests of a tenant that wait; others get a 503",
    minimum: 1,
  },
  waitMilliseconds: {
    flags: "--wait-timeout <milliseconds>",
    description: "maximum time that a request waits for its turn, before it gets a 503",
    minimum: 1,
  },
  bodyValues: {
    flags: "--value-limit <count>",
    description: "maximum number of values in a JSON body",
    minimum: 1_000,
  },
  uploadBytes: {
    flags: "--upload-limit <bytes>",
    description: "maximum size of an uploaded file",
    minimum: 1_024,
  },
  storageBytes: {
    flags: "--storage-limit <bytes>",
    description:
      "maximum size of the database and the files of all tenants; at the limit nothing can be added; 0: no limit",
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  },
  tenantStorageBytes: {
    flags: "--tenant-storage-limit <bytes>",
    description: "maximum size of a tenant's records and files; 0: no limit",
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
  },
  requestMilliseconds: {
    flags: "--request-timeout <milliseconds>",
    description: "maximum time for receiving a request",
    minimum: 100,
  },
  writeMilliseconds: {
    flags: "--write-timeout <milliseconds>",
    description: "maximum time in which a caller takes no byte of a response",
    minimum: 100,
  },
  idleMilliseconds: {
    flags: "--idle-timeout <milliseconds>",
    description: "maximum idle time of a connection",
    minimum: 1,
  },
  connections: {
    flags: "--max-connections <count>",
    description: "maximum number of connections",
    minimum: 1,
  },
  overloadMilliseconds: {
    flags: "--overload-delay <milliseconds>",
    description: "event loop delay above which requests get a 503; 0: never",
    minimum: 0,
  },
  tokenSeconds: {
    flags: "--token-lifetime <seconds>",
    description: "lifetime of an access token",
    minimum: 1,
  },
};

/** Timers fire at once beyond this many milliseconds. */
const longest = 2 ** 31 - 1;

const entries = Object.entries(limits) as [keyof ServerLimits, Limit][];

export function addLimitOptions(command: Command): Command {
  for (const [name, { flags, description, minimum, maximum = longest }] of entries) {
    const option = new Option(flags, description)
      .argParser(readInteger(minimum, maximum))
      .default(defaultLimits[name])
      .helpGroup("Limits:");
    command.addOption(option.env(variableOf(option)));
  }
  return command;
}

/** Selects the limits from a command's options. */
export function readLimits(options: Readonly<Record<string, unknown>>): ServerLimits {
  const values = entries.map(([name, { flags }]) => [
    name,
    options[new Option(flags).attributeName()],
  ]);
  return Object.fromEntries(values) as unknown as ServerLimits;
}

const variableOf = (option: Option): string =>
  `SECPLAT_${option.name().toUpperCase().replaceAll("-", "_")}`;

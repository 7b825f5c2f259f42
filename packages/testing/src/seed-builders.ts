import type { ImportRecords } from "@security-platform/spec";

/** The members that each builder fills in if a record lacks them. */
interface FilledMembers {
  readonly hosts:
    | "device_id"
    | "hostname"
    | "platform_name"
    | "os_version"
    | "agent_version"
    | "local_ip"
    | "first_seen"
    | "last_seen"
    | "status";
  readonly "host-groups": "id" | "name" | "group_type";
  readonly indicators:
    "id" | "type" | "value" | "action" | "severity" | "platforms" | "applied_globally";
  readonly executions: "id" | "started_on";
  readonly alerts: "id" | "timestamp" | "name" | "severity";
  readonly events: "id" | "timestamp" | "name" | "severity";
  readonly cases: "id" | "name";
  readonly "identity-entities": "entityId" | "type" | "primaryDisplayName";
}

type BuiltKind = keyof FilledMembers;

/** A record for a builder: any members of the kind, as in `secplat import`. */
export type RecordInput<Kind extends BuiltKind> = {
  readonly [Name in keyof ImportRecords[Kind]]?: ImportRecords[Kind][Name] | undefined;
} & (Kind extends "executions" ? Pick<ImportRecords["executions"], "device_id"> : unknown);

/** A record with the members that its builder filled in. */
export type BuiltRecord<Kind extends BuiltKind> = ImportRecords[Kind] & {
  readonly [Name in Extract<FilledMembers[Kind], keyof ImportRecords[Kind]>]: Exclude<
    ImportRecords[Kind][Name],
    undefined
  >;
};

interface BuilderOptions {
  /** Default: the platform's own tenant. */
  readonly cid?: string;
}

/**
 * Adds records and resolves to them, with the members that were filled in. Throws a `RangeError` that names the first
 * invalid record.
 */
interface ListBuilder<Kind extends BuiltKind> {
  <Records extends readonly unknown[]>(
    records: readonly [...{ [Index in keyof Records]: RecordInput<Kind> }],
    options?: BuilderOptions,
  ): Promise<{ readonly [Index in keyof Records]: BuiltRecord<Kind> }>;
}

interface Builder<Kind extends BuiltKind> extends ListBuilder<Kind> {
  /** Adds a number of records. */
  (count: number, options?: BuilderOptions): Promise<readonly BuiltRecord<Kind>[]>;
}

/** Builders of own records. The rules of `secplat import` apply to what they add. */
export interface SeedBuilders {
  readonly hosts: Builder<"hosts">;
  /** The type of a group follows from its members: a rule, ids of hosts, or names of hosts. */
  readonly hostGroups: Builder<"host-groups">;
  /** The type of an indicator follows from its value. */
  readonly indicators: Builder<"indicators">;
  /** Processes that ran on a host. */
  readonly executions: ListBuilder<"executions">;
  readonly alerts: Builder<"alerts">;
  readonly events: Builder<"events">;
  readonly cases: Builder<"cases">;
  /** Users and machines of the identity graph. */
  readonly identities: Builder<"identity-entities">;
}

/** What a builder knows about a record. */
interface Place {
  /** Unique in the platform; 1 for the first record. */
  readonly number: number;
  /** RFC 3339. */
  readonly now: string;
}

/** The members of an input that have a value. */
type Given<Kind extends BuiltKind> = {
  readonly [Name in keyof RecordInput<Kind>]: Exclude<RecordInput<Kind>[Name], undefined>;
};

type Fill<Kind extends BuiltKind> = (input: Given<Kind>, place: Place) => BuiltRecord<Kind>;

const digits = (number: number, length: number): string =>
  number.toString(16).padStart(length, "0");

const uuid = (number: number): string => `00000000-0000-4000-8000-${digits(number, 12)}`;

const systems = { Linux: "Ubuntu 24.04", Mac: "Sequoia (15)", Windows: "Windows 11" } as const;

const host: Fill<"hosts"> = (input, { number, now }) => {
  const { platform_name = "Linux" } = input;
  return {
    device_id: digits(number, 32),
    hostname: `host-${number}`,
    platform_name,
    os_version: systems[platform_name],
    agent_version: "7.20.19308.0",
    local_ip: `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`,
    first_seen: now,
    last_seen: now,
    status: "normal",
    ...input,
  };
};

const hostGroup: Fill<"host-groups"> = (input, { number }) => ({
  id: digits(number, 32),
  name: `Group ${number}`,
  group_type:
    input.assignment_rule !== undefined
      ? "dynamic"
      : input.device_ids !== undefined
        ? "staticByID"
        : "static",
  ...input,
});

type IndicatorType = ImportRecords["indicators"]["type"];

const indicator: Fill<"indicators"> = (input, { number }) => {
  const type = input.type ?? (input.value === undefined ? "domain" : typeOf(input.value));
  return {
    id: digits(number, 64),
    type,
    value: valueOf(type, number),
    action: "detect",
    severity: "high",
    platforms: ["windows", "mac", "linux"],
    // An indicator applies to all hosts, or to those of its groups.
    applied_globally: input.host_groups === undefined,
    ...input,
  };
};

function typeOf(value: string): IndicatorType {
  if (/^[0-9a-f]{64}$/i.test(value)) return "sha256";
  if (/^[0-9a-f]{32}$/i.test(value)) return "md5";
  if (value.includes(":")) return "ipv6";
  return /^[0-9.]+$/.test(value) ? "ipv4" : "domain";
}

function valueOf(type: IndicatorType, number: number): string {
  switch (type) {
    case "sha256":
      return digits(number, 64);
    case "md5":
      return digits(number, 32);
    case "ipv4":
      return `198.${18 + ((number >> 16) & 1)}.${(number >> 8) & 255}.${number & 255}`;
    case "ipv6":
      return `2001:db8::${(number >> 16).toString(16)}:${(number & 0xffff).toString(16)}`;
    case "domain":
    case "all_subdomains":
      return `indicator-${number}.example`;
  }
}

const execution: Fill<"executions"> = (input, { number, now }) => ({
  id: `pid:${input.device_id}:${number}`,
  started_on: now,
  ...input,
});

const evidence =
  (what: string): Fill<"alerts"> =>
  (input, { number, now }) => ({
    id: `${what.toLowerCase()}-${number}`,
    timestamp: now,
    name: `${what} ${number}`,
    severity: 50,
    ...input,
  });

const openCase: Fill<"cases"> = (input, { number }) => ({
  id: uuid(number),
  name: `Case ${number}`,
  // A case has a number or a level.
  ...(input.severity_info === undefined ? { severity: 50 } : {}),
  ...input,
});

const identity: Fill<"identity-entities"> = (input, { number }) => ({
  entityId: uuid(number),
  type: "USER",
  primaryDisplayName: input.type === "ENDPOINT" ? `host-${number}` : `User ${number}`,
  ...input,
});

type Add = (kind: BuiltKind, records: readonly object[], cid: string | undefined) => Promise<void>;

/** Maximum number of records that a builder makes by itself. */
const mostRecords = 100_000;

/** Builders that pass complete records to `add`. */
export function seedBuilders(add: Add, now: () => Date): SeedBuilders {
  let last = 0;
  const builder = <Kind extends BuiltKind>(kind: Kind, fill: Fill<Kind>): Builder<Kind> => {
    const build = async (
      records: readonly RecordInput<Kind>[] | number,
      { cid }: BuilderOptions = {},
    ): Promise<readonly BuiltRecord<Kind>[]> => {
      const instant = now().toISOString();
      const built = inputsOf(kind, records).map((input) => {
        last += 1;
        return fill(given(input), { number: last, now: instant });
      });
      await add(kind, built, cid);
      return built;
    };
    // The result has a record for each input, which the compiler cannot see.
    return build as Builder<Kind>;
  };
  return {
    hosts: builder("hosts", host),
    hostGroups: builder("host-groups", hostGroup),
    indicators: builder("indicators", indicator),
    executions: builder("executions", execution),
    alerts: builder("alerts", evidence("Alert")),
    events: builder("events", evidence("Event")),
    cases: builder("cases", openCase),
    identities: builder("identity-entities", identity),
  };
}

/** An undefined member is as an absent one, which the builder fills in. */
const given = <Kind extends BuiltKind>(input: RecordInput<Kind>): Given<Kind> =>
  Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined),
  ) as Given<Kind>;

function inputsOf<Kind extends BuiltKind>(
  kind: Kind,
  records: readonly RecordInput<Kind>[] | number,
): readonly RecordInput<Kind>[] {
  if (Array.isArray(records)) return records as readonly RecordInput<Kind>[];
  if (
    typeof records !== "number" ||
    !Number.isInteger(records) ||
    records < 0 ||
    records > mostRecords
  ) {
    throw new RangeError(
      `${kind}: expected a list of records or an integer from 0 to ${mostRecords}, got ${String(records)}`,
    );
  }
  return Array.from({ length: records }, () => ({}) as RecordInput<Kind>);
}

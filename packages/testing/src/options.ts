import {
  canonicalInstant,
  defaultLimits,
  suggestion,
  type PlatformConfig,
  type ServerLimits,
} from "@security-platform/server/portable";

export interface StartOptions {
  /** The time at which the clock stands. Default: the present. A text is an RFC 3339 instant. */
  readonly now?: Date | string | undefined;
  /** Port of `baseUrl` on 127.0.0.1. Default: a free one. */
  readonly port?: number | undefined;
  /** Whether the platform responds as `secplat serve --compat`, for existing clients. Default: false. */
  readonly compat?: boolean | undefined;
  /** Limits that differ from those of a server. 0 switches a limit off. */
  readonly limits?: Partial<ServerLimits> | undefined;
}

/** The options, checked. */
export interface Settings {
  /** Null: the present. */
  readonly now: Date | null;
  readonly port: number;
  readonly config: Pick<PlatformConfig, "compat" | "limits" | "passwordCost">;
}

const names: readonly string[] = ["now", "port", "compat", "limits"];

/** Throws a `TypeError` or a `RangeError` that names the invalid option. `known`: the options of the host. */
export function checkOptions(options: StartOptions, known = names): Settings {
  refuseUnknown("startPlatform", Object.keys(options), known);
  const { port = 0, compat = false, limits = {} } = options;
  if (typeof compat !== "boolean") {
    throw new TypeError(`compat: expected true or false, got ${String(compat)}`);
  }
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw new RangeError(`port: expected an integer from 0 to 65535, got ${port}`);
  }
  return {
    now: options.now === undefined ? null : instantOf(options.now, "now"),
    port,
    config: {
      compat,
      // As low as possible: the passwords of tests need no protection.
      passwordCost: 1_024,
      // A test machine may be slow, and it does not matter to a test how slow.
      limits: { ...defaultLimits, overloadMilliseconds: 0, ...checkLimits(limits) },
    },
  };
}

/** Checks the limits that are set. */
function checkLimits(limits: Partial<ServerLimits>): Partial<ServerLimits> {
  if (typeof limits !== "object" || limits === null) {
    throw new TypeError(`limits: expected an object, got ${String(limits)}`);
  }
  refuseUnknown("limits", Object.keys(limits), Object.keys(defaultLimits));
  const given = Object.entries(limits).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    const least = name === "bodyBytes" ? 1 : 0;
    if (!Number.isSafeInteger(value) || value < least) {
      throw new RangeError(
        `limits.${name}: expected a whole number from ${least}, got ${String(value)}`,
      );
    }
  }
  return Object.fromEntries(given);
}

/** Whether a value is a date of any realm, such as that of jsdom. */
const isDate = (value: unknown): value is Date =>
  typeof (value as Partial<Date> | null)?.getTime === "function";

/** Throws a `RangeError` that names the place for anything but an instant. */
export function instantOf(value: Date | string, place: string): Date {
  const text = typeof value === "string" ? canonicalInstant(value) : null;
  if (text !== null) return new Date(text);
  if (isDate(value) && !Number.isNaN(value.getTime())) return new Date(value.getTime());
  throw new RangeError(
    `${place}: expected an instant such as 2026-03-01T12:00:00Z, got ${String(value)}`,
  );
}

/** Throws a `RangeError` that names the nearest choice unless the value is one of them. */
export function checkChoice(place: string, value: unknown, choices: readonly string[]): void {
  const given = String(value);
  if (typeof value === "string" && choices.includes(given)) return;
  throw new RangeError(
    `${place}: expected ${choices.join(" or ")}, got ${given}${suggestion(given, choices)}`,
  );
}

function refuseUnknown(place: string, given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  throw new TypeError(
    `${place}: unknown option ${unknown}${suggestion(unknown, known) || "."} Expected ${known.join(", ")}.`,
  );
}

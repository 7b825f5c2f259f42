import { isDay } from "../day.ts";
import type { JsonObject } from "../json.ts";

/** Names of extensions with the date of removal. */
const sunsetNames = ["x-sunset", "sunset", "x-sunset-date"];
/** Names of extensions with the date of deprecation. */
const deprecationNames = ["x-deprecated-at", "x-deprecation-date", "x-deprecated-since"];

export interface Lifecycle {
  readonly isDeprecated: boolean;
  /** The day of removal as written, and as a date when it is one. */
  readonly sunset: { readonly text: string; readonly date: Date | undefined } | undefined;
  readonly hasDate: boolean;
}

/** The deprecation and removal dates of an element. */
export function lifecycleOf(nodes: readonly JsonObject[]): Lifecycle {
  const value = (names: readonly string[]) =>
    nodes.flatMap((node) => names.map((name) => node[name])).find((each) => each !== undefined);
  const sunset = value(sunsetNames);
  return {
    isDeprecated: nodes.some(({ deprecated }) => deprecated === true),
    sunset: sunset === undefined ? undefined : { text: String(sunset), date: dateOf(sunset) },
    hasDate: sunset !== undefined || value(deprecationNames) !== undefined,
  };
}

function dateOf(value: unknown): Date | undefined {
  if (typeof value !== "string") return undefined;
  const isOfCalendar = /^.{10}(?:T|$)/.test(value) && isDay(value.slice(0, 10));
  if (!isOfCalendar && !/ \d{4} [\d:]{1,8} ?GMT$/.test(value)) return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}

/** The verdict on an announced removal; undefined if the base did not announce it. */
export function removalOf(
  nodes: readonly JsonObject[],
  today: Date,
):
  | { readonly rule: "removed-after-sunset" | "removed-before-sunset"; readonly because: string }
  | undefined {
  const { isDeprecated, sunset } = lifecycleOf(nodes);
  if (!isDeprecated || sunset?.date === undefined) return undefined;
  return sunset.date <= today
    ? { rule: "removed-after-sunset", because: `, after its announced end on ${sunset.text}` }
    : { rule: "removed-before-sunset", because: `, before its announced end on ${sunset.text}` };
}

import type { Problem } from "../../foundation/errors.ts";
import { specialAddress } from "./addresses.ts";
import type { Indicator } from "./indicators.ts";
import { knownGoodValue } from "./known-good.ts";

const soonMilliseconds = 3_600_000;

/** Warnings about the value. `at`: the place of the item in the request. */
export function valueWarnings(
  { type, value }: Pick<Indicator, "type" | "value">,
  at: string,
): readonly Problem[] {
  const special = type === "ipv4" || type === "ipv6" ? specialAddress(type, value) : null;
  const good = knownGoodValue(type, value);
  return [
    ...(special === null
      ? []
      : [`${value} is ${special} and stands for a different host in each network`]),
    ...(good === null ? [] : [`${value} is ${good}, on the known-good list`]),
  ].map((reason) => ({ at: `${at}.value`, message: `warning: ${reason}` }));
}

/** A warning for an indicator that expires in less than an hour. */
export function expirationWarnings(
  { expiration }: Pick<Indicator, "expiration">,
  now: Date,
  at: string,
): readonly Problem[] {
  const soon = new Date(now.getTime() + soonMilliseconds).toISOString();
  if (expiration === undefined || expiration >= soon) return [];
  return [
    { at: `${at}.expiration`, message: `warning: expires in less than an hour, at ${expiration}` },
  ];
}

import type { Direction, Verdict } from "../change.ts";
import type { Category } from "./category.ts";

/** Who a change breaks, and how to mend or soften it: one sentence each. */
export interface Advice {
  readonly who: string;
  readonly fix: string;
}

/** A change, as far as the advice depends on it. */
export interface Advised {
  readonly rule: string;
  readonly verdict: Verdict;
  readonly direction: Direction;
  readonly category: Category;
}

const byRule: Readonly<Record<string, Advice>> = {
  "property-removed request": {
    who: "Clients that send the member lose its value, or are refused.",
    fix: "Accept the member as deprecated, with an end in x-sunset, and remove it after that day.",
  },
  "property-removed response": {
    who: "Clients that read the member no longer find it.",
    fix: "Keep the member as deprecated, with an end in x-sunset, and remove it after that day.",
  },
  "required-property-added request": {
    who: "Clients that do not send the new member are refused.",
    fix: "Make the member optional, and let the server use a default where it is absent.",
  },
  "property-became-optional response": {
    who: "Clients that rely on the member fail where it is absent.",
    fix: "Keep the member in required, or always send it and say so in a later version.",
  },
  "enum-value-added response": {
    who: "Clients that know only the old values fail at the new one.",
    fix: "List the values in x-extensible-enum, so that clients expect more, or send the new value only to clients that ask for it.",
  },
  "could-not-be-judged request": {
    who: "Clients may be broken: the effect of the change is not known.",
    fix: "Write the schema with fewer alternatives or a simpler pattern, or approve the change.",
  },
  "could-not-be-judged response": {
    who: "Clients may be broken: the effect of the change is not known.",
    fix: "Write the schema with fewer alternatives or a simpler pattern, or approve the change.",
  },
  "operation-id-changed request": {
    who: "Programs with a generated client call a method that has another name now.",
    fix: "Keep the operationId, or tell users of generated clients the new name.",
  },
};

const byCategory: Readonly<Record<Category, Readonly<Record<Direction, Advice>>>> = {
  operation: both(
    "Every client that uses the operation fails.",
    "Keep it as deprecated, with an end in x-sunset, and remove it after that day.",
  ),
  path: both(
    "Clients that call the old URL no longer reach the API.",
    "Keep the old URL beside the new one, or redirect it.",
  ),
  security: both(
    "Clients whose credentials do not suffice any more are refused.",
    "Accept the old credentials beside the new ones until clients have changed.",
  ),
  input: {
    request: {
      who: "Clients that send requests as before are refused, or get another result.",
      fix: "Make the new part optional with a default, or accept the old form beside the new one.",
    },
    response: {
      who: "Clients that answer as before are refused.",
      fix: "Make the new part optional with a default, or accept the old form beside the new one.",
    },
  },
  output: both(
    "Clients that read this part of the response no longer find it.",
    "Keep sending it as deprecated until its announced end, or offer the new form in a new version.",
  ),
  type: {
    request: {
      who: "Clients that send a value as before are refused, or are understood in another way.",
      fix: "Accept the old form beside the new one, or add a new member and deprecate this one.",
    },
    response: {
      who: "Clients that read the value as before cannot decode it.",
      fix: "Send the old form, and add a new member or media type for the new one.",
    },
  },
  constraint: {
    request: {
      who: "Clients that send a value that was allowed before are refused.",
      fix: "Keep accepting the old values, or introduce the limit in a new version.",
    },
    response: {
      who: "Clients that rely on the old limits meet values that they do not expect.",
      fix: "Keep the old limits for this version, or announce the wider values first.",
    },
  },
  lifecycle: both(
    "Clients have less time or less certainty than was announced.",
    "Announce an end in x-sunset that leaves clients time, and keep to it.",
  ),
  source: both(
    "Programs with generated clients have to be changed; messages stay the same.",
    "Keep the old name, or tell users of generated clients the new one.",
  ),
  check: both(
    "A check beside the comparison found a difference that clients may meet.",
    "Read its message, and mend the document, the server or the example that it names.",
  ),
};

function both(who: string, fix: string): Readonly<Record<Direction, Advice>> {
  return { request: { who, fix }, response: { who, fix } };
}

/** Undefined parts of compatible changes: nobody breaks, and nothing is to be done. */
export function adviceFor({ rule, verdict, direction, category }: Advised): Advice {
  if (verdict === "major") {
    return byRule[`${rule} ${direction}`] ?? byCategory[category][direction];
  }
  if (verdict === "minor") {
    return {
      who: "No client breaks. Servers have to support the change.",
      fix: "Nothing to do.",
    };
  }
  return { who: "No client breaks.", fix: "Nothing to do." };
}

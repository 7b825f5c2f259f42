import { Ajv2020 } from "ajv/dist/2020.js";
import type { Json, JsonObject } from "../../src/json.ts";
import { compare } from "../../src/testing/documents.ts";
import { schemaPlaces } from "../families/pair.ts";
import { families, instances } from "./families.ts";

/**
 * Pairs of small schemas whose verdict follows from set inclusion: Ajv, not the gate, says which of
 * the instances below each schema allows. A request that was valid must remain valid, and a new
 * response must have been valid before.
 */
/** Disagreements with a reason. */
export const reasons: readonly (readonly [pair: RegExp, reason: string])[] = [
  [
    /"minimum":1\}\]\}.*"maximum":0.*"minimum":2|"maximum":0.*"minimum":2.*"minimum":1\}\]\}/,
    "the hole that oneOf leaves where its ranges meet is not compared with a hole between ranges",
  ],
];

const ajv = new Ajv2020({ strict: false, logger: false });
const allowedBy = (schema: Json): readonly boolean[] => {
  const validate = ajv.compile(schema as JsonObject);
  return instances.map((value) => validate(value) === true);
};

const places = [
  "request body",
  "response body",
  "request member",
  "response member",
  "request item",
];
const directions = (place: string): "request" | "response" =>
  place.startsWith("request") ? "request" : "response";

export interface Case {
  readonly family: string;
  readonly words: string;
  readonly place: string;
  readonly base: Json;
  readonly revision: Json;
  readonly isLost: boolean;
  readonly isGained: boolean;
}

export const cases: readonly Case[] = Object.entries(families).flatMap(([family, schemas]) => {
  const judged = schemas.map((schema) => ({ schema, allowed: allowedBy(schema) }));
  return judged.flatMap((before) =>
    judged
      .filter((after) => after !== before)
      .flatMap((after) =>
        [...places, "callback", "webhook"].map((place) => ({
          family,
          words: `${family}: ${JSON.stringify(before.schema)} to ${JSON.stringify(after.schema)}`,
          place,
          base: before.schema,
          revision: after.schema,
          isLost: before.allowed.some((is, index) => is && after.allowed[index] !== true),
          isGained: after.allowed.some((is, index) => is && before.allowed[index] !== true),
        })),
      ),
  );
});

/** What disagrees with the oracle; undefined if nothing does. */
export function difference({
  words,
  place,
  base,
  revision,
  isLost,
  isGained,
}: Case): string | undefined {
  const at = schemaPlaces[place];
  if (at === undefined) throw new Error(`there is no place ${place}`);
  const both = place === "callback" || place === "webhook";
  const isRequest = directions(place) === "request";
  const breaks = both ? isLost || isGained : isRequest ? isLost : isGained;
  const { verdict, changes } = compare(at(base), at(revision));
  const isRight = (verdict === "major") === breaks && (isLost || isGained || changes.length === 0);
  if (isRight) return undefined;
  const rules = [...new Set(changes.map(({ rule }) => rule))].join(", ");
  return `${words} at ${place}: ${verdict} (${rules}), expected ${breaks ? "major" : "safe"}`;
}

/** Disagreements without a reason. */
export function disagreement(each: Case): readonly string[] {
  const words = difference(each);
  return words === undefined || reasons.some(([pair]) => pair.test(words)) ? [] : [words];
}

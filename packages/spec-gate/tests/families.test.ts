import { describe, expect, test } from "vitest";
import { groupBy } from "../src/group-by.ts";
import { compare } from "../src/testing/documents.ts";
import { documentPairs } from "./families/documents.ts";
import { parameterPairs } from "./families/parameters.ts";
import { schemaPairs } from "./families/schemas.ts";
import { siblingsSchemas } from "./families/siblings-schemas.ts";
import { siblingsParameters } from "./families/siblings-parameters.ts";
import { siblingsServers } from "./families/siblings-servers.ts";
import { siblingsNames } from "./families/siblings-names.ts";
import { siblingsBodies } from "./families/siblings-bodies.ts";
import { newMessagePairs } from "./families/new-messages.ts";
import { newPartPairs } from "./families/new-parts.ts";
import { versionPairs } from "./families/versions.ts";

const pairs = [
  ...new Set([
    ...documentPairs,
    ...parameterPairs,
    ...schemaPairs,
    ...siblingsSchemas,
    ...siblingsParameters,
    ...siblingsServers,
    ...siblingsNames,
    ...siblingsBodies,
    ...newMessagePairs,
    ...newPartPairs,
    ...versionPairs,
  ]),
];

describe("pairs of a family have the right verdicts there and back", () => {
  test.each([...groupBy(pairs, ({ family }) => family)])("%s", (_, family) => {
    const wrong = family.flatMap(({ name, base, revision, forward, backward }) => {
      const verdicts = [
        [compare(base, revision), forward, "there"],
        [compare(revision, base), backward, "back"],
      ] as const;
      return verdicts.flatMap(([{ verdict, changes }, expected, way]) =>
        verdict === expected &&
        (expected !== "none" || changes.every((change) => change.verdict === "none"))
          ? []
          : [
              `${name}, ${way}: ${verdict} instead of ${expected} (${changes.map(({ rule }) => rule).join(", ")})`,
            ],
      );
    });
    expect(wrong).toEqual([]);
  });
});

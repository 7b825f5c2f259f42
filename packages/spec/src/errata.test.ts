import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { document, operationById } from "./index.ts";

const errata = parse(
  readFileSync(new URL("../../../spec/errata.yaml", import.meta.url), "utf8"),
) as readonly Readonly<Record<string, unknown>>[];

describe("spec/errata.yaml", () => {
  test.each(errata.map((entry) => [String(entry["place"]), entry] as const))(
    "%s says what was written, what stands here, and why",
    (_place, entry) => {
      expect(Object.keys(entry)).toEqual(["place", "specification", "document", "reason"]);
      for (const text of Object.values(entry)) expect(text).toMatch(/\S/);
    },
  );

  test("each place is in the document", () => {
    const { components } = document();
    const unknown = errata
      .map(({ place }) => String(place))
      .filter((place) => {
        const [kind, name] = place.split("/");
        return (
          place !== "document" &&
          operationById(place) === undefined &&
          components[kind ?? ""]?.[name ?? ""] === undefined
        );
      });
    expect(unknown).toEqual([]);
  });

  test("nothing is said twice", () => {
    const said = errata.map(({ place, document: text }) => `${String(place)}: ${String(text)}`);
    expect(new Set(said).size).toBe(said.length);
  });
});

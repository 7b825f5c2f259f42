import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { CannotJudge } from "./cannot-judge.ts";
import { parseLocation, relativeLocation } from "./location.ts";

const path = join(tmpdir(), "an api.json");
const url = pathToFileURL(path).href;

test("reads file URLs with escapes, also in references", () => {
  expect(parseLocation(url)).toEqual({ kind: "file", path });
  const from = { kind: "file", path: join(tmpdir(), "openapi.json") } as const;
  expect(relativeLocation(from, url)).toEqual({ kind: "file", path });
});

test("reports a file URL that is not a path", () => {
  expect(() => parseLocation("file:///a%2Fb.json")).toThrow(CannotJudge);
  expect(() => parseLocation("file:///a%2Fb.json")).toThrow("file:///a%2Fb.json: ");
});

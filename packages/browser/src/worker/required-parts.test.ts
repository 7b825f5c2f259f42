import { expect, test } from "vitest";
import { requireParts } from "./required-parts.ts";

const present = { WebAssembly: () => ({}) };

test("accepts a browser that has everything", () => {
  expect(() => requireParts(present, () => undefined)).not.toThrow();
});

test("names what an old browser lacks, and what to use instead", () => {
  const parts = { ...present, threads: () => undefined, "Map.groupBy": () => undefined };
  expect(() => requireParts(parts)).toThrow(
    "the platform needs threads and Map.groupBy, which this browser lacks; use a browser of 2024 or later, " +
      "or run the server: npx secplat serve",
  );
});

test("names the policy that forbids to compile", () => {
  const refuse = (): never => {
    throw new Error("refused");
  };
  expect(() => requireParts(present, refuse)).toThrow(
    /content security policy .* 'wasm-unsafe-eval', .* npx secplat serve/,
  );
});

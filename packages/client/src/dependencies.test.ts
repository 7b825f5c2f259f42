import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const folder = new URL(".", import.meta.url);

const sources = readdirSync(folder, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => ({ name, text: readFileSync(new URL(name, folder), "utf8") }));

const importPattern = /^(?:import|export)\s(?!type\s)[^;]*?from\s+"([^"]+)"/gms;

/** The modules that a file imports at run time. */
const imports = sources.flatMap(({ name, text }) =>
  [...text.matchAll(importPattern)].map(([, module = ""]) => ({ name, module })),
);

describe("the client's sources", () => {
  test("need neither Node.js nor the document at run time", () => {
    const packages = new Set(
      imports
        .filter(({ name }) => !name.endsWith("-node.ts"))
        .map(({ module }) => module)
        .filter((module) => !module.startsWith(".")),
    );
    expect([...packages].toSorted()).toEqual([
      "#failures",
      "#files",
      "#profiles",
      "@opentelemetry/api",
      "@security-platform/fql",
      "openapi-fetch",
    ]);
    for (const { text } of sources) {
      const code = text.replaceAll(/\/\*.*?\*\//gs, "");
      expect(code).not.toMatch(/\b(?:process\.|Buffer\.|require\()/);
    }
  });

  test("import OpenTelemetry, which is optional, in an entry point of its own", () => {
    const users = sources.filter(({ text }) => text.includes("@opentelemetry"));
    expect(users.map(({ name }) => name)).toEqual(["otel.ts"]);
    expect(sources.filter(({ text }) => text.includes("/otel.ts"))).toEqual([]);
  });

  test("import openapi-fetch in one place", () => {
    const knowing = sources.filter(({ text }) => /from "openapi-fetch/.test(text));
    expect(knowing.map(({ name }) => name)).toEqual(["wire/transport.ts"]);
  });
});

/** @module-tag exhaustive */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import SwaggerParser from "@apidevtools/swagger-parser";
import { validate } from "@scalar/openapi-parser";
import { describe, expect, test } from "vitest";

const names = ["openapi.json", "openapi.yaml", "openapi.envelope.json"];
const fileOf = (name: string): string =>
  fileURLToPath(import.meta.resolve(`@security-platform/spec/${name}`));

describe.each(names)("%s opens without errors", (name) => {
  test("in the parser of Scalar", async () => {
    const { valid, errors, version } = await validate(readFileSync(fileOf(name), "utf8"));
    expect({ valid, errors, version }).toEqual({ valid: true, errors: [], version: "3.1" });
  });

  test("in the parser of Swagger tools, with all references resolved", async () => {
    const { info, paths } = await SwaggerParser.validate(fileOf(name));
    expect(info.title).toMatch(/^Security Platform API/);
    expect(Object.keys(paths ?? {}).length).toBeGreaterThan(100);
  });
});

// It reads YAML with the library of Swagger tools, so the document in JSON is enough.
describe.each(names.filter((name) => name.endsWith(".json")))("%s opens without errors", (name) => {
  test("in Redoc", () => {
    const folder = mkdtempSync(join(tmpdir(), "security-platform-spec-"));
    try {
      const manifest = createRequire(import.meta.url).resolve("@redocly/cli/package.json");
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        [
          join(dirname(manifest), "bin/cli.js"),
          "build-docs",
          fileOf(name),
          `--output=${join(folder, "page.html")}`,
        ],
        {
          encoding: "utf8",
          env: {
            ...process.env,
            REDOCLY_TELEMETRY: "off",
            REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
          },
        },
      );
      expect(status).toBe(0);
      expect(`${stdout}${stderr}`).not.toMatch(/warn|error|fail/i);
      expect(readFileSync(join(folder, "page.html"), "utf8")).toContain("indicator.combined.v1");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

test("the two parsers report an invalid document", async () => {
  const broken = JSON.parse(readFileSync(fileOf("openapi.json"), "utf8")) as {
    info: { title?: string };
  };
  delete broken.info.title;
  expect((await validate(broken)).valid).toBe(false);
  await expect(SwaggerParser.validate(broken as never)).rejects.toThrow(/title/);
});

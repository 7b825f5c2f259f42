import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { testWith } from "../../testing/platform.ts";
import { documents, idsOf, missing } from "./documents.ts";
import { languages } from "./languages.ts";
import { demoServer } from "./server.ts";

describe("a running server", () => {
  const server = demoServer();

  for (const { generator, need, generate, operationNames, call } of languages) {
    testWith(need)(`answers the clients of ${generator}, which have every operation`, async () => {
      const folder = mkdtempSync(join(tmpdir(), "generated-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      await generate(folder);
      for (const name of documents) {
        expect(missing(operationNames(folder, name), idsOf(name)), name).toEqual([]);
      }
      const { url, client_id, client_secret } = server().greeting;
      const value = `${need.replaceAll(" ", "-")}.example`;
      const output = await call(folder, {
        BASE_URL: url,
        CLIENT_ID: client_id ?? "",
        CLIENT_SECRET: client_secret ?? "",
        INDICATOR: value,
      });
      // Maven also prints control characters.
      const [results = expect.fail(output)] = /\{.*\}/.exec(output) ?? [];
      console.info(`${generator}: ${results}`);
      expect(JSON.parse(results), output).toEqual({
        token_type: "bearer",
        listed: 2,
        created: value,
        read: value,
        severity: "high",
        missing: 404,
        groups: 2,
      });
    });
  }
});

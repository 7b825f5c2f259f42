/** A page that is open while its site is released anew: files that it loads later are gone. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "rolldown";
import { expect, onTestFinished, test } from "vitest";
import type * as client from "../src/index.ts";

test("a refusal whose description is gone is an error with the status", async () => {
  const folder = mkdtempSync(join(tmpdir(), "client-bundle-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await build({
    input: { client: fileURLToPath(new URL("../src/index.ts", import.meta.url)) },
    platform: "browser",
    resolve: { conditionNames: ["@security-platform/source", "browser", "import"] },
    output: { dir: folder },
    logLevel: "silent",
  });
  const [refusal = ""] = readdirSync(folder).filter((name) => name.startsWith("refusal"));
  rmSync(join(folder, refusal));
  const { createClient } = (await import(
    pathToFileURL(join(folder, "client.js")).href
  )) as typeof client;
  const platform = createClient({
    baseUrl: "https://api.example",
    clientId: "id",
    clientSecret: "secret",
    retries: 0,
    fetch: async ({ url }) =>
      url.endsWith("/oauth2/token")
        ? Response.json({ access_token: "token", expires_in: 1_800 })
        : Response.json({ meta: {}, resources: [], errors: [] }, { status: 403 }),
  });
  const error = await platform.ioc.getIndicators({ ids: ["1"] }).catch((cause: unknown) => cause);
  expect(error).toMatchObject({ name: "NetworkError", operationId: "indicator.get.v1" });
  expect(String(error)).toContain("lost the response after status 403");
  expect((error as client.NetworkError).cause).toBeInstanceOf(Error);
});

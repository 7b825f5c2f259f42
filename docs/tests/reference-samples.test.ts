import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { operations, type Operation } from "@security-platform/spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operationPlace } from "../scripts/reference/places.ts";
import { commandInfo } from "../scripts/reference/command-info.ts";
import { sampleInput } from "../scripts/reference/sample-input.ts";
import { secplatSample } from "../scripts/reference/secplat-sample.ts";
import { blocksOf } from "../scripts/samples/blocks.ts";
import { IndicatorReader } from "./support/indicators.ts";
import { docsFolder } from "./support/places.ts";
import { servePlatform, type Platform } from "./support/platform.ts";
import { operationsInOrder } from "./support/samples-of-pages.ts";
import { requirePrograms, Shell } from "./support/shell.ts";
import { commandLine } from "../../packages/cli/src/testing/command-line.ts";
import { demoFolder } from "../../packages/cli/src/testing/prepared-folder.ts";
import { skipWithout } from "../../testing/platform.ts";

const folder = join(docsFolder, "generated/runs/reference");
/** In the order of reading, because a deletion ends the use of a record. */
const all = [...operations().filter(({ scope }) => scope === null), ...operationsInOrder].map(
  (operation) => ({ id: operation.id, operation }),
);
const options = ["--token-rate-limit", "0", "--rate-limit", "0", "--no-docs"];

/** Only the sample of curl asks for the ticket that this operation needs. */
const needsTicket = (id: string): boolean => id === "PostImageScanInventory";

/** A server with the demo records in an empty folder. */
async function serveDemo(): Promise<Platform> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await demoFolder(folder);
  return servePlatform(folder, options);
}

// On a push, these samples are sent without curl: by `fresh-demo.test.ts`.
describe("the curl sample of an operation's page", { tags: ["nightly"] }, () => {
  skipWithout("POSIX shell");

  let platform: Platform;
  let shell: Shell;

  beforeAll(async () => {
    requirePrograms();
    platform = await serveDemo();
    // The samples do not print statuses, so curl gets that option from its configuration file.
    writeFileSync(join(folder, ".curlrc"), String.raw`write-out = "\n%{http_code}"`);
    shell = new Shell(folder);
    const { url, clientId, clientSecret } = platform;
    await shell.run(`export CURL_HOME='${folder}' BASE_URL=${url}`);
    await shell.run(`export CLIENT_ID=${clientId} CLIENT_SECRET='${clientSecret}'`);
  });

  afterAll(async () => {
    shell?.close();
    await platform?.stop();
  });

  test.each(all)("calls $id", async ({ operation }) => {
    const { token } = await IndicatorReader.open(platform);
    await shell.run(`TOKEN=${token}`);
    const { printed } = await shell.run(curlOn(operation));
    const [, body = "", status] = /^(.*)\n(\d+)$/s.exec(printed) ?? [];
    expect(Number(status), body).toBe(operation.successStatus);
  });
});

function curlOn(operation: Operation): string {
  const page = join(docsFolder, "generated/reference", `${operationPlace(operation)}.md`);
  const sample = blocksOf(readFileSync(page, "utf8")).find(({ title }) => title === "curl");
  if (sample === undefined) throw new Error(`the page of ${operation.id} has no curl sample`);
  return sample.text;
}

describe("the client sample of an operation's page", () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await serveDemo();
    const { url, clientId, clientSecret } = platform;
    Object.assign(process.env, {
      BASE_URL: url,
      CLIENT_ID: clientId,
      CLIENT_SECRET: clientSecret,
    });
  });

  afterAll(() => platform?.stop());

  test.each(all)("calls $id", async ({ id }) => {
    const program = pathToFileURL(join(docsFolder, "generated/samples/reference", `${id}.ts`)).href;
    const outcome: unknown = await import(program).then(
      () => "succeeded",
      (error: unknown) => error,
    );
    if (needsTicket(id)) expect(outcome).toMatchObject({ status: 403 });
    else expect(outcome).toBe("succeeded");
  });
});

describe("the secplat sample of an operation's page", () => {
  let platform: Platform;

  beforeAll(async () => {
    platform = await serveDemo();
  });

  afterAll(() => platform?.stop());

  const withCommand = all.flatMap(({ id, operation }) => {
    const command = commandInfo(operation);
    if (command === null) return [];
    return [{ id, sample: secplatSample(command, sampleInput(operation)) }];
  });

  test("exists for every operation of the platform that needs a token", () => {
    const expected = operations().filter(
      ({ document, scope }) => document === "platform" && scope !== null,
    );
    const named = withCommand.map(({ id }) => id);
    expect(named.toSorted()).toEqual(expected.map(({ id }) => id).toSorted());
  });

  test.each(withCommand)("calls $id", async ({ id, sample }) => {
    for (const [name, text] of Object.entries(sample.files))
      writeFileSync(join(folder, name), text);
    const { url, clientId, clientSecret } = platform;
    const run = commandLine({
      folder,
      environment: {
        SECPLAT_URL: url,
        SECPLAT_CLIENT_ID: clientId,
        SECPLAT_CLIENT_SECRET: clientSecret,
      },
    });
    const body = sample.body === null ? "" : JSON.stringify(sample.body);
    const outcome = await run([...sample.words, "--json"], body);
    if (needsTicket(id)) expect(outcome.stderr).toContain("is not a scan ticket");
    else expect(outcome).toMatchObject({ exitCode: 0, stderr: "" });
  });
});

/** @module-tag exhaustive */
/** Calls operations on a server. */
import { compatQuirks, operations } from "@security-platform/spec";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Answer, OperationId, Page } from "../src/index.ts";
import { everyExample as examples, newWorld } from "./examples/every-example.ts";
import { newHostFolder } from "./support/host-folder.ts";
import { deviceId, startLiveServer, type LiveServer } from "./support/live-server.ts";

/** Collections most of whose operations have no examples yet; the contract tests call them. */
const withoutExamples: ReadonlySet<string> = new Set(["case-management", "container"]);

type AnyAnswer = Answer<unknown> & { readonly page?: Page };

const exampled = operations().filter(
  ({ id, collection }) => !withoutExamples.has(collection) || examples[id] !== undefined,
);

describe.each([
  ["the default representation", false],
  ["a server for existing clients", true],
])("in %s", (_, compat) => {
  let server: LiveServer;
  let finish: () => Promise<void>;
  const hosts = newHostFolder(deviceId);
  beforeAll(async () => {
    const config = { compat, rtrRoot: hosts.root };
    server = await startLiveServer(config, {}, (cleanUp) => (finish = cleanUp));
  });
  afterAll(async () => {
    await finish();
    hosts.remove();
  });

  test.each(exampled.map((operation) => [operation.id, operation] as const))(
    "%s",
    async (id, { collection, successStatus, paging }) => {
      const world = await newWorld(server, collection);
      const example = await examples[id]?.(world);
      if (example === undefined) expect.fail(`${id} has no example`);
      const call = world.client.call as (id: OperationId, input: object) => Promise<AnyAnswer>;
      const { data, page, response } = await call(id, example.input as object);
      expect(data).toEqual(example.expected);
      const { successStatus: known = successStatus } = compatQuirks({ id, collection });
      expect(response.status).toBe(compat ? known : successStatus);
      expect(response.traceId).toMatch(/^[0-9a-f-]{36}$/);
      expect(response.rateLimit?.limit).toBeGreaterThan(0);
      if (paging === "none") expect(page).toBeUndefined();
      else expect(page?.limit).toBeGreaterThan(0);
    },
  );
});

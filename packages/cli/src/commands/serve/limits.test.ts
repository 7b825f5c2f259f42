import { defaultLimits } from "@security-platform/server/internal";
import { Command } from "commander";
import { expect, test } from "vitest";
import { addSettings } from "../../settings/setting.ts";
import { limitSettings } from "../../settings/limit-settings.ts";
import { commandLine } from "../../testing/command-line.ts";
import { readLimits } from "./limits.ts";

const limits = () => addSettings(new Command(), Object.values(limitSettings));

const parse = (...words: readonly string[]) =>
  readLimits(limits().parse(words, { from: "user" }).opts());

test("default to the server's own", () => {
  expect(parse()).toEqual(defaultLimits);
});

test("can be set individually", () => {
  expect(parse("--rate-limit", "0", "--token-lifetime", "60")).toEqual({
    ...defaultLimits,
    requestsPerMinute: 0,
    tokenSeconds: 60,
  });
});

test("of storage may be larger than those of timers", async () => {
  expect(parse("--storage-limit", "10737418240", "--tenant-storage-limit", "3000000000")).toEqual({
    ...defaultLimits,
    storageBytes: 10_737_418_240,
    tenantStorageBytes: 3_000_000_000,
  });
  const { stderr } = await commandLine()(["serve", "--request-timeout", "3000000000"]);
  expect(stderr).toContain(
    "--request-timeout cannot be '3000000000'. Expected an integer from 100",
  );
});

test("have an environment variable each", () => {
  const variables = limits().options.map(({ envVar }) => envVar);
  expect(variables).toHaveLength(Object.keys(defaultLimits).length);
  expect(variables).toContain("SECPLAT_TOKEN_RATE_LIMIT");
});

import { expect, test } from "vitest";
import { commandLine } from "../testing/command-line.ts";

const commands = [
  ["ioc", "list-platforms"],
  ["call", "platform.query.v1"],
  ["api", "GET", "/iocs/queries/platforms/v1"],
  ["exports", "list"],
  ["login", "--url", "http://127.0.0.1:1"],
];

test.each(commands)("%s %s accepts the cid of a tenant only, and says so", async (...words) => {
  const secplat = commandLine();
  for (const option of ["--tenant", "--member-cid"]) {
    const { exitCode, stderr } = await secplat([...words, option, "Harbour Demo"]);
    expect([option, exitCode]).toEqual([option, 2]);
    expect(stderr).toContain("Expected a cid of 32 hexadecimal digits");
    expect(stderr).toContain("secplat tenants list");
  }
  const { stdout } = await secplat([
    ...words.filter((word) => /^[\w.-]+$/.test(word) && word !== "--url"),
    "--help",
  ]);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("cid of the child tenant to act for");
});

test.each([
  ["clients", "create"],
  ["clients", "list"],
  ["clients", "rotate"],
  ["jobs", "list"],
  ["import"],
  ["audit"],
  ["outbox"],
])("%s %s says that its tenant is one of the database", async (...words) => {
  const { stdout } = await commandLine()([...words, "--help"]);
  expect(stdout.replaceAll(/\s+/g, " ")).toMatch(
    /--tenant <tenant> cid or name of .{0,40}in the database/,
  );
});

/** @module-tag exhaustive */
import { expect, test } from "vitest";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { testWith } from "../../../testing/platform.ts";
import { endlessServer } from "./support/endless-server.ts";
import { start } from "./support/process.ts";

const list = ["ioc", "list-process-ids", "--type", "domain", "--value", "a.example"];
const words = [...list, "--device-id", "d".repeat(32), "--all"];

testWith("signals")("Ctrl-C ends a list that never ends, after a whole line", async () => {
  const { environment } = await endlessServer();
  for (const format of ["table", "ndjson", "json"]) {
    const running = start([...words, "--output", format], {
      folder: temporaryFolder(),
      environment,
    });
    await running.until("stdout", /\n/);
    running.child.kill("SIGINT");
    const { exitCode, stdout, stderr } = await running.ended;
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: "" });
    const lines = stdout.split("\n");
    const whole = /^"?[0-9]+-[0-9]+x+"?,?$/;
    expect(lines.slice(0, -1).filter((line) => line !== "[" && !whole.test(line))).toEqual([]);
    if (format !== "json") expect(lines.at(-1)).toBe("");
  }
});

testWith("POSIX shell")("a reader that has enough ends a list that never ends", async () => {
  const { environment } = await endlessServer();
  const under = ["sh", "-c", '{ "$@"; echo "exit $?" >&2; } | head -n 3', "sh"];
  const running = start(words, { folder: temporaryFolder(), environment, under });
  const { stdout, stderr } = await running.ended;
  expect(stdout.split("\n")).toHaveLength(4);
  expect(stderr).toBe("exit 0\n");
});

test("a limit ends a list that never ends", async () => {
  const { environment } = await endlessServer();
  const folder = temporaryFolder();
  const { stdout, exitCode } = await start([...words, "--limit", "2500"], {
    folder,
    environment,
    input: "",
  }).ended;
  expect(exitCode).toBe(0);
  expect(stdout.split("\n")).toHaveLength(2_501);
});

/** @module-tag exhaustive */
/** Waits for work that no server does. */
import { expect, test } from "vitest";
import { testWith } from "../../../testing/platform.ts";
import { commandLine } from "../src/testing/command-line.ts";
import { demoFolder } from "../src/testing/prepared-folder.ts";
import { start } from "./support/process.ts";
import { serve } from "./support/server.ts";

const words = ["container", "create-export", "--resource", "images.packages", "--format", "csv"];

test("a wait ends with its time, and says how to wait again", async () => {
  const { folder } = await demoFolder();
  await serve(["--no-jobs"], { folder });
  const run = commandLine({ folder });
  const { exitCode, stdout, stderr } = await run([...words, "--wait", "0"]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toMatch(
    /^secplat: the status of (\S+) is READY after 0 s\. The work goes on; wait again with: secplat container get-exports --ids \1 --wait\n$/,
  );
});

testWith("signals")("Ctrl-C ends a wait, not the work", async () => {
  const { folder } = await demoFolder();
  await serve(["--no-jobs"], { folder });
  const running = start([...words, "--wait", "--verbose"], { folder });
  await running.until("stderr", /GET \/container-security\/entities\/exports[^]*< 200/);
  running.child.kill("SIGINT");
  const { exitCode, stdout, stderr } = await running.ended;
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: "" });
  const [, again = ""] =
    /the work goes on; wait again with: secplat (.*) --wait\n/.exec(stderr) ?? [];
  const [record] = await commandLine({ folder }).json<readonly object[]>(again.split(" "));
  expect(record).toMatchObject({ status: "READY" });
});

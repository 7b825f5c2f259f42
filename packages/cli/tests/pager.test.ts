/** @module-tag exhaustive */
import { expect } from "vitest";
import { temporaryFolder } from "../src/testing/temporary-folder.ts";
import { testWith } from "../../../testing/platform.ts";
import { endlessServer } from "./support/endless-server.ts";
import { start, type Outcome } from "./support/process.ts";

const list = ["ioc", "list-process-ids", "--type=domain", "--value=a.example"];
const words = [...list, `--device-id=${"d".repeat(32)}`, "--limit=3"];

/** Lists three ids on a terminal of its own. */
async function onTerminal(pager: string, ...more: readonly string[]): Promise<Outcome> {
  const { environment } = await endlessServer();
  const under = ["sh", "-c", 'exec script --quiet --return --command "$*" /dev/null', "sh"];
  const options = { folder: temporaryFolder(), environment: { ...environment, PAGER: pager } };
  return start([...words, ...more], { ...options, under, input: "" }).ended;
}

testWith("terminals")("output on a terminal goes through PAGER", async () => {
  const { exitCode, stdout } = await onTerminal("sed s/^/paged:/");
  expect(exitCode, stdout).toBe(0);
  expect(stdout.match(/paged:\d+-\d+x/g)).toHaveLength(3);
  const direct = await onTerminal("sed s/^/paged:/", "--no-pager");
  expect(direct.stdout).toMatch(/^1-0x+\r\n1-1x+\r\n1-2x+\r\n$/);
});

testWith("terminals")("a PAGER that cannot be run is an error", async () => {
  const { exitCode, stdout } = await onTerminal("no-such-pager");
  expect(exitCode).toBe(2);
  expect(stdout).toContain("secplat: PAGER: cannot run no-such-pager; set another");
});

import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { sourceArguments } from "../../../../testing/secplat.ts";

const place = (path: string): string => new URL(path, import.meta.url).href;

test("a process that waits for the end of an idle thread goes on after it", () => {
  const program = `
    import { Thread } from "${place("./thread.ts")}";
    const module = new URL("${place("../store/dialects/sqlite-node/sqlite-checkpoint-thread.ts")}");
    const thread = new Thread(module, { stays: true });
    await thread.call({ path: ":memory:", pragmas: "" });
    await thread.end();
    console.log("done");
  `;
  const words = [...sourceArguments, "--input-type=module", "--eval", program];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { encoding: "utf8" });
  expect({ status, stdout }, stderr).toEqual({ status: 0, stdout: "done\n" });
});

/** @module-tag exhaustive */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect } from "vitest";
import { testWith } from "../../../testing/platform.ts";

const program = fileURLToPath(new URL("../src/bin.ts", import.meta.url));

testWith("POSIX shell")("a reader that closes its end is not an error", async () => {
  for (const words of [["--list"], ["--help"]]) {
    const child = spawn(
      process.execPath,
      ["--conditions=@security-platform/source", program, ...words],
      { stdio: ["ignore", "pipe", "pipe"] },
    );
    // Nobody reads even the first line.
    child.stdout.destroy();
    const [errors, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
    expect([errors, code]).toEqual(["", 0]);
  }
});

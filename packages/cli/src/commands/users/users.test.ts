import { expect, test } from "vitest";
import { exitCodes } from "../../terminal/exit-codes.ts";
import { commandLine } from "../../testing/command-line.ts";
import { seededFolder } from "../../testing/prepared-folder.ts";

test.each(["activate", "reset-password"])(
  "%s requires two lines on standard input",
  async (name) => {
    const secplat = commandLine(await seededFolder());
    for (const input of ["", "pwt_x\n", "pwt_x\nQuiet-harbour-1897\nmore\n"]) {
      const outcome = await secplat(["users", name], input);
      expect(outcome.exitCode).toBe(exitCodes.usage);
      expect(outcome.stderr).toContain("expected two lines");
    }
    const unknown = await secplat(["users", name], "pwt_x\nQuiet-harbour-1897\n");
    expect(unknown.exitCode).toBe(exitCodes.failure);
    expect(unknown.stderr).toContain("secplat: token: unknown, already used or expired");
    expect(unknown.stdout + unknown.stderr).not.toContain("Quiet-harbour");
  },
);

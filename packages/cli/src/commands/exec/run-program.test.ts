import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { testWith } from "../../../../../testing/platform.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { noSignals } from "../../terminal/keep-signals.ts";
import { runProgram, type ProgramParts } from "./run-program.ts";

const parts = (more: Partial<ProgramParts> = {}): ProgramParts => ({
  environment: process.env,
  folder: temporaryFolder(),
  signals: noSignals(),
  ...more,
});

const script = (code: string): readonly string[] => [process.execPath, "-e", code];

test("returns the exit code of the program", async () => {
  expect(await runProgram(script("process.exit(0)"), parts())).toBe(0);
  expect(await runProgram(script("process.exit(42)"), parts())).toBe(42);
});

test("starts no program after a stop signal", async () => {
  const words = script("process.exit(0)");
  const stopped = parts({ signals: { ...noSignals(), first: "SIGTERM" } });
  expect(await runProgram(words, stopped)).toBe(143);
});

testWith("signals")("returns 128 + n if a signal ended the program", async () => {
  const killed = (signal: string) =>
    runProgram(script(`process.kill(process.pid, "${signal}")`), parts());
  expect(await killed("SIGTERM")).toBe(143);
  expect(await killed("SIGKILL")).toBe(137);
});

test("passes the words on unchanged, without a shell", async () => {
  const words = ["$HOME", "a b", "*", "", 'quo"te', "%PATH%", "-x"];
  const code = `
    const words = process.argv.slice(1);
    process.exit(JSON.stringify(words) === process.env.EXPECTED ? 0 : 9);`;
  const environment = { ...process.env, EXPECTED: JSON.stringify(words) };
  expect(await runProgram([...script(code), "--", ...words], parts({ environment }))).toBe(0);
});

test("says that a program does not exist", async () => {
  await expect(runProgram(["no-such-program"], parts())).rejects.toMatchObject({
    exitCode: 127,
    message: 'cannot run "no-such-program": there is no such program on the PATH',
  });
  await expect(runProgram(["./missing"], parts())).rejects.toMatchObject({
    exitCode: 127,
    message: 'cannot run "./missing": there is no such program',
  });
  await expect(runProgram(["npm test"], parts())).rejects.toThrow(
    "write the program and its arguments as separate words",
  );
});

testWith("permission bits")("says that a file cannot be executed", async () => {
  const given = parts();
  writeFileSync(join(given.folder, "notes.txt"), "text");
  await expect(runProgram(["./notes.txt"], given)).rejects.toMatchObject({
    exitCode: 126,
    message: 'cannot run "./notes.txt": it is not an executable file; try chmod +x',
  });
  writeFileSync(join(given.folder, "script"), "#!/missing/interpreter\n");
  chmodSync(join(given.folder, "script"), 0o755);
  await expect(runProgram(["./script"], given)).rejects.toMatchObject({
    exitCode: 127,
    message: 'cannot run "./script": the interpreter of its first line does not exist',
  });
});

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { beforeEach, test, type TestContext } from "vitest";

/** Whether a program is in the search path. */
const isInstalled = (program: string): boolean =>
  (process.env["PATH"] ?? "").split(delimiter).some((folder) => existsSync(join(folder, program)));

const onWindows = process.platform === "win32";
const onLinux = process.platform === "linux";

/**
 * The URL of a database on the coordinator of a Citus cluster, as a superuser of all nodes. The database has the extension,
 * and knows the coordinator and the workers. The PostgreSQL suites then run there. Absent: they run on a PostgreSQL of
 * the tests.
 */
export const citusUrl = process.env["SECPLAT_TEST_CITUS"];

/** What some tests need of the system, and why they cannot run without it. */
const needs = {
  signals: { met: !onWindows, reason: "Windows ends a process at any signal" },
  "permission bits": { met: !onWindows, reason: "Windows has no permission bits" },
  "symbolic links": { met: !onWindows, reason: "Windows restricts symbolic links" },
  ulimit: { met: !onWindows, reason: "Windows cannot limit the size of files" },
  "POSIX shell": {
    met: !onWindows,
    reason: "shells on Windows pass arguments and pipes differently",
  },
  "/dev/full": { met: onLinux, reason: "only Linux has /dev/full" },
  terminals: { met: onLinux, reason: "script of other systems starts terminals differently" },
  bash: { met: onLinux && isInstalled("bash"), reason: "only on Linux, with bash installed" },
  zsh: { met: onLinux && isInstalled("zsh"), reason: "only on Linux, with zsh installed" },
  fish: { met: onLinux && isInstalled("fish"), reason: "only on Linux, with fish installed" },
  python3: { met: isInstalled("python3"), reason: "python3 is not installed" },
  go: { met: isInstalled("go"), reason: "go is not installed" },
  "javac and mvn": {
    met: isInstalled("javac") && isInstalled("mvn"),
    reason: "javac or mvn is not installed",
  },
  "systemd-analyze": {
    met: isInstalled("systemd-analyze"),
    reason: "systemd-analyze is not installed",
  },
  "a C compiler": {
    met: onLinux && isInstalled("cc"),
    reason: "only on Linux, with a C compiler",
  },
  haproxy: { met: isInstalled("haproxy"), reason: "haproxy is not installed" },
  helm: { met: isInstalled("helm"), reason: "helm is not installed" },
  "packaged Chromium": { met: onLinux, reason: "npm has a packaged Chromium only for Linux" },
  Citus: {
    met: citusUrl !== undefined,
    reason: "SECPLAT_TEST_CITUS is not the URL of a database on the coordinator of a Citus cluster",
  },
  "one node": {
    met: citusUrl === undefined,
    reason: "the database of the tests has several nodes",
  },
  "/proc": { met: onLinux, reason: "only Linux has /proc" },
} as const;

export type Need = keyof typeof needs;

/** Skips all tests of a file or suite if the system lacks something. The report contains the reason. */
export function skipWithout(need: Need): void {
  const { met, reason } = needs[need];
  beforeEach((context) => context.skip(!met, reason));
}

/** `test`, but skipped if the system lacks something; its name then contains the reason. */
export function testWith(need: Need) {
  const { met, reason } = needs[need];
  return (name: string, run: (context: TestContext) => Promise<void> | void): void => {
    if (met) test(name, run);
    else test.skip(`${name} (${reason})`, run);
  };
}

/**
 * Exit code of a process that SIGTERM stopped in an orderly way. Windows ends the process at once, without
 * a code.
 */
export const stoppedCode = onWindows ? null : 0;

/**
 * Command prefix that enforces permissions. They do not apply to root unless that capability is
 * dropped.
 */
export const boundByPermissions = (): readonly string[] =>
  process.getuid?.() === 0
    ? ["setpriv", "--inh-caps=-dac_override", "--bounding-set=-dac_override"]
    : [];

import type { Compiled } from "./compiled.ts";

/**
 * Whether an expression matches practically every process: either all texts of 16 to 256 printable ASCII
 * characters (the characters of file names and command lines), or all of many ordinary lines that have
 * nothing in common. All spellings of `.*` do, such as `.+`, `.{2,}`, `[ -~]*` and `[^\x00]*`; so do
 * `.*\S.*` and `.*[a-z0-9].*`.
 *
 * The check tries probes and is not a proof: an expression that matches every probe excludes so little that
 * it is treated like `.*`. Nearly all other expressions fail at one of the first probes.
 */
export function matchesAnything(expression: Pick<Compiled, "matches">): boolean {
  const matched = (probe: string): boolean => expression.matches(probe);
  return ordinary.every(matched) || probes().every(matched);
}

/**
 * File names and command lines of several systems. An expression that matches all of them is considered to
 * match any process.
 */
const ordinary: readonly string[] = [
  String.raw`\Device\HarddiskVolume3\Windows\System32\svchost.exe`,
  String.raw`C:\WINDOWS\SYSTEM32\NET.EXE`,
  String.raw`"C:\Program Files (x86)\Vendor\Update Service\agent64.exe" --run /quiet KEY=1`,
  String.raw`D:\jobs\x.cmd`,
  String.raw`\files\share\README`,
  String.raw`\??\C:\Windows\system32\conhost.exe 0xffffffff -ForceV1`,
  "/bin/sh",
  "/bin/sh -c exit",
  "/usr/sbin/cron -f",
  "/usr/lib/jvm/java-21/bin/java -Xmx2g -jar /srv/app/queue.jar",
  "/usr/bin/python3 -m http.server 8000",
  "/Applications/Zoom.app/Contents/MacOS/zoom.us",
  "/opt/KVM/qemu-kvm",
  "/home/ann/1",
  "./2",
  "../../A_B+C=D,E;F!G~H@I#J%K&L",
];

const printable = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
const shortestProbe = 16;
const longestProbe = 256;

let cachedProbes: readonly string[] | null = null;

function probes(): readonly string[] {
  cachedProbes ??= makeProbes();
  return cachedProbes;
}

/**
 * Probes: realistic lines, random lines of every length, and every character at the start, at the end and
 * throughout.
 */
function makeProbes(): readonly string[] {
  const scrambled: string[] = [];
  for (let length = shortestProbe; length <= longestProbe; length += 1) {
    scrambled.push(scramble(length));
  }
  const filling = "x7 Q/k.".repeat(4);
  return [
    String.raw`\Device\HarddiskVolume3\Windows\System32\cmd.exe`,
    `/usr/bin/python3 -m http.server 8000`,
    "aaaaaaaaaaaaaaaa",
    ...printable.flatMap((character) => [
      character + filling,
      filling + character,
      character.repeat(shortestProbe),
      character.repeat(longestProbe),
    ]),
    ...scrambled,
  ];
}

/** A pseudo-random text of the requested length, the same at every call. */
function scramble(length: number): string {
  let state = length * 2_654_435_761;
  let text = "";
  while (text.length < length) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text += printable[(state >>> 16) % printable.length] ?? "";
  }
  return text;
}

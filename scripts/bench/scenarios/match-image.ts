import { join } from "node:path";
import type { Scenario, BenchRun } from "../scenario.ts";
import { median, processorSeconds, type Result } from "../measure.ts";
import { openTenant, start } from "../platform.ts";

export const matchScenarios: readonly Scenario[] = [
  { name: "match an image against advisories", run: matchImage },
];

const advisoryCount = 250_000;
/** Ten advisories for each package on average. */
const packageCount = 25_000;
const imagePackages = 1_500;
const imageLibraries = 500;
const targetMilliseconds = 200;
const lookupPath = "/image-assessment/combined/vulnerability-lookups/v1";
const warmUp = 5;

/** The ecosystem of a package, and how it writes a version. */
const ecosystems = [
  { ecosystem: "Debian:12", version: (number: number) => `1.${number}.0-1` },
  { ecosystem: "npm", version: (number: number) => `${number}.1.0` },
] as const;
const kindOf = (number: number) => ecosystems[number % 2] ?? ecosystems[0];

/** Complete requests over HTTP, in processor time, because other programs use the processors as well. */
async function matchImage({ folder, scale, seconds }: BenchRun): Promise<readonly Result[]> {
  const count = Math.round(advisoryCount * scale);
  const { store, load, ...filled } = await openTenant(`sqlite:${join(folder, "match.sqlite")}`, [
    "container-cli:write",
  ]);
  await load("osv", advisories(count));
  await store.close();
  const platform = await start(filled, { words: ["--overload-delay=0"] });
  const body = JSON.stringify(image());
  const look = async (): Promise<number> => {
    const response = await fetch(`${platform.url}${lookupPath}`, {
      method: "POST",
      headers: { ...platform.headers, "content-type": "application/json" },
      body,
    });
    const report = (await response.json()) as { readonly Vulnerabilities?: readonly unknown[] };
    if (response.status !== 200) throw new Error(JSON.stringify(report));
    return report.Vulnerabilities?.length ?? 0;
  };
  let vulnerabilities = 0;
  for (let run = 0; run < warmUp; run += 1) vulnerabilities = await look();
  const elapsed: number[] = [];
  const before = processorSeconds(platform.pid);
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    const began = performance.now();
    await look();
    elapsed.push(performance.now() - began);
  }
  const used = ((processorSeconds(platform.pid) - before) * 1_000) / elapsed.length;
  await platform.stop();
  if (vulnerabilities === 0) throw new Error("nothing was found");
  return [
    {
      name: `match ${imagePackages + imageLibraries} packages against ${count} advisories, milliseconds`,
      figure: `${used.toFixed(0)} of processor time, median ${median(elapsed).toFixed(0)} elapsed; ${vulnerabilities} found`,
      ratio: used,
      target: targetMilliseconds,
      targetIs: "at most",
    },
  ];
}

function* advisories(count: number): Iterable<object> {
  for (let number = 0; number < count; number += 1) {
    const index = number % packageCount;
    const { ecosystem, version } = kindOf(index);
    const fixed = version(1 + (Math.floor(number / packageCount) % 10) * 5);
    yield {
      id: `BENCH-${number}`,
      modified: "2026-01-01T00:00:00Z",
      published: "2024-05-01T00:00:00Z",
      aliases: [`CVE-2024-${100_000 + number}`],
      summary: `Weakness ${number} in package-${index}`,
      details: "A remote attacker can do what a remote attacker must not do. ".repeat(6),
      severity: [{ type: "CVSS_V3", score: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H" }],
      affected: [
        {
          package: { ecosystem, name: `package-${index}` },
          ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed }] }],
        },
      ],
      references: [{ type: "ADVISORY", url: `https://example.com/${number}` }],
    };
  }
}

/** Most of its packages are newer than most fixes, as in an image that is kept up to date. */
function image(): object {
  const installed = (number: number) => kindOf(number).version(number % 20 === 0 ? 40 : 60);
  return {
    osversion: "Debian GNU/Linux 12",
    packages: Array.from({ length: imagePackages }, (_, index) => ({
      Product: `package-${index * 2}`,
      MajorVersion: installed(index * 2),
      LayerIndex: 0,
    })),
    applicationPackages: [
      {
        type: "npm",
        libraries: Array.from({ length: imageLibraries }, (_, index) => ({
          Name: `package-${index * 2 + 1}`,
          Version: installed(index * 2 + 1),
          LayerIndex: 0,
        })),
      },
    ],
  };
}

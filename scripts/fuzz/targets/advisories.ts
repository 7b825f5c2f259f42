import { importSchemas } from "@security-platform/spec";
import {
  matchContents,
  type Contents,
} from "../../../packages/server/src/domain/container/advisories/match.ts";
import { distributionOf } from "../../../packages/server/src/domain/container/advisories/packages.ts";
import { advisoryImporter } from "../../../packages/server/src/imports/advisories.ts";
import { lineReader } from "../../../packages/server/src/imports/read-line.ts";
import { mutateJson, mutateText } from "../mutate.ts";
import { judged, type Target } from "../target.ts";

const advisory = {
  id: "GHSA-0000-0000-0000",
  modified: "2026-01-01T00:00:00Z",
  published: "2026-01-01T00:00:00Z",
  aliases: ["CVE-2026-0001"],
  summary: "A flaw",
  severity: [{ type: "CVSS_V3", score: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H" }],
  affected: [
    {
      package: { ecosystem: "npm", name: "left-pad", purl: "pkg:npm/left-pad" },
      ranges: [
        { type: "SEMVER", events: [{ introduced: "0" }, { fixed: "1.3.0" }] },
        { type: "ECOSYSTEM", events: [{ introduced: "2.0.0-rc.1" }, { last_affected: "2.1" }] },
      ],
      versions: ["1.0.0"],
    },
  ],
  references: [{ type: "ADVISORY", url: "https://a.example/1" }],
  database_specific: { severity: "HIGH" },
};

const ecosystems =
  "npm,PyPI,Maven,Go,crates.io,NuGet,RubyGems,Debian:12,Alpine:v3.19,Red Hat,Ubuntu:24.04:LTS,Rocky Linux:9,none".split(
    ",",
  );

const words: readonly string[] = [
  ...ecosystems,
  ..."0,1.2.3,1:2.3-4~rc1,1.0.0+build,v2,1!2.0.post1.dev3,[1.0],*,1.0.0-alpha.1.2.3,99999999999999999999.1,introduced,fixed,last_affected,limit,SEMVER,ECOSYSTEM,GIT,CVSS_V2,CVSS_V4,CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N,AV:N/AC:L/Au:N/C:P/I:P/A:P".split(
    ",",
  ),
];

interface AdvisoryInput {
  readonly record: unknown;
  /** The version of the packages that are compared with it. */
  readonly version: string;
}

const read = lineReader(advisoryImporter, importSchemas()["osv"] ?? {});

/** A package of each kind with the name of the advisories. */
const contentsWith = (version: string): readonly Contents[] => [
  ...["npm", "python-pkg", "jar", "gobinary", "cargo", "nuget", "gemspec"].map((type) => ({
    packages: [],
    applications: [{ type, libraries: [{ Name: "a", Version: version, LayerIndex: 0 }] }],
    distribution: undefined,
  })),
  ...(
    [
      ["debian", "12"],
      ["alpine", "3.19.1"],
      ["rhel", "9"],
      ["ubuntu", "24.04"],
      ["rocky", "9"],
    ] as const
  ).map(([name, release]) => ({
    packages: [{ Product: "a", MajorVersion: version, LayerIndex: 0 }],
    applications: [],
    distribution: distributionOf(name, release),
  })),
];

/** Advisories in the OSV format: their import, and the comparison with packages. */
export const osvAdvisories = (): Target<AdvisoryInput> => ({
  name: "osv",
  runsIn: "own",
  generate: (random) => {
    const [affected] = advisory.affected;
    const ecosystem = random.pick(ecosystems) ?? "npm";
    const start = {
      ...advisory,
      affected: [{ ...affected, package: { ecosystem, name: "a" } }],
    };
    return {
      record: mutateJson(random, start, words),
      version: mutateText(
        random,
        random.pick(["1.0.0", "1:2.3-4~rc1", "1!2.0.post1"]) ?? "",
        words,
      ),
    };
  },
  send: async ({ record, version }) => {
    let isRefused = false;
    const outcome = await judged([], async () => {
      const line = read(JSON.stringify(record), { number: 1 } as never);
      isRefused = "problems" in line;
      if ("problems" in line) return;
      for (const contents of contentsWith(version)) {
        await matchContents(contents, async function* () {
          yield [line.record];
        });
      }
    });
    return isRefused ? { ...outcome, label: "refused" } : outcome;
  },
});

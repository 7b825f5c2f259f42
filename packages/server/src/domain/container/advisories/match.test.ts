import { describe, expect, test } from "vitest";
import { withShortTurns } from "../../../../tests/support/turns.ts";
import { orderingOf } from "../versions/ecosystems.ts";
import { rangeProblems } from "./affected.ts";
import { advisoryOf, type Advisory } from "./advisories.ts";
import { matchContents, type Contents } from "./match.ts";
import type { OsvAffected, OsvRecord } from "./osv.ts";
import { coversRelease, distributionOf, libraryEcosystem, readDistribution } from "./packages.ts";
import { baseScore, ratingsOf } from "./ratings.ts";

const modified = "2026-01-01T00:00:00Z";
const log4shell = "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H";

function advisory(
  affected: OsvAffected | readonly OsvAffected[],
  more: Partial<OsvRecord> = {},
): Advisory {
  return advisoryOf({ id: "TEST-1", modified, affected: [affected].flat(), ...more });
}

function npm(events: readonly object[], versions: readonly string[] = []): OsvAffected {
  return {
    package: { ecosystem: "npm", name: "left" },
    ranges: [{ type: "SEMVER", events }],
    versions,
  };
}

function library(type: string | number, Name: string, Version: string, Path?: string): Contents {
  const entry = { Name, Version, LayerIndex: 0, ...(Path === undefined ? {} : { Path }) };
  return {
    packages: [],
    applications: [{ type, libraries: [entry] }],
    distribution: undefined,
  };
}

function osPackage(
  distribution: readonly [name: string, version: string],
  product: string,
  version: string,
  source?: string,
): Contents {
  return {
    packages: [
      {
        Product: product,
        MajorVersion: version,
        LayerIndex: 0,
        ...(source === undefined ? {} : { PackageSource: source }),
      },
    ],
    applications: [],
    distribution: distributionOf(...distribution),
  };
}

async function match(contents: Contents, ...advisories: readonly Advisory[]) {
  return matchContents(contents, async function* (keys) {
    yield advisories.filter(({ packages }) => packages.some((key) => keys.includes(key)));
  });
}

async function fixesOf(version: string, affected: OsvAffected): Promise<readonly string[] | null> {
  const { vulnerabilities } = await match(library("npm", "left", version), advisory(affected));
  return vulnerabilities[0]?.FixedVersions ?? null;
}

describe("ranges", () => {
  test("a range is affected from its introduction to its fix", async () => {
    const range = npm([{ introduced: "1.0.0" }, { fixed: "1.5.0" }]);
    expect(await fixesOf("0.9.9", range)).toBeNull();
    expect(await fixesOf("1.0.0", range)).toEqual(["1.5.0"]);
    expect(await fixesOf("1.5.0-rc.1", range)).toEqual(["1.5.0"]);
    expect(await fixesOf("1.5.0", range)).toBeNull();
  });

  test("the last affected version is affected, and is not a fix", async () => {
    const range = npm([{ introduced: "0" }, { last_affected: "1.5.0" }]);
    expect(await fixesOf("1.5.0", range)).toEqual([]);
    expect(await fixesOf("1.5.1", range)).toBeNull();
  });

  test("a range may start again after a fix, and events may be in any order", async () => {
    const range = npm([
      { fixed: "3.1.0" },
      { introduced: "3.0.0" },
      { fixed: "1.5.0" },
      { introduced: "0" },
    ]);
    expect(await fixesOf("0.0.1", range)).toEqual(["1.5.0"]);
    expect(await fixesOf("2.0.0", range)).toBeNull();
    expect(await fixesOf("3.0.0", range)).toEqual(["3.1.0"]);
    expect(await fixesOf("3.1.0", range)).toBeNull();
  });

  test("a range without a fix stays affected, up to its limit", async () => {
    expect(await fixesOf("99.0.0", npm([{ introduced: "1.0.0" }]))).toEqual([]);
    const limited = npm([{ introduced: "1.0.0" }, { limit: "2.0.0" }]);
    expect(await fixesOf("1.9.0", limited)).toEqual([]);
    expect(await fixesOf("2.0.0", limited)).toBeNull();
  });

  test("listed versions are affected in addition to the ranges", async () => {
    const listed = npm([{ introduced: "5.0.0" }, { fixed: "5.0.1" }], ["1.2.3"]);
    expect(await fixesOf("1.2.3", listed)).toEqual([]);
    expect(await fixesOf("1.2.4", listed)).toBeNull();
  });

  test.each([
    [[{ fixed: "1.0.0" }], 'no event has "introduced"'],
    [
      [{ introduced: "2.0.0" }, { fixed: "1.0.0" }],
      '"fixed": "1.0.0" is before every "introduced"',
    ],
    [[{ introduced: "1.0.0", fixed: "2.0.0" }], "expected exactly one of"],
    [[{ introduced: "one" }], '"one" is not a version'],
  ])("an impossible range is rejected: %j", (events, message) => {
    const problems = rangeProblems(
      { type: "SEMVER", events },
      "affected[0].ranges[0]",
      npmOrdering,
    );
    expect(problems[0]?.message).toContain(message);
    expect(problems[0]?.at).toContain("affected[0].ranges[0].events");
  });
});

const npmOrdering = orderingOf("npm") as NonNullable<ReturnType<typeof orderingOf>>;

describe("names and releases", () => {
  test("names of Python packages are compared ignoring case and separators", async () => {
    const python = advisory({
      package: { ecosystem: "PyPI", name: "Flask-Admin" },
      ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "2.0" }] }],
    });
    const { vulnerabilities } = await match(library("pypi", "flask_admin", "1.0rc1"), python);
    expect(vulnerabilities).toHaveLength(1);
  });

  test("if the kind is a number, the ecosystem depends on the declaring file", async () => {
    expect(libraryEcosystem(7, "srv/app/package-lock.json")).toBe("npm");
    expect(libraryEcosystem(7, "app/checkout.jar")).toBe("Maven");
    expect(libraryEcosystem(7, "usr/bin/tool")).toBeUndefined();
  });

  test("advisories of Debian name the source package and one release", async () => {
    const debian = advisory({
      package: { ecosystem: "Debian:12", name: "xz-utils" },
      ranges: [{ type: "ECOSYSTEM", events: [{ introduced: "0" }, { fixed: "5.4.1-1" }] }],
    });
    const installed = (version: string) =>
      osPackage(["debian", version], "liblzma5", "5.4.0-1+b1", "xz-utils 5.4.0-1");
    expect((await match(installed("12.5"), debian)).vulnerabilities).toHaveLength(1);
    expect((await match(installed("11"), debian)).vulnerabilities).toHaveLength(0);
  });

  test.each([
    ["Debian:12", "12.5", true],
    ["Debian:12", "1", false],
    ["Debian", "11", true],
    ["Alpine:v3.18", "3.18.4", true],
    ["Alpine:v3.18", "3.1", false],
    ["Ubuntu:22.04:LTS", "22.04", true],
    ["Ubuntu:Pro:18.04:LTS", "18.04", true],
    ["Red Hat:enterprise_linux:9::baseos", "9.3", true],
    ["Red Hat:rhel_eus:8.6::appstream", "8.8", false],
    ["Rocky Linux:8", "9.1", false],
    ["SUSE:Linux Enterprise Server 15 SP5", "15.5", true],
    ["SUSE:Linux Enterprise Server 15 SP5", "15.4", false],
  ])("%s is about version %s: %s", (ecosystem, version, expected) => {
    expect(coversRelease(ecosystem, { ecosystem: "any", version })).toBe(expected);
  });

  test.each([
    ["Debian GNU 12", "Debian", "12"],
    ["Ubuntu 22.04.3 LTS", "Ubuntu", "22.04.3"],
    ["Alpine Linux v3.18", "Alpine", "3.18"],
    ["Red Hat Enterprise Linux 9.3 (Plow)", "Red Hat", "9.3"],
  ])("%s is read as a distribution and its version", (text, ecosystem, version) => {
    expect(readDistribution(text)).toEqual({ ecosystem, version });
  });
});

describe("reports", () => {
  test("include packages without versions, and versions that cannot be read", async () => {
    const reasons = async (contents: Contents) =>
      (await match(contents)).unmatched.map(({ Reason }) => Reason);
    expect(await reasons(library("npm", "left", ""))).toEqual(["no version"]);
    expect(await reasons(library("npm", "left", "latest"))).toEqual(["unreadable version"]);
    expect(await reasons(library("npm", "", "1.0.0"))).toEqual(["no name"]);
    expect(await reasons(library("conan", "left", "1.0.0"))).toEqual(["no ecosystem"]);
    expect(await reasons(osPackage(["debian", "12"], "zlib1g", "?"))).toEqual([
      "unreadable version",
    ]);
    expect(await reasons(osPackage(["slackware", "15"], "zlib", "1.2"))).toEqual(["no ecosystem"]);
  });

  test("a vulnerability has the number of its CVE, and entries of two databases are merged", async () => {
    const range = npm([{ introduced: "0" }, { fixed: "2.0.0" }]);
    const ghsa = advisory(range, {
      id: "GHSA-jfh8-c2jp-5v3q",
      aliases: ["CVE-2021-44228"],
      severity: [{ type: "CVSS_V3", score: log4shell }],
    });
    const other = advisory(npm([{ introduced: "0" }, { fixed: "2.0.1" }]), {
      id: "X-1",
      upstream: ["CVE-2021-44228"],
      summary: "Text of the other",
    });
    const { vulnerabilities } = await match(library("npm", "left", "1.0.0"), ghsa, other);
    expect(vulnerabilities).toEqual([
      expect.objectContaining({
        CVEID: "CVE-2021-44228",
        FixedVersions: ["2.0.0", "2.0.1"],
        Details: expect.objectContaining({
          severity: "critical",
          description: "Text of the other",
        }),
      }),
    ]);
  });

  test("withdrawn advisories match nothing", async () => {
    const withdrawn = advisory(npm([{ introduced: "0" }]), { withdrawn: modified });
    expect((await match(library("npm", "left", "1.0.0"), withdrawn)).vulnerabilities).toEqual([]);
  });

  test("the most severe vulnerability comes first", async () => {
    const of = (id: string, score: string) =>
      advisory(npm([{ introduced: "0" }]), { id, severity: [{ type: "CVSS_V3", score }] });
    const { vulnerabilities } = await match(
      library("npm", "left", "1.0.0"),
      of("A", "CVSS:3.1/AV:L/AC:H/PR:H/UI:R/S:U/C:L/I:N/A:N"),
      of("B", log4shell),
      of("C", "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H"),
    );
    expect(vulnerabilities.map(({ CVEID }) => CVEID)).toEqual(["B", "C", "A"]);
  });
});

describe("severity", () => {
  test.each([
    [log4shell, 10],
    ["CVSS:3.0/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H", 7.5],
    ["CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:N", 0],
    ["AV:N/AC:L/Au:N/C:P/I:N/A:N", 5],
    ["AV:N/AC:M/Au:N/C:C/I:C/A:C", 9.3],
    ["CVSS:4.0/AV:N/AC:L/AT:N/PR:N/UI:N/VC:H/VI:H/VA:H/SC:N/SI:N/SA:N", 9.3],
    ["CVSS:3.1/AV:N", undefined],
    ["CVSS:3.1/AV:X/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H", undefined],
    ["garbage", undefined],
  ])("%s has the base score %s", (vector, score) => {
    expect(baseScore(vector)).toBe(score);
  });

  test("the newest CVSS version takes precedence; without a vector, the severity of the database", () => {
    const affected = npm([{ introduced: "0" }]);
    const both = [
      { type: "CVSS_V2", score: "AV:N/AC:M/Au:N/C:C/I:C/A:C" },
      { type: "CVSS_V3", score: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:N/I:N/A:H" },
    ];
    expect(ratingsOf({ id: "A", modified, severity: both }, affected)).toEqual({
      severity: "high",
      score: 7.5,
      cvss_v3_score: { severity: "high", base_score: 7.5, vector: both[1]?.score },
      cvss_v2_score: { severity: "high", base_score: 9.3, vector: both[0]?.score },
    });
    const named = { id: "A", modified, database_specific: { severity: "MODERATE" } };
    expect(ratingsOf(named, affected)).toEqual({ severity: "medium", score: null });
    expect(ratingsOf({ id: "A", modified }, affected).severity).toBe("unknown");
  });
});

describe("images with thousands of libraries", () => {
  const many = 5_000;

  /** How often other work runs until these libraries are matched. */
  async function turnsFor(nameOf: (index: number) => string, advisories: readonly Advisory[]) {
    const libraries = Array.from({ length: many }, (_none, index) => ({
      Name: nameOf(index),
      Version: "1.0.0",
      LayerIndex: 0,
    }));
    let turns = 0;
    let isOver = false;
    const turn = (): void => {
      turns += 1;
      if (!isOver) setImmediate(turn);
    };
    setImmediate(turn);
    const contents = { packages: [], applications: [{ type: "npm", libraries }] };
    const matches = await withShortTurns(() =>
      match({ ...contents, distribution: undefined }, ...advisories),
    );
    isOver = true;
    return { turns, ...matches };
  }

  test("let other requests run while their names are read", async () => {
    const { turns } = await turnsFor((index) => `library-${index}`, []);
    expect(turns).toBeGreaterThanOrEqual(many - 1);
  });

  test("let other requests run while they are compared with advisories", async () => {
    const advisories = ["A-1", "A-2", "A-3"].map((id) =>
      advisory(npm([{ introduced: "0" }]), { id }),
    );
    const { turns, vulnerabilities } = await turnsFor(() => "left", advisories);
    expect(vulnerabilities).toHaveLength(many * advisories.length);
    expect(turns).toBeGreaterThanOrEqual(2 * many - 1);
  });
});

import { importSchemas } from "@security-platform/spec";
import { describe, expect, test } from "vitest";
import { verdictFor, rangeProblems } from "../../domain/container/advisories/affected.ts";
import { packageKey } from "../../domain/container/advisories/packages.ts";
import { baseScore } from "../../domain/container/advisories/ratings.ts";
import { orderingOf } from "../../domain/container/versions/ecosystems.ts";
import { schemaValidator } from "../../validation/schema-validator.ts";
import { knownAdvisories } from "./index.ts";

const records = knownAdvisories.records();

test("there are at least 50 advisories, of every ecosystem", () => {
  expect(records.length).toBeGreaterThanOrEqual(50);
  expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
  const ecosystems = records.flatMap(({ packages }) => packages.map((key) => key.split(":")[0]));
  expect([...new Set(ecosystems)].toSorted()).toEqual(
    "Alpine,Debian,Go,Maven,NuGet,PyPI,Red Hat,RubyGems,crates.io,npm".split(","),
  );
});

describe.each(records.map((record) => ({ ...record })))("$id", (record) => {
  test("is a valid record with ranges and a rating", () => {
    const { packages: _, ...line } = record;
    expect(schemaValidator(importSchemas()["osv"] ?? {}, "")(line)).toEqual([]);
    for (const { package: named, ranges } of record.affected ?? []) {
      const ordering = orderingOf(named?.ecosystem ?? "");
      if (ordering === undefined) throw new Error(`no ordering for ${named?.ecosystem}`);
      expect(ranges?.flatMap((range) => rangeProblems(range, "", ordering))).toEqual([]);
    }
    for (const { score } of record.severity ?? []) expect(baseScore(score)).toBeGreaterThan(0);
    expect((record.severity?.length ?? 0) > 0 || record.database_specific?.severity).toBeTruthy();
    for (const { url } of record.references ?? []) expect(url).toMatch(/^https:\/\/\S+$/);
    expect(Date.parse(record.modified)).toBeGreaterThanOrEqual(Date.parse(record.published ?? ""));
  });
});

test.each([
  ["Maven", "org.apache.logging.log4j:log4j-core", "2.14.1", "GHSA-jfh8-c2jp-5v3q", "2.15.0"],
  ["Maven", "org.apache.logging.log4j:log4j-core", "2.15.0", "GHSA-7rjr-3q55-vv33", "2.16.0"],
  ["Maven", "org.springframework:spring-beans", "5.3.17", "GHSA-36p3-wjmg-h94x", "5.3.18"],
  ["npm", "event-stream", "3.3.6", "GHSA-mh6f-8j2x-4483", "4.0.0"],
  ["PyPI", "pdoc", "14.5.0", "GHSA-5vgj-ggm4-fg62", "14.5.1"],
  ["Go", "golang.org/x/net", "v0.16.0", "GHSA-qppj-fm5r-hxr3", "0.17.0"],
  ["crates.io", "time", "0.2.22", "GHSA-wcg3-cvx6-7396", "0.2.23"],
  ["RubyGems", "rack", "2.2.3", "GHSA-wq4h-7r42-5hrr", "2.2.3.1"],
  ["NuGet", "Newtonsoft.Json", "12.0.3", "GHSA-5crp-9r3c-p9vr", "13.0.1"],
  ["Debian:7", "openssl", "1.0.1e-2+deb7u4", "DSA-2896-1", "1.0.1e-2+deb7u5"],
  ["Debian:13", "xz-utils", "5.6.1-1", "DEBIAN-CVE-2024-3094", "5.6.1+really5.4.5-1"],
  ["Alpine:v3.18", "nghttp2", "1.55.1-r0", "ALPINE-CVE-2023-44487", "1.57.0-r0"],
  [
    "Red Hat:enterprise_linux:9::baseos",
    "openssh",
    "8.7p1-38.el9",
    "RHSA-2024:4312",
    "0:8.7p1-38.el9_4.1",
  ],
])("%s %s %s is affected by %s until %s", (ecosystem, name, version, id, fixed) => {
  const record = records.find((each) => each.id === id);
  const affected = record?.affected?.find(
    ({ package: named }) =>
      named?.ecosystem === ecosystem &&
      packageKey(named.ecosystem, named.name) === packageKey(ecosystem, name),
  );
  const ordering = orderingOf(ecosystem);
  const parsed = [version, fixed].map((text) => ordering?.parse(text));
  if (affected === undefined || ordering === undefined)
    throw new Error(`${id} is not about ${name}`);
  const [before, after] = parsed;
  if (before === undefined || after === undefined) throw new Error("not versions");
  expect(verdictFor(affected, version, before, ordering)).toEqual({
    affected: true,
    fixed: [fixed],
  });
  expect(verdictFor(affected, fixed, after, ordering)).toEqual({ affected: false });
});

test.each([
  ["Maven", "org.apache.logging.log4j:log4j-core", "2.0-beta8", "GHSA-jfh8-c2jp-5v3q", false],
  ["Maven", "org.apache.logging.log4j:log4j-core", "2.0-beta9", "GHSA-jfh8-c2jp-5v3q", true],
  ["Maven", "org.apache.logging.log4j:log4j-core", "2.0-beta8", "GHSA-7rjr-3q55-vv33", false],
  ["npm", "axios", "0.28.0", "GHSA-wf5p-g6vw-rhxx", false],
  ["npm", "axios", "0.27.2", "GHSA-wf5p-g6vw-rhxx", true],
  ["npm", "lodash.template", "4.5.0", "GHSA-35jh-r3h4-6jhm", true],
  ["npm", "lodash.template", "4.18.0", "GHSA-35jh-r3h4-6jhm", false],
  ["PyPI", "paramiko", "2.4.3", "GHSA-45x7-px36-x8w8", false],
  ["PyPI", "paramiko", "2.5.0", "GHSA-45x7-px36-x8w8", true],
  ["NuGet", "Magick.NET-Q8-AnyCPU", "13.2.0", "GHSA-j7hp-h8jx-5ppr", true],
])("%s %s %s and %s: %s", (ecosystem, name, text, id, isAffected) => {
  const affected = records
    .find((each) => each.id === id)
    ?.affected?.find(({ package: named }) => named?.name === name);
  const ordering = orderingOf(ecosystem);
  const version = ordering?.parse(text);
  if (affected === undefined || ordering === undefined || version === undefined) {
    throw new Error(`${id} is not about ${name}`);
  }
  expect(verdictFor(affected, text, version, ordering).affected).toBe(isAffected);
});

/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { expect, test } from "vitest";
import { scans } from "../src/domain/container/scans/scans.ts";
import { detectionRows, vulnerabilityRows } from "../src/domain/container/scans/rows.ts";
import { seedWorld } from "../src/seed/index.ts";
import type { Resource } from "../src/store/types/types.ts";
import { allOf } from "./support/all-of.ts";
import { startTestApi } from "./support/api.ts";
import { withPostgresAtNight } from "./support/engines.ts";

const everything = { kind: "everything" } as const;

/** The findings of the scans in the demo world. */
const expected: Readonly<Record<string, string>> = {
  "base/static:1.0": "",
  "data/reports:2.0":
    "CVE-2020-14343 CVE-2022-0778 CVE-2022-28346 CVE-2022-37434 CVE-2023-32681 CVE-2023-38545 CVE-2023-43804 CVE-2023-4863 CVE-2023-48795 CVE-2023-4911 CVE-2023-50447 CVE-2024-22195 CVE-2024-38526 secret-in-environment",
  "edge/gateway:1.9.2": "CVE-2023-39325 CVE-2023-44487 CVE-2023-48795 CVE-2023-4911",
  "legacy/batch:8.3":
    "CVE-2021-3156 CVE-2021-4034 CVE-2023-4911 CVE-2024-21907 CVE-2024-30105 CVE-2024-43485",
  "legacy/wiki:5":
    "CVE-2014-0160 CVE-2014-6271 CVE-2019-5418 CVE-2022-24836 CVE-2022-30123 runs-as-root",
  "ops/bastion:latest":
    "CVE-2023-38545 CVE-2023-44487 CVE-2023-4863 CVE-2024-6387 add-from-url latest-tag no-healthcheck risky-port runs-as-root world-writable-files",
  "shop/checkout:4.2.0":
    "CVE-2020-36518 CVE-2021-44228 CVE-2021-45046 CVE-2021-45105 CVE-2022-1471 CVE-2022-22965 no-healthcheck runs-as-root stripe-key",
  "shop/storefront:7.1.3":
    "CVE-2021-23337 CVE-2021-44906 CVE-2022-24999 CVE-2023-38545 CVE-2023-44487 CVE-2023-45857 CVE-2024-28849 CVE-2024-29041 CVE-2024-37890",
  "tools/builder:nightly":
    "CVE-2020-26235 CVE-2021-45710 CVE-2022-24713 CVE-2024-3094 GHSA-xcf7-rvmh-g6q4",
};

withPostgresAtNight((engine) => {
  test("scans of the demo world's images have the expected findings, the same each time", async () => {
    const { store, clock, blobs } = await startTestApi({ databaseUrl: await engine.url() });
    const seed = () => seedWorld(store, { world: "small", seed: 1, clock, blobs });
    const seeded = await seed();
    expect(seeded.images).toBe(13);
    expect(await seed()).toEqual(seeded);
    const findings = new Map<string, string[]>();
    const note = (image: { repository: string; tag: string }, ...names: string[]): void => {
      const key = `${image.repository}:${image.tag}`;
      findings.set(key, [...(findings.get(key) ?? []), ...names]);
    };
    const all = <Row extends object>(resource: Resource<Row>) =>
      allOf(store.records(resource, { cid: seeded.cid }).scanComplete(everything, clock.now()));
    for (const scan of await all(scans)) {
      note(scan);
      expect(await blobs.bytes(scan.report)).toBeGreaterThan(100);
    }
    for (const row of await all(vulnerabilityRows)) note(row, row.cve_id);
    for (const row of await all(detectionRows)) note(row, row.name);
    const lists = [...findings].map(([image, names]) => [
      image,
      [...new Set(names)].toSorted().join(" "),
    ]);
    expect(Object.fromEntries(lists)).toEqual(expected);
  });
});

import { expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { exported, readCsv, storeVulnerabilities, vulnerability } from "./support/exports.ts";
import { have } from "./support/identities.ts";
import { inventory, log4shell, sendInventory } from "./support/images.ts";
import { seconds } from "./support/manual-clock.ts";
import { sharedApi } from "./support/shared-api.ts";
import type { TestApi } from "./support/api.ts";

const csvOf = (resource: "images.vulnerabilities", more: object = {}) =>
  ({ resource, format: "csv", ...more }) as const;

withPostgresAtNight((engine) => {
  const suite = sharedApi(engine);

  const withRows = async (count: number): Promise<TestApi> => {
    const api = await suite.open();
    const rows = Array.from({ length: count }, (_, number) => vulnerability(number));
    await storeVulnerabilities(api.store, api.tenant.cid, rows, api.clock.now());
    return api;
  };

  test("a CSV file has a header, quotes, and no formulas", async () => {
    const api = await suite.open();
    const rows = [
      vulnerability(0, { package_name: 'say "x", twice', repository: "two\r\nlines" }),
      vulnerability(1, { package_name: "=cmd()", tag: "@x" }),
      vulnerability(2, { package_name: "Ümläut 🐛", package_version: "-1" }),
    ];
    await storeVulnerabilities(api.store, api.tenant.cid, rows, api.clock.now());
    const request = csvOf("images.vulnerabilities", { expand_vulnerabilities: true });
    const [header, ...lines] = readCsv(await exported(api, request));
    expect(header).toEqual([
      "cve_id",
      "severity",
      "cvss_score",
      "package_name",
      "package_version",
      "fixed_version",
      "published_at",
      "image_digest",
      "registry",
      "repository",
      "tag",
    ]);
    const cells = lines.map((line) =>
      Object.fromEntries(line.map((cell, at) => [header?.[at], cell])),
    );
    expect(cells).toMatchObject([
      {
        package_name: 'say "x", twice',
        repository: "two\r\nlines",
        cvss_score: "",
        fixed_version: "",
      },
      { package_name: "'=cmd()", tag: "'@x", fixed_version: "1.2.0" },
      { package_name: "Ümläut 🐛", package_version: "'-1" },
    ]);
  });

  test("a JSON file contains the records as stored", async () => {
    const api = await withRows(3_000);
    const request = { resource: "images.vulnerabilities", format: "json" } as const;
    const text = await exported(api, { ...request, expand_vulnerabilities: true });
    const { scan: _scan, ...first } = vulnerability(0);
    const rows = JSON.parse(text) as readonly object[];
    expect(rows).toHaveLength(3_000);
    expect(rows[0]).toEqual(first);
    expect(text.split("\n")).toHaveLength(3_003);
    expect(JSON.parse(await exported(await suite.open(), request))).toEqual([]);
  });

  test("a file contains the matching records in the order of the sort", async () => {
    const api = await withRows(2_500);
    const request = csvOf("images.vulnerabilities", {
      expand_vulnerabilities: true,
      fql: "severity_number:>=70+repository:'shop/service-1'",
      sort: "severity_number.desc,cvss_score.asc,package_name.desc",
    });
    const lines = readCsv(await exported(api, request)).slice(1);
    const ranks = ["low", "medium", "high", "critical"];
    const expected = Array.from({ length: 2_500 }, (_, number) => vulnerability(number))
      .filter(
        ({ severity, repository }) =>
          ranks.indexOf(severity) > 1 && repository === "shop/service-1",
      )
      .toSorted(
        (a, b) =>
          ranks.indexOf(b.severity) - ranks.indexOf(a.severity) ||
          (a.cvss_score ?? 1_000) - (b.cvss_score ?? 1_000) ||
          (a.package_name < b.package_name ? 1 : a.package_name > b.package_name ? -1 : 0),
      );
    expect(lines.map((line) => [line[0], line[3], line[10]])).toEqual(
      expected.map(({ cve_id, package_name, tag }) => [cve_id, package_name, tag]),
    );
  });

  test("a file has a row per vulnerability, unless rows are expanded", async () => {
    const api = await suite.open();
    const rows = [
      vulnerability(0, { cve_id: "CVE-2024-2", severity: "low", package_name: "a" }),
      vulnerability(1, { cve_id: "CVE-2024-2", severity: "low", package_name: "b" }),
      vulnerability(10, {
        cve_id: "CVE-2024-2",
        severity: "high",
        cvss_score: 7.5,
        package_name: "a",
        fixed_version: "2.0",
      }),
      vulnerability(11, { cve_id: "CVE-2024-1", severity: "medium", cvss_score: 5 }),
      // The image of rows 0 and 1 under another tag, after those of another image.
      vulnerability(20, {
        cve_id: "CVE-2024-2",
        severity: "low",
        package_name: "a",
        fixed_version: "2.0",
        image_digest: vulnerability(0).image_digest,
      }),
    ];
    await storeVulnerabilities(api.store, api.tenant.cid, rows, api.clock.now());
    const json = { resource: "images.vulnerabilities", format: "json" } as const;
    const groups = JSON.parse(
      await exported(api, { ...json, sort: "severity_number.desc" }),
    ) as readonly object[];
    expect(groups).toEqual([
      {
        cve_id: "CVE-2024-2",
        severity: "high",
        cvss_score: 7.5,
        published_at: "2024-05-01T00:00:00Z",
        package_names: ["a", "b"],
        fixed_versions: ["1.2.0", "2.0"],
        image_count: 2,
      },
      expect.objectContaining({ cve_id: "CVE-2024-1", image_count: 1 }),
    ]);
    const [header, ...lines] = readCsv(await exported(api, csvOf("images.vulnerabilities")));
    expect(header).toEqual(Object.keys(groups[0] ?? {}));
    expect(lines.map(([id]) => id)).toEqual(["CVE-2024-1", "CVE-2024-2"]);
    expect(lines[1]?.[4]).toBe("a;b");
  });

  test("a file of images contains the newest scan of each, single or expanded", async () => {
    const api = await suite.open();
    await have(api, "osv", [log4shell]);
    await sendInventory(api, inventory());
    api.clock.advance(seconds(1));
    const { body } = await sendInventory(api, inventory());
    const rowsOf = async (resource: string, more: object = {}) =>
      JSON.parse(
        await exported(api, { resource: resource as "images.packages", format: "json", ...more }),
      ) as readonly Record<string, unknown>[];
    const [image, ...others] = await rowsOf("images.images-assessment", {
      fql: "vulnerability_count:>0",
      sort: "scanned_at.desc",
    });
    expect(others).toEqual([]);
    expect(image).toMatchObject({ scan_uuid: body.resources.uuid, repository: "shop/checkout" });
    expect(image).not.toHaveProperty("report");
    const [expanded] = await rowsOf("images.images-assessment-expanded");
    expect(expanded).toMatchObject({
      ...image,
      vulnerabilities: expect.arrayContaining(["CVE-2021-44228"]) as string[],
      detections: ["generic-api-key"],
    });
    expect(expanded?.["packages"]).toContain("org.apache.logging.log4j:log4j-core 2.14.1");
    const findings = [
      "images.images-assessment-vulnerabilities-expanded",
      "images.images-assessment-detections-expanded",
      "images.images-detections",
      "images.packages",
    ];
    for (const resource of findings) {
      const rows = await rowsOf(resource);
      expect(rows, resource).not.toEqual([]);
      expect(rows[0], resource).toMatchObject({ repository: "shop/checkout", tag: "4.2.0" });
    }
  });

  test("a file of a resource without records is empty", async () => {
    const api = await suite.open();
    expect(await exported(api, { resource: "assets.pods", format: "csv" })).toBe("");
    expect(
      JSON.parse(await exported(api, { resource: "policies.exclusions", format: "json" })),
    ).toEqual([]);
  });
});

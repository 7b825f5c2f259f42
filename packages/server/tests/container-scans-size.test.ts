/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { expect, test } from "vitest";
import { onSqlite } from "./support/engines.ts";
import { exported } from "./support/exports.ts";
import {
  checksPath,
  inventory,
  reportsPath,
  sendInventory,
  type Inventory,
  type Report,
} from "./support/images.ts";
import { sharedApi } from "./support/shared-api.ts";

const mostPackages = 100_000;
const mostFiles = 100_000;

/** The example with many packages of the operating system. */
const inventoryOf = (packages: number): Inventory =>
  inventory((draft) => {
    draft.inventory.Packages = Array.from({ length: packages }, (_none, index) => ({
      Product: `package-${index}`,
      MajorVersion: `1.${index}`,
      LayerIndex: 0,
    }));
  });

onSqlite((engine) => {
  const suite = sharedApi(engine);

  test("an inventory may contain the documented maximum of packages", async () => {
    const api = await suite.open();
    const { status, body } = await sendInventory(api, inventoryOf(mostPackages));
    expect(status).toBe(200);
    const report = await api.request<{ readonly components: readonly unknown[] }>(
      "GET",
      `${reportsPath}/${body.resources.uuid}`,
      { query: { report_format: "cyclonedx-json" } },
    );
    expect(report.status).toBe(200);
    expect(report.body.components.length).toBeGreaterThan(mostPackages);
  });

  test("a report that is too large for one turn is sent as it is stored, and in the other formats", async () => {
    const api = await suite.open();
    const { body } = await sendInventory(api, inventoryOf(2_000));
    const path = `${reportsPath}/${body.resources.uuid}`;
    const envelope = { accept: "application/vnd.security-platform.envelope+json" };
    const packages = inventoryOf(2_000).inventory.Packages;

    const stored = await api.request<Report>("GET", path);
    expect(stored.body.Packages).toEqual(packages);
    expect(Number(stored.headers.get("content-length"))).toBe(Buffer.byteLength(stored.text));
    const enveloped = await api.request("GET", path, { headers: envelope });
    expect(enveloped.body).toMatchObject({ resources: [stored.body], errors: [] });

    const sarif = await api.request<{ readonly version: string }>("GET", path, {
      query: { report_format: "sarif" },
    });
    expect(sarif.body.version).toBe("2.1.0");
    const check = await api.request<readonly { readonly deny: boolean }[]>("GET", checksPath, {
      query: { repository: "shop/checkout", tag: "4.2.0" },
    });
    expect(check.status, check.text).toBe(200);
    expect(check.body).toHaveLength(1);
    const file = await exported(api, {
      resource: "images.images-assessment-expanded",
      format: "json",
    });
    expect(file).toContain('"package-1999 1.1999"');
  });

  test("an inventory may contain the documented maximum of other files", async () => {
    const api = await suite.open();
    const body = inventory((draft) => {
      draft.inventory.HashedFiles = Array.from({ length: mostFiles }, (_none, index) => ({
        Hash: "0f".repeat(32),
        LayerHash: `sha256:${"5e".repeat(32)}`,
        LayerIndex: 0,
        Path: `usr/share/doc/package-${index}/changelog.Debian.gz`,
        Permissions: "-rw-r--r--",
        Size: index,
      }));
    });
    expect(JSON.stringify(body).length).toBeGreaterThan(20 * 2 ** 20);
    const { status, text } = await sendInventory(api, body);
    expect(status, text).toBe(200);
  });

  test("an inventory with more packages and libraries together is rejected", async () => {
    const api = await suite.open();
    const body = inventoryOf(0);
    const library = { Name: "l", LayerIndex: 0 };
    const libraries = Array.from({ length: 50_000 }, () => library);
    const types = ["maven", "npm", "pypi", "cargo", "gem"].map((type) => ({ type, libraries }));
    const contents = { ...body.inventory, ApplicationPackages: types };
    const { status, body: answer } = await sendInventory(api, { ...body, inventory: contents });
    expect(status).toBe(400);
    expect(JSON.stringify(answer)).toContain(
      "body.inventory: has 250000 packages and libraries; expected at most 200000",
    );
  });

  test("an inventory with one more is rejected", async () => {
    const api = await suite.open();
    const { status, body } = await sendInventory(api, inventoryOf(mostPackages + 1));
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(
      "body.inventory.Packages: expected at most 100000 items",
    );
  });
});

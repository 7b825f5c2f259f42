import { readFileSync } from "node:fs";
import type { components } from "@security-platform/spec";
import { parse } from "yaml";
import type { Answer, TestApi } from "./api.ts";

export type Inventory = components["schemas"]["ScanInventory"];
export type Scan = components["schemas"]["ImageScan"];
export type Report = components["schemas"]["ImageReport"];

export const inventoryPath = "/image-assessment/entities/image-inventory/v1";
export const reportsPath = "/image-assessment/entities/reports/v2";
export const checksPath = "/image-assessment/entities/policy-checks/v2";

const example = new URL("../../../../spec/container/examples/scan-inventory.yaml", import.meta.url);

/** The document's example of an inventory, with some parts changed. */
export function inventory(
  change: (draft: Mutable<Inventory>) => void = () => undefined,
): Inventory {
  const { value } = parse(readFileSync(example, "utf8")) as { value: Mutable<Inventory> };
  change(value);
  return value;
}

export type Mutable<Value> = Value extends (...values: never[]) => unknown
  ? Value
  : { -readonly [Key in keyof Value]: Mutable<Value[Key]> };

/** An advisory for the only library of the example. */
export const log4shell = {
  id: "GHSA-jfh8-c2jp-5v3q",
  modified: "2026-01-01T00:00:00Z",
  published: "2021-12-10T00:40:56Z",
  aliases: ["CVE-2021-44228"],
  summary: "Remote code execution in log4j",
  severity: [{ type: "CVSS_V3", score: "CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:C/C:H/I:H/A:H" }],
  affected: [
    {
      package: { ecosystem: "Maven", name: "org.apache.logging.log4j:log4j-core" },
      ranges: [
        { type: "ECOSYSTEM", events: [{ introduced: "2.13.0" }, { fixed: "2.15.0" }] },
        { type: "ECOSYSTEM", events: [{ introduced: "2.0-beta9" }, { fixed: "2.3.1" }] },
      ],
    },
  ],
};

type Requests = Pick<TestApi, "request">;

export async function newTicket(api: Requests): Promise<string> {
  const { headers, status } = await api.request("HEAD", inventoryPath);
  if (status !== 200) throw new Error(`HEAD ${inventoryPath} responded with ${status}`);
  return headers.get("x-scan-ticket") ?? "";
}

/** Sends an inventory with the given ticket or a new one. */
export async function sendInventory(
  api: Requests,
  body: unknown,
  ticket?: string,
): Promise<Answer<{ readonly resources: Scan }>> {
  const headers = { "x-scan-ticket": ticket ?? (await newTicket(api)) };
  return api.request("POST", inventoryPath, { body, headers });
}

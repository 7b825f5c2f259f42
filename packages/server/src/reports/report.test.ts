import { where } from "@security-platform/fql";
import { expect, test } from "vitest";
import { ApiError } from "../foundation/errors.ts";
import type { Records } from "../store/index.ts";
import { writeReport, type ReportForm } from "./report.ts";

const form: ReportForm<object> = {
  noun: "indicators",
  fileName: "indicators",
  otherwise: "read them in pages",
  columns: [],
};
const query = { predicate: where.all(), sort: [], format: "csv", now: new Date(0) } as const;

/** Records of which there are `count`, and the number of pages that were read. */
function recordsOf(count: number) {
  let pages = 0;
  const page = async () => {
    pages += 1;
    return { items: [], total: count };
  };
  const records = { count: async () => count, page } as unknown as Records<object>;
  return { records, pages: () => pages };
}

test("a report of too many records is refused before one is read", async () => {
  const { records, pages } = recordsOf(10_001);
  const refused = await writeReport(records, form, query).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(ApiError);
  expect((refused as ApiError).status).toBe(400);
  expect(JSON.stringify((refused as ApiError).entries)).toContain("more than 10000 indicators");
  expect(pages()).toBe(0);
});

test("a report of as many records as it can have is written", async () => {
  const { records, pages } = recordsOf(10_000);
  expect(await writeReport(records, form, query)).toMatchObject({ report_format: "csv" });
  expect(pages()).toBe(1);
});

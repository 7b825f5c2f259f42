import { expect } from "vitest";
import { importRecords } from "../../src/imports/index.ts";
import type { TestApi } from "./api.ts";

const count = 12;
const records = (kind: string) =>
  Array.from({ length: count }, (_, index) => ({
    id: `contract-${kind}-${index}`,
    timestamp: `2026-02-${10 + index}T10:00:00Z`,
    name: `${kind} ${index}`,
    hosts: [{ aid: index.toString(16).padStart(32, "e"), hostname: `contract-${index}` }],
  }));

const cases = Array.from({ length: count }, (_, index) => ({
  id: `0000000${index.toString(16)}-0000-4000-8000-000000000000`,
  name: `contract case ${index}`,
  severity: 10 + index,
  evidence: {
    alerts: [{ id: `contract-alerts-${index}` }],
    events: [{ id: `contract-events-${index}` }],
  },
}));

/** Cases with alerts and events, which no operation creates. */
export async function casesWithEvidence({ store, tenant, clock }: TestApi): Promise<void> {
  const { cid } = tenant;
  const kinds = { alerts: records("alerts"), events: records("events"), cases } as const;
  for (const kind of ["alerts", "events", "cases"] as const) {
    const lines = kinds[kind].map((record) => JSON.stringify(record));
    const imported = await importRecords(store, { cid, kind, lines, clock });
    expect(imported).toMatchObject({ imported: count, problems: [] });
  }
}

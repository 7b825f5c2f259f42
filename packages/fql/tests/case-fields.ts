import type { Fields } from "../src/index.ts";

/** The fields that the case files use. */
export const caseFields = {
  a: { type: "string", sortable: true },
  b: { type: "string" },
  name: { type: "string", match: "glob", case: "insensitive", sortable: true },
  "name.raw": { type: "string", path: "name" },
  type: { type: "string", values: ["domain", "ipv4", "sha256"], sortable: true },
  state: { type: "string", values: ["Open", "Closed"], case: "insensitive" },
  tags: { type: "string", array: true },
  scores: { type: "number", array: true },
  score: { type: "number", sortable: true },
  severity: { type: "string" },
  severity_number: {
    type: "number",
    sortable: true,
    derive: { from: "severity", map: { low: 30, high: 70 }, otherwise: 0 },
  },
  expired: { type: "boolean" },
  last_seen: { type: "timestamp", sortable: true },
  address: { type: "ip" },
  "address.raw": { type: "string", path: "address" },
  "metadata.filename": { type: "string", case: "insensitive" },
  "metadata.filename.raw": { type: "string", path: "metadata.filename", sortable: true },
  sequence: { type: "number", filterable: false, sortable: true },
} as const satisfies Fields;

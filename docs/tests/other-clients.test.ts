/** The table of calls of other clients, compared with the methods of the client and their operations. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@security-platform/client";
import { describe, expect, test } from "vitest";
import { docsFolder } from "./support/places.ts";
import { tableRows } from "./support/tables.ts";

const rows = tableRows(readFileSync(join(docsFolder, "guides/from-other-clients.md"), "utf8"));
const client = createClient({ baseUrl: "https://api.test", clientId: "a", clientSecret: "b" });

const letters = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

describe("the table of the calls of other clients", () => {
  test("has 30 different calls", () => {
    expect(new Set(rows.map((row) => row["this client"])).size).toBe(30);
  });

  test.each(rows)("names a method of the same operation: $gofalcon", (row) => {
    const [, collection = "", method = ""] =
      /^`client\.(\w+)\.(\w+)`$/.exec(row["this client"] ?? "") ?? [];
    const methods = (client as unknown as Record<string, Record<string, object> | undefined>)[
      collection
    ];
    const { operationId = "" } = (methods?.[method] ?? {}) as { operationId?: string };
    // gofalcon names its methods after the operations.
    const [, name = ""] = /^`\w+\.(\w+)`$/.exec(row["gofalcon"] ?? "") ?? [];
    expect(operationId).not.toBe("");
    expect(letters(name)).toMatch(new RegExp(`${letters(operationId)}$`));
  });
});

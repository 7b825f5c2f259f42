import { mkdtempSync, rmSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sqliteFailure } from "../src/store/dialects/sqlite/sqlite-errors.ts";
import { startSmallApp } from "./support/small-app.ts";

/** The error of SQLite while another connection writes. */
function sqliteBusy(): unknown {
  const folder = mkdtempSync(join(tmpdir(), "secplat-busy-"));
  const [holder, other] = [0, 1].map(() => new DatabaseSync(join(folder, "some.db"))) as [
    DatabaseSync,
    DatabaseSync,
  ];
  holder.exec("begin immediate");
  try {
    other.exec("pragma busy_timeout = 0; begin immediate");
  } catch (error) {
    return sqliteFailure(error, "some.db");
  } finally {
    holder.close();
    other.close();
    rmSync(folder, { recursive: true });
  }
  throw new Error("the database was free");
}

test("the error for a write that another process blocks for too long suggests a retry", async () => {
  const { url } = await startSmallApp({
    write: { method: "post", handle: () => Promise.reject(sqliteBusy() as Error) },
  });
  const answer = await fetch(`${url}/write`, { method: "POST" });
  expect(answer.status).toBe(503);
  expect(answer.headers.get("retry-after")).toBe("10");
  expect(await answer.json()).toMatchObject({
    errors: [{ code: 503, message: expect.stringContaining("nothing was stored") }],
  });
});

/**
 * @module-tag exhaustive
 * @module-tag nightly
 */
import { expect, test } from "vitest";
import { cases } from "../src/domain/case-management/kinds/cases.ts";
import { newCase } from "../src/domain/case-management/cases/new-case.ts";
import { filled } from "../src/domain/case-management/kinds/store-cases.ts";
import { severityOf } from "../src/domain/case-management/cases/severity.ts";
import { serverIdentity } from "../src/domain/case-management/identity.ts";
import { casesSuite, paths } from "./support/cases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { followLinks } from "./support/links.ts";

/** More than the largest page. */
const stored = 10_500;
const batch = 250;

withPostgresAtNight((engine) => {
  const suite = casesSuite(engine);

  test("offsets and links reach every case beyond 10,000", async () => {
    const api = await suite.open();
    const { severity } = severityOf({ severity: 50 }, "");
    if (severity === null) throw new Error("no severity");
    const now = api.clock.now();
    const made = Array.from({ length: stored }, (_, index) =>
      filled({
        ...newCase(api.tenant.cid, now, serverIdentity, { name: `case ${index}`, severity }),
        reference_id: `CSE-${index + 1}`,
      }),
    );
    // In small parts, because the server of the test runs in this process and refuses when it is blocked.
    for (let from = 0; from < stored; from += batch) {
      const part = made.slice(from, from + batch);
      await api.store.write(api.tenant.cid, (transaction) =>
        transaction.records(cases).insert(part, now),
      );
    }

    const last = await api.search({ offset: stored - 1, limit: 10_000 });
    expect(last.status, last.text).toBe(200);
    expect(last.body).toHaveLength(1);
    expect(last.headers.get("link")).not.toContain('rel="next"');
    const beyond = await api.search({ offset: 1_000_000, limit: 10_000 });
    expect(beyond.status, beyond.text).toBe(200);
    expect(beyond.body).toEqual([]);

    const pages = await followLinks<string>(api, `${paths.search}?limit=3000`);
    expect(pages.map(({ body }) => body.length)).toEqual([3_000, 3_000, 3_000, 1_500]);
    const seen = pages.flatMap(({ body }) => body);
    expect(new Set(seen)).toEqual(new Set(made.map(({ id }) => id)));
  });
});

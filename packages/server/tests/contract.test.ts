import { onTestFinished, test } from "vitest";
import { ofExistingClients, runContract, slowest } from "./support/contract-run.ts";
import { onPostgres, onSqlite } from "./support/engines.ts";
import { hasPgBouncer, startPgBouncer } from "./support/pgbouncer.ts";
import { startPooler } from "./support/pooler.ts";

const withEnvelopes =
  "with --compat, every success is an Envelope, and requests of existing clients are accepted";

const allResponses = "every documented response of every operation is obtained, and the laws hold";

const accessRules =
  "every operation refuses what the caller may not do, and hides what the caller may not see";

const ofAccess = {
  quick: true,
  include: [/ (token|scope|tenant|hidden|deleted): /, / 404 answer: /],
};

const exhaustive = { tags: ["exhaustive"], timeout: slowest };
const nightly = { tags: ["exhaustive", "nightly"], timeout: slowest };

/** In one file, and so one worker, which compiles the document's schemas once. */
onSqlite((engine) => {
  test("with --compat, the offset of each page leads to the next one", nightly, () =>
    runContract(engine, { ...ofExistingClients, include: [/ compat: the offset of each page/] }),
  );
  test(accessRules, nightly, () => runContract(engine, ofAccess));
  test(`${allResponses}, with few refusals`, exhaustive, () =>
    runContract(engine, { quick: true }),
  );
  test(allResponses, nightly, () => runContract(engine));
  test(withEnvelopes, nightly, () => runContract(engine, ofExistingClients));
  const repeated =
    "a second run with the same seed has the same verdicts, although the server keeps deleted records and keys";
  test(repeated, exhaustive, () =>
    runContract(engine, {
      runs: 2,
      // Cases are never deleted; indicators and applications stay as deleted records.
      include: [
        /^queries\.cases\.get\.v1 200 paging: /,
        /^(entities\.cases\.put\.v2|indicator\.create\.v1|entities\.local-application\.create) /,
      ],
    }),
  );
  test(`${repeated}: all cases`, nightly, () => runContract(engine, { runs: 2 }));
});

onPostgres((engine) => {
  test(accessRules, nightly, () => runContract(engine, ofAccess));
  // The engine makes no difference to a request that is refused before the store.
  test(`${allResponses}, with few refusals`, nightly, () => runContract(engine, { quick: true }));

  const start = hasPgBouncer() ? startPgBouncer : startPooler;
  test(
    `${withEnvelopes}, behind ${hasPgBouncer() ? "PgBouncer" : "a pooler"} in transaction mode`,
    nightly,
    async () => {
      const pooler = await start(await engine.url());
      onTestFinished(() => pooler.close());
      const pooled = { ...engine, url: async () => pooler.url };
      // `npm run contract` with SECPLAT_DATABASE runs all cases behind any pooler.
      await runContract(pooled, {
        ...ofExistingClients,
        include: [...ofExistingClients.include, /another tenant/],
      });
    },
  );
});

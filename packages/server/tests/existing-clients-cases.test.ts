import { describe, expect, test } from "vitest";
import { createClient } from "../src/access/clients.ts";
import { allScopes, startTestApi } from "./support/api.ts";
import { paths } from "./support/cases.ts";
import { strictCaseDecoder } from "./support/client-models.ts";
import { withPostgresAtNight } from "./support/engines.ts";

interface Ids {
  readonly resources: readonly string[];
}

withPostgresAtNight((engine) => {
  describe("a server for existing clients", () => {
    test("sends every case of the demo so that the strictest client decodes it", async () => {
      const { url, seeded } = await engine.world("small");
      const decoder = strictCaseDecoder();
      const { store, clock, newToken, request } = await startTestApi({
        databaseUrl: url,
        config: { compat: true },
        observe: (exchange) => decoder.observe(exchange),
      });
      let sent = 0;
      for (const { cid } of seeded.tenants) {
        const client = { cid, name: "reader", scopes: allScopes };
        const token = await newToken(await createClient(store.directory, clock, client));
        const query = { limit: 500 };
        const found = await request<Ids>("GET", paths.search, { token, query });
        const ids = found.body.resources;
        if (ids.length === 0) continue;
        const read = await request("POST", paths.cases, { token, body: { ids } });
        expect(read.status, read.text).toBe(200);
        sent += ids.length;
      }
      // One case has an access tag, which these clients do not hold.
      expect(sent).toBe(seeded.cases - 1);
      expect(decoder.problems).toEqual([]);
      expect(decoder.decoded).toEqual(new Set(["queries.cases.get.v1", "entities.cases.post.v2"]));
    });
  });
});

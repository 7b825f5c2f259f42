import { expect, test } from "vitest";
import { everyCase } from "../src/domain/case-management/access-tags/reader.ts";
import { cases } from "../src/domain/case-management/kinds/cases.ts";
import { caseFilesSuite, filePaths } from "./support/case-files.ts";
import { paths, type Case } from "./support/cases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { messages, type ErrorBody } from "./support/session.ts";

withPostgresAtNight((engine) => {
  const suite = caseFilesSuite(engine);

  test("a merge unites the access tags, so that nobody else reads the source's content", async () => {
    const api = await suite.open();
    const nadia = await api.user("nadia");
    const omar = await api.user("omar");
    const [asNadia, asOmar] = [await api.administrator(nadia), await api.administrator(omar)];
    const legal = await api.accessTag("LEGAL", api.clientId, nadia.uuid);
    await api.alerts("secret-alert");
    const source = await api.stored({
      name: "secret",
      tags: ["privileged"],
      access_tags: [{ id: legal.id }],
      evidence: { alerts: [{ id: "secret-alert" }] },
    });
    const destination = await api.stored({ name: "open" });
    const moved = await api.upload(source.id, { content: "privileged" });
    const own = await api.upload(destination.id, { content: "public" });

    expect((await api.merge(source.id, destination.id)).status).toBe(200);
    const shown = { id: legal.id, key: "LEGAL", cid: api.tenant.cid };
    expect(await api.read(destination.id)).toMatchObject({
      access_tags: [shown],
      tags: ["privileged"],
      version: 2,
    });
    expect(await api.read(source.id)).toMatchObject({ access_tags: [shown], status: "closed" });

    const search = { query: { filter: "tags:'privileged'" } };
    const seenBy = async ({ request }: Pick<typeof asOmar, "request">) => ({
      case: (await request("POST", paths.cases, { body: { ids: [destination.id] } })).status,
      found: (await request<readonly string[]>("GET", paths.search, search)).body,
      files: (await request("GET", filePaths.details, { query: { ids: [moved.id, own.id] } }))
        .status,
      link: (await request("GET", filePaths.download, { query: { id: moved.id } })).status,
    });
    expect(await seenBy(asOmar)).toEqual({ case: 404, found: [], files: 404, link: 404 });
    expect(await seenBy(asNadia)).toEqual({
      case: 200,
      found: [destination.id],
      files: 200,
      link: 200,
    });
  });

  test("only a caller who holds each differing access tag merges, in both directions", async () => {
    const api = await suite.open();
    const nadia = await api.user("nadia");
    const asNadia = await api.administrator(nadia);
    const holders = [api.clientId, nadia.uuid];
    await api.accessTag("LEGAL", ...holders);
    await api.accessTag("HR", ...holders);
    await api.accessTag("BOARD", api.clientId);
    const stored = (...keys: readonly string[]): Promise<Case> =>
      api.stored({ access_tags: keys.map((key) => ({ key })) });
    const merge = (source: Case, destination: Case) =>
      asNadia.request<ErrorBody>("POST", paths.merge, {
        body: { source_id: source.id, destination_id: destination.id },
      });
    const [open, board] = [await stored(), await stored("LEGAL", "BOARD")];
    for (const [source, destination] of [
      [board, open],
      [open, board],
    ] as const) {
      const refused = await merge(source, destination);
      expect(refused.status, refused.text).toBe(403);
      expect(messages(refused)[0]).toContain("you do not hold BOARD");
    }
    expect([await api.read(open.id), await api.read(board.id)]).toEqual([open, board]);

    const keysOf = async ({ id }: Case) => (await api.read(id)).access_tags.map(({ key }) => key);
    const both = await stored("BOARD", "LEGAL");
    expect((await merge(board, both)).status).toBe(200);
    expect(await keysOf(both)).toEqual(["BOARD", "LEGAL"]);
    const [legal, hr] = [await stored("LEGAL"), await stored("HR")];
    expect((await merge(legal, hr)).status).toBe(200);
    expect(await keysOf(hr)).toEqual(["HR", "LEGAL"]);
    expect((await merge(open, hr)).status).toBe(200);
    expect(await keysOf(hr)).toEqual(["HR", "LEGAL"]);
  });

  test("the merged case has at most 100 access tags", async () => {
    const api = await suite.open();
    const tags = [];
    for (let index = 0; index < 101; index += 1) {
      tags.push({ id: (await api.accessTag(`T${index}`, api.clientId)).id });
    }
    const source = await api.stored({ access_tags: tags.slice(0, 1) });
    const destination = await api.stored({ access_tags: tags.slice(1) });
    const refused = await api.merge<ErrorBody>(source.id, destination.id);
    expect(refused.status).toBe(400);
    expect(messages(refused)[0]).toBe(
      "body.source_id: the case would have 101 access tags; at most 100 are allowed",
    );
    const records = api.store.records(cases, everyCase(api.tenant.cid));
    const stored = await records.getComplete([source.id], api.clock.now());
    expect(stored.get(source.id)).toMatchObject({ status: "new", version: 1 });
  });
});

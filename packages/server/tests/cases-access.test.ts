import { expect, test } from "vitest";
import { type Case, casesSuite, paths } from "./support/cases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { type ErrorBody, messages } from "./support/session.ts";

withPostgresAtNight((engine) => {
  const suite = casesSuite(engine);

  test("only callers who hold one of a case's access tags see the case", async () => {
    const api = await suite.open();
    const [nadia, omar] = [await api.user("nadia"), await api.user("omar")];
    const [asNadia, asOmar] = [await api.administrator(nadia), await api.administrator(omar)];
    await api.accessTag("LEGAL", nadia.uuid, api.clientId);
    await api.accessTag("BOARD", api.clientId);
    const open = await api.stored({ name: "open zephyr" });
    const legal = await api.stored({
      name: "legal zephyr",
      access_tags: [{ key: "legal" }, { key: "BOARD" }],
    });
    const board = await api.stored({ name: "board zephyr", access_tags: [{ key: "BOARD" }] });
    expect(legal.access_tags.map(({ key }) => key)).toEqual(["LEGAL", "BOARD"]);

    const seenBy = async (who: Pick<typeof asNadia, "request">) => {
      const list = async (query: Record<string, string>) => {
        const answer = await who.request<readonly string[]>("GET", paths.search, { query });
        expect(answer.status, answer.text).toBe(200);
        expect(answer.headers.get("x-total-count")).toBe(String(answer.body.length));
        return answer.body.toSorted();
      };
      const all = await list({});
      expect(await list({ filter: "severity:50" })).toEqual(all);
      expect(await list({ q: "zephyr" })).toEqual(all);
      expect(await list({ filter: "all_text:~'zephyr'" })).toEqual(all);
      expect(await list({ sort: "name.asc" })).toEqual(all);
      return all;
    };
    expect(await seenBy(api)).toEqual([open.id, legal.id, board.id].toSorted());
    expect(await seenBy(asNadia)).toEqual([open.id, legal.id].toSorted());
    expect(await seenBy(asOmar)).toEqual([open.id]);

    const got = await asOmar.request<ErrorBody>("POST", paths.cases, {
      body: { ids: [open.id, legal.id] },
    });
    expect(got.status).toBe(404);
    expect(got.body.errors.map(({ id }) => id)).toEqual([legal.id]);
    expect(got.text).not.toContain("legal zephyr");
    const refused = [
      asOmar.request("PATCH", paths.cases, { body: { id: legal.id, fields: { name: "x" } } }),
      asOmar.request("POST", paths.tags, { body: { id: legal.id, tags: ["x"] } }),
      asOmar.request("DELETE", paths.tags, { query: { id: legal.id, tag: ["x"] } }),
      asOmar.request("POST", paths.merge, {
        body: { source_id: legal.id, destination_id: open.id },
      }),
      asOmar.request("POST", paths.merge, {
        body: { source_id: open.id, destination_id: legal.id },
      }),
    ];
    expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([
      404, 404, 404, 404, 404,
    ]);
    expect(await api.read(legal.id)).toEqual(legal);
    expect(await api.read(open.id)).toEqual(open);
    const changed = await asNadia.request<readonly Case[]>("PATCH", paths.cases, {
      body: { id: legal.id, fields: { name: "seen" } },
    });
    expect(changed.body[0]).toMatchObject({
      name: "seen",
      last_updated_by: { uuid: nadia.uuid, email: nadia.uid },
      update_actor: { type: "user" },
    });
  });

  test("callers cannot hide a case from themselves, and tags can be removed again", async () => {
    const api = await suite.open();
    await api.accessTag("MINE", api.clientId);
    await api.accessTag("THEIRS");
    const hidden = await api.create<ErrorBody>({
      name: "x",
      severity: 1,
      access_tags: [{ key: "THEIRS" }],
    });
    expect(messages(hidden)).toEqual([
      "body.access_tags: you hold none of the access tags THEIRS, so you could not see the case",
    ]);
    const { id } = await api.stored({ access_tags: [{ key: "MINE" }] });
    const away = await api.patch<ErrorBody>(id, { access_tags: [{ key: "THEIRS" }] });
    expect(away.status).toBe(400);
    const unknown = await api.patch<ErrorBody>(id, { access_tags: [{ key: "NONE" }] });
    expect(messages(unknown)[0]).toMatch(/^body\.fields\.access_tags\[0\]: there is no access tag/);
    const free = await api.patch(id, { access_tags: [] });
    expect(free.body[0]).toMatchObject({ access_tags: [], version: 2 });
  });
});

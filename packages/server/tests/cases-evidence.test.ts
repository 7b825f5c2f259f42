import { expect, test } from "vitest";
import { type Case, casesSuite, noCase, paths } from "./support/cases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { type ErrorBody, messages } from "./support/session.ts";

const ids = (count: number, prefix = "alert"): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);

const shown = (stored: Case, kind: "alerts" | "events" | "leads") =>
  stored.evidence[kind].records?.map(({ selector }) => selector.id);

withPostgresAtNight((engine) => {
  const suite = casesSuite(engine);

  test("evidence is added once, and adding it again changes nothing", async () => {
    const api = await suite.open();
    await api.alerts("a", "b");
    await api.imported("events", [{ id: "e", timestamp: "2026-02-03T00:00:00Z" }]);
    const { id } = await api.stored();
    const first = await api.add("alerts", id, ["a", "a"]);
    expect(first.status, first.text).toBe(200);
    expect(first.body[0]).toMatchObject({
      version: 2,
      consistency: { consistent: true, version: 2 },
    });
    expect((await api.add("alerts", id, ["a"])).text).toBe(first.text);
    const both = await api.add("alerts", id, ["a", "b"]);
    expect(shown(both.body[0] as Case, "alerts")).toEqual(["a", "b"]);
    const event = await api.add("events", id, ["e"]);
    expect(event.body[0]).toMatchObject({
      version: 4,
      start_timestamp: "2026-02-01T00:00:00.000Z",
      end_timestamp: "2026-02-03T00:00:00.000Z",
      evidence: { events: { records: [{ selector: { id: "e" } }] } },
    });
    const unknown = await api.add<ErrorBody>("alerts", id, ["a", "none", "b", "other"]);
    expect(unknown.status).toBe(404);
    expect(unknown.body.errors.map((error) => error.id)).toEqual(["none", "other"]);
    expect((await api.add("events", noCase, ["e"])).status).toBe(404);
    expect((await api.read(id)).version).toBe(4);
  });

  test("a case has at most 100 pieces of evidence", async () => {
    const api = await suite.open();
    await api.alerts(...ids(101));
    const leads = ids(2, "lead").map((id) => ({ id }));
    const { id } = await api.stored({ evidence: { leads } });
    const full = await api.add("alerts", id, ids(98));
    expect(full.status, full.text).toBe(200);
    const tooMuch = await api.add<ErrorBody>("alerts", id, ["alert-99"]);
    expect(messages(tooMuch)).toEqual([
      "body.alerts: the case would have 101 pieces of evidence; it can have at most 100",
    ]);
    const created = await api.create<ErrorBody>({
      name: "x",
      severity: 1,
      evidence: { leads, alerts: ids(99).map((each) => ({ id: each })) },
    });
    expect(created.status).toBe(400);
  });

  test("a merge moves evidence and tags, closes the source and names the destination in it", async () => {
    const api = await suite.open();
    await api.alerts("a", "b");
    const source = await api.stored({
      name: "source",
      tags: ["x", "y"],
      evidence: { alerts: [{ id: "a" }, { id: "b" }], leads: [{ id: "l" }] },
    });
    const destination = await api.stored({
      name: "destination",
      tags: ["y", "z"],
      evidence: { alerts: [{ id: "b" }] },
    });
    const merged = await api.merge<{ meta: { writes: object } }>(source.id, destination.id);
    expect(merged.status, merged.text).toBe(200);
    expect(merged.body.meta.writes).toEqual({ resources_affected: 2 });
    const [from, into] = [await api.read(source.id), await api.read(destination.id)];
    expect(from).toMatchObject({
      status: "closed",
      tags: [],
      version: 2,
      read_only: { is_read_only: true, merged_into: destination.id },
    });
    expect(shown(from, "alerts")).toEqual([]);
    expect(into).toMatchObject({ name: "destination", status: "new", tags: ["y", "z", "x"] });
    expect(shown(into, "alerts")).toEqual(["b", "a"]);
    expect(shown(into, "leads")).toEqual(["l"]);
    expect((await api.search({ filter: "alerts:'a'" })).body).toEqual([destination.id]);
    const refusals = await Promise.all([
      api.patch<ErrorBody>(source.id, { name: "x" }),
      api.add<ErrorBody>("alerts", source.id, ["a"]),
      api.request<ErrorBody>("POST", paths.tags, { body: { id: source.id, tags: ["q"] } }),
      api.merge<ErrorBody>(source.id, destination.id),
      api.merge<ErrorBody>(destination.id, source.id),
    ]);
    for (const refused of refusals) {
      expect(refused.status).toBe(409);
      expect(messages(refused)[0]).toContain(`it was merged into ${destination.id}`);
    }
  });

  test("concurrent merges in a circle or of one source neither lose nor duplicate evidence", async () => {
    const api = await suite.open();
    await api.alerts("a", "b", "c", "d", "e");
    const stored = (id: string) => api.stored({ evidence: { alerts: [{ id }] } });
    const circle = await Promise.all(["a", "b", "c"].map(stored));
    const inCircle = await Promise.all(
      circle.map(({ id }, index) => api.merge(id, circle[(index + 1) % 3]?.id ?? "")),
    );
    // The first makes its source read-only, so the circle cannot close.
    expect(inCircle.map(({ status }) => status).toSorted()).toEqual([200, 200, 409]);
    const [source, ...destinations] = await Promise.all(["d", "e", "e"].map(stored));
    const fromOne = await Promise.all(
      destinations.map(({ id }) => api.merge(source?.id ?? "", id)),
    );
    expect(fromOne.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    for (const alert of ["a", "b", "c", "d"]) {
      expect((await api.search({ filter: `alerts:'${alert}'` })).body).toHaveLength(1);
    }
  });

  test("a merge into itself, into a closed case or beyond the limits is rejected", async () => {
    const api = await suite.open();
    const [one, other] = [await api.stored(), await api.stored()];
    const itself = await api.merge<ErrorBody>(one.id, one.id);
    expect(itself.status).toBe(400);
    expect(messages(itself)[0]).toContain("a case cannot be merged into itself");
    await api.patch(other.id, { status: "closed" });
    const closed = await api.merge<ErrorBody>(one.id, other.id);
    expect(closed.status).toBe(409);
    expect(messages(closed)[0]).toContain("is closed; reopen it before you merge into it");
    expect((await api.merge(one.id, noCase)).status).toBe(404);
    const leads = (count: number, prefix: string) => ids(count, prefix).map((id) => ({ id }));
    const [full, more] = [
      await api.stored({ evidence: { leads: leads(60, "p") }, tags: ["a".repeat(100)] }),
      await api.stored({ evidence: { leads: leads(60, "q") } }),
    ];
    const tooMuch = await api.merge<ErrorBody>(full.id, more.id);
    expect(tooMuch.status).toBe(400);
    expect(messages(tooMuch)[0]).toContain("120 pieces of evidence");
    const long = await api.stored({ tags: ["b".repeat(100)] });
    expect((await api.merge(full.id, long.id)).status).toBe(400);
    expect(await api.read(full.id)).toEqual(full);
  });

  test("imports cases once, with their references; invalid lines are reported", async () => {
    const api = await suite.open();
    await api.alerts("a");
    await api.accessTag("LEGAL", api.clientId);
    const user = await api.user("nadia");
    const line = (index: number, more: object = {}) => ({
      id: `00000000-0000-4000-8000-00000000000${index}`,
      name: `imported ${index}`,
      severity: 70,
      ...more,
    });
    const lines = [
      line(1, { evidence: { alerts: [{ id: "a" }] }, access_tags: [{ key: "LEGAL" }] }),
      line(2, { reference_id: "CSE-41", created_timestamp: "2025-01-02T03:04:05Z" }),
      line(3, { assigned_to_user_uuid: user.uuid, status: "closed" }),
      line(4, { evidence: { alerts: [{ id: "none" }] } }),
      line(5, { assigned_to_user_uuid: noCase }),
      line(6, { severity: undefined }),
      line(7, { reference_id: "CSE-41" }),
      line(8, { tags: ["t".repeat(129)] }),
    ];
    const outcome = await api.imported("cases", lines);
    expect(outcome).toMatchObject({ imported: 3, rejected: 5 });
    expect(outcome.problems.map(({ line: number }) => number)).toEqual([4, 5, 6, 7, 8]);
    expect(await api.found({ sort: "name.asc" })).toEqual([
      "imported 1",
      "imported 2",
      "imported 3",
    ]);
    expect(await api.read(line(1).id)).toMatchObject({
      reference_id: "CSE-1",
      created_by: { full_name: "Security Platform" },
      access_tags: [{ key: "LEGAL" }],
      analysis_results: { alerts: { records: [{ id: "a" }] } },
    });
    expect(await api.read(line(3).id)).toMatchObject({ assigned_to: { email: user.uid } });
    expect((await api.stored()).reference_id).toMatch(/^CSE-4[2-9]$/);
    expect(await api.imported("cases", lines.slice(0, 3))).toMatchObject({ unchanged: 3 });
    expect(await api.imported("cases", lines.slice(0, 3), true)).toMatchObject({ unchanged: 3 });
    const renamed = await api.imported("cases", [line(2, { name: "renamed" })], true);
    expect(renamed).toMatchObject({ updated: 1 });
    expect(await api.read(line(2).id)).toMatchObject({
      name: "renamed",
      reference_id: "CSE-41",
      created_timestamp: "2025-01-02T03:04:05.000Z",
      version: 2,
    });
  });
});

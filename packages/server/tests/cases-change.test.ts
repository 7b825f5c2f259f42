import { expect, test } from "vitest";
import { type Case, casesSuite, noCase } from "./support/cases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { minutes } from "./support/manual-clock.ts";
import { type ErrorBody, messages } from "./support/session.ts";

withPostgresAtNight((engine) => {
  const suite = casesSuite(engine);

  test("creates a case from the request, with defaults for absent members", async () => {
    const api = await suite.open();
    const answer = await api.create({ name: "Emberfall", severity_info: { level: "high" } });
    expect(answer.status, answer.text).toBe(201);
    const now = api.clock.now().toISOString();
    expect(answer.body[0]).toMatchObject({
      reference_id: "CSE-1",
      cid: api.tenant.cid,
      name: "Emberfall",
      description: "",
      description_format: "text",
      status: "new",
      severity: 60,
      severity_info: { level: "high" },
      tags: [],
      access_tags: [],
      evidence: { alerts: { records: [] } },
      fields: [],
      start_timestamp: now,
      read_only: { is_read_only: false },
      consistency: { consistent: true, version: 1 },
      version: 1,
      created_by: { uuid: api.clientId },
      creation_actor: { type: "api_client", user: { uuid: api.clientId } },
      created_timestamp: now,
    });
    expect(answer.body[0]).not.toHaveProperty("assigned_to");
    expect((await api.get(answer.body[0]?.id ?? "")).text).toBe(answer.text);
    expect((await api.stored()).reference_id).toBe("CSE-2");
    const other = await suite.open();
    expect((await other.stored()).reference_id).toBe("CSE-1");
  });

  test("numbers cases without gaps when some requests are rejected and many run concurrently", async () => {
    const api = await suite.open();
    const bodies = Array.from({ length: 12 }, (_, index) => ({
      name: `case ${index}`,
      severity: 10,
      ...(index % 3 === 0 ? { template: { id: "0".repeat(32) } } : {}),
    }));
    const answers = await Promise.all(bodies.map((body) => api.create(body)));
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(4);
    const numbers = answers.flatMap(({ status, body }) =>
      status === 201 ? body.map(({ reference_id }) => Number(reference_id.slice(4))) : [],
    );
    expect(numbers.toSorted((a, b) => a - b)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });

  test("severity and level agree", async () => {
    const api = await suite.open();
    const levels: readonly (readonly [number, string])[] = [
      [1, "informational"],
      [19, "informational"],
      [20, "low"],
      [39, "low"],
      [40, "medium"],
      [60, "high"],
      [79, "high"],
      [80, "critical"],
      [100, "critical"],
    ];
    const stored = await api.stored();
    for (const [severity, level] of levels) {
      const { body } = await api.patch(stored.id, { severity });
      expect(body[0]).toMatchObject({ severity, severity_info: { level } });
    }
    const wrong = await api.patch<ErrorBody>(stored.id, {
      severity: 90,
      severity_info: { level: "low" },
    });
    expect(wrong.status).toBe(400);
    expect(messages(wrong)).toEqual([
      "body.fields.severity_info.level: 90 is critical, not low; send one of severity and severity_info",
    ]);
  });

  test("a patch changes only its members, increases the version and records its author", async () => {
    const api = await suite.open();
    const user = await api.user("nadia");
    const before = await api.stored({ description: "first", tags: ["a"] });
    api.clock.advance(minutes(1));
    const changed = await api.patch(before.id, {
      description: "",
      status: "in_progress",
      assigned_to_user_uuid: user.uuid,
    });
    expect(changed.status, changed.text).toBe(200);
    expect(changed.body).toEqual([
      {
        ...before,
        description: "",
        status: "in_progress",
        assigned_to: { uuid: user.uuid, full_name: "nadia Tester", email: user.uid },
        version: 2,
        updated_timestamp: api.clock.now().toISOString(),
      },
    ]);
    const same = await api.patch(before.id, { status: "in_progress" });
    expect(same.text).toBe(changed.text);
    const removed = await api.patch(before.id, { remove_user_assignment: true });
    expect(removed.body[0]).not.toHaveProperty("assigned_to");
    const both = await api.patch<ErrorBody>(before.id, {
      remove_user_assignment: true,
      assigned_to_user_uuid: user.uuid,
    });
    expect(messages(both)[0]).toMatch(/remove_user_assignment: cannot be combined/);
    const nobody = await api.patch<ErrorBody>(before.id, { assigned_to_user_uuid: noCase });
    expect(messages(nobody)).toEqual([
      `body.fields.assigned_to_user_uuid: there is no user ${noCase}`,
    ]);
  });

  test("another status reopens a closed case", async () => {
    const api = await suite.open();
    const { id } = await api.stored();
    const statuses = [];
    for (const status of ["in_progress", "closed", "new", "closed", "closed", "reopened"]) {
      const { body } = await api.patch(id, { status });
      statuses.push(body[0]?.status);
    }
    expect(statuses).toEqual(["in_progress", "closed", "reopened", "closed", "closed", "reopened"]);
  });

  test("of concurrent patches with the same expected version, one is accepted", async () => {
    const api = await suite.open();
    const { id } = await api.stored();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        api.patch<ErrorBody | readonly Case[]>(id, { name: `n${index}` }, { expected_version: 1 }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 409),
    ]);
    const refused = answers.find(({ status }) => status === 409) as { body: ErrorBody };
    expect(refused.body.errors[0]?.message).toContain("version 2, not 1");
    expect((await api.read(id)).version).toBe(2);
    const stale = await api.patch<ErrorBody>(
      id,
      { name: "x" },
      { expected_consistency_version: 9 },
    );
    expect(messages(stale)[0]).toMatch(/^body\.expected_consistency_version: .*version 1, not 9/);
  });

  test("the error for a flat patch names the missing member fields, and nothing changes", async () => {
    const api = await suite.open();
    const { id, version } = await api.stored();
    const flat = await api.request<ErrorBody>("PATCH", "/cases/entities/cases/v2", {
      body: { id, status: "closed", name: "flat" },
    });
    expect(flat.status).toBe(400);
    expect(messages(flat).join("\n")).toMatch(/body\.fields: is required/);
    expect((await api.read(id)).version).toBe(version);
  });

  test("tags are added once, removed if present, and have 128 characters together", async () => {
    const api = await suite.open();
    const { id } = await api.stored({ tags: ["a", "b", "a"] });
    const add = (tags: readonly string[]) =>
      api.request<readonly Case[]>("POST", "/cases/entities/case-tags/v1", { body: { id, tags } });
    expect((await add(["c", "b", "c"])).body[0]).toMatchObject({
      tags: ["a", "b", "c"],
      version: 2,
    });
    expect((await add(["a"])).body[0]?.version).toBe(2);
    const removed = await api.request<readonly Case[]>("DELETE", "/cases/entities/case-tags/v1", {
      query: { id, tag: ["a", "none"] },
    });
    expect(removed.body[0]).toMatchObject({ tags: ["b", "c"], version: 3 });
    expect((await add(["é".repeat(126)])).status).toBe(200);
    const tooLong = await add(["x"]);
    expect(tooLong.status).toBe(400);
    expect(tooLong.text).toContain("129 characters in total; at most 128");
  });

  test("records named by a new case must exist; otherwise nothing is stored", async () => {
    const api = await suite.open();
    await api.alerts("known");
    const answer = await api.create<ErrorBody>({
      name: "x",
      severity: 1,
      template: { id: "0".repeat(32) },
      access_tags: [{ key: "SECRET" }],
      evidence: { alerts: [{ id: "known" }, { id: "unknown" }], events: [{ id: "none" }] },
    });
    expect(answer.status).toBe(400);
    expect(messages(answer)).toEqual([
      "body.access_tags[0]: there is no access tag SECRET; a template creates access tags",
      "body.evidence.alerts[1].id: there is no alert unknown",
      "body.evidence.events[0].id: there is no event none",
      `body.template.id: there is no template ${"0".repeat(32)}`,
    ]);
    expect((await api.search({})).body).toEqual([]);
    const neither = await api.create<ErrorBody>({ name: "x" });
    expect(neither.status).toBe(400);
  });

  test("unknown cases and cases of other tenants are not found", async () => {
    const api = await suite.open();
    const ownCase = await api.stored();
    const other = await suite.open();
    const foreign = await other.stored();
    const answer = await api.get<ErrorBody>(foreign.id, ownCase.id, noCase);
    expect(answer.status).toBe(404);
    expect(answer.body.errors.map(({ id }) => id)).toEqual([foreign.id, noCase]);
    expect(answer.body.resources).toEqual([ownCase]);
    expect((await api.patch(foreign.id, { name: "mine" })).status).toBe(404);
    expect((await api.merge(foreign.id, ownCase.id)).status).toBe(404);
    expect(await other.read(foreign.id)).toEqual(foreign);
  });
});

import { expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { nobody, paths, policy, preventionSuite, toggle, valueOf } from "./support/prevention.ts";
import { type ErrorBody, messages } from "./support/session.ts";

withPostgresAtNight((engine) => {
  const suite = preventionSuite(engine);

  test("listed members change, others stay, and the author is recorded", async () => {
    const api = await suite.open();
    const before = await api.one(
      policy("A", { description: "Old", settings: [toggle("NextGenAV")] }),
    );
    api.clock.advance(60_000);
    const answer = await api.update({ id: before.id, settings: [toggle("DetectOnWrite")] });
    expect(answer.status, answer.text).toBe(200);
    const [after] = answer.body;
    if (after === undefined) throw new Error("nothing was changed");
    expect(after).toEqual({
      ...before,
      prevention_settings: expect.any(Array),
      modified_by: api.clientId,
      modified_timestamp: api.clock.now().toISOString(),
    });
    expect(valueOf(after, "NextGenAV")).toEqual({ enabled: true });
    expect(valueOf(after, "DetectOnWrite")).toEqual({ enabled: true });
    const [named] = (await api.update({ id: before.id, name: "B", description: "" })).body;
    expect(named).toMatchObject({ name: "B", description: "" });
    expect(named?.prevention_settings).toEqual(after.prevention_settings);
    expect((await api.get(before.id)).body).toEqual([named]);
  });

  test("several policies at once, all or none, in the requested order", async () => {
    const api = await suite.open();
    const [a, b] = await api.stored(policy("A"), policy("B", { platform_name: "Mac" }));
    if (a === undefined || b === undefined) throw new Error("nothing was created");
    const answer = await api.update({ id: b.id, name: "B2" }, { id: a.id, name: "A2" });
    expect(answer.body.map(({ name }) => name)).toEqual(["B2", "A2"]);
    const bad = await api.update<ErrorBody>(
      { id: a.id, name: "A3" },
      { id: b.id, settings: [toggle("MemoryScan")] },
      { id: b.id, name: "B3" },
    );
    expect(bad.status).toBe(400);
    expect(messages(bad)).toEqual([
      "body.resources[2].id: is the policy of body.resources[1] already; send its changes together",
    ]);
    const other = await api.update<ErrorBody>(
      { id: a.id, name: "A3" },
      { id: b.id, settings: [toggle("MemoryScan")] },
    );
    expect(other.status).toBe(400);
    expect(other.body.errors).toEqual([
      {
        code: 400,
        id: b.id,
        message: "body.resources[1].settings[0].id: MemoryScan is not a setting of Mac",
      },
    ]);
    expect(await api.order()).toEqual(["A2", "platform_default"]);
  });

  test("the rules apply to the result", async () => {
    const api = await suite.open();
    const { id } = await api.one(
      policy("A", { settings: [toggle("MemoryScan"), toggle("CPUMemoryScan")] }),
    );
    const refused = await api.update<ErrorBody>({ id, settings: [toggle("MemoryScan", false)] });
    expect(refused.status).toBe(400);
    expect(messages(refused)).toEqual([
      "body.resources[0].settings[0].value: MemoryScan cannot be off while CPUMemoryScan is on; turn CPUMemoryScan off as well",
    ]);
    const both = [toggle("MemoryScan", false), toggle("CPUMemoryScan", false)];
    expect((await api.update({ id, settings: both })).status).toBe(200);
    const slider = await api.update<ErrorBody>({
      id,
      settings: [{ id: "AdwarePUP", value: { detection: "DISABLED", prevention: "CAUTIOUS" } }],
    });
    expect(slider.status).toBe(400);
  });

  test("existing names, swapped names, and changes in case only", async () => {
    const api = await suite.open();
    const [a, b] = await api.stored(policy("A"), policy("B"));
    if (a === undefined || b === undefined) throw new Error("nothing was created");
    const duplicate = await api.update<ErrorBody>({ id: a.id, name: "b" });
    expect(duplicate.status).toBe(409);
    expect(duplicate.body.errors[0]?.id).toBe(b.id);
    expect(messages(duplicate)[0]).toContain("Windows already has a policy called b");
    const twice = await api.update<ErrorBody>({ id: a.id, name: "C" }, { id: b.id, name: "c" });
    expect(twice.status).toBe(409);
    expect(messages(twice)[0]).toContain(", body.resources[0]");
    expect((await api.update({ id: a.id, name: "a" })).status).toBe(200);
    expect((await api.update({ id: a.id, name: "B" }, { id: b.id, name: "a" })).status).toBe(200);
    expect(await api.order()).toEqual(["B", "a", "platform_default"]);
  });

  test("a default policy accepts other settings, but no other name", async () => {
    const api = await suite.open();
    const { id } = await api.defaultOf("Linux");
    const settings = [toggle("DBusVisibility")];
    const answer = await api.update({
      id,
      description: "Ours",
      name: "platform_default",
      settings,
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.body[0] && valueOf(answer.body[0], "DBusVisibility")).toEqual({ enabled: true });
    for (const name of ["Mine", "PLATFORM_DEFAULT"]) {
      const refused = await api.update<ErrorBody>({ id, name });
      expect(refused.status).toBe(409);
      expect(refused.body.errors[0]).toMatchObject({ id, code: 409 });
      expect(messages(refused)[0]).toContain("the default policy of Linux keeps the name");
    }
  });

  test("an unknown policy, or one of another tenant", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const own = await api.one(policy("A"));
    const foreign = await other.one(policy("A"));
    const answer = await api.update<ErrorBody>(
      { id: own.id, name: "B" },
      { id: foreign.id, name: "B" },
      { id: nobody, name: "C" },
    );
    expect(answer.status).toBe(404);
    expect(answer.body.errors.map(({ id }) => id)).toEqual([foreign.id, nobody]);
    expect(await api.order()).toEqual(["A", "platform_default"]);
    expect(await other.order()).toEqual(["A", "platform_default"]);
  });

  test.each([
    ["no changes", { resources: [] }, /^body\.resources: expected 1 to 100 items/],
    ["no id", { resources: [{ name: "A" }] }, /^body\.resources\[0\]\.id: is required$/],
    ["a malformed id", { resources: [{ id: "A" }] }, /^body\.resources\[0\]\.id: expected/],
    [
      "a platform, which cannot change",
      { resources: [{ id: nobody, platform_name: "Mac" }] },
      /^body\.resources\[0\]\.platform_name: unknown field/,
    ],
    ["null for a name", { resources: [{ id: nobody, name: null }] }, /^body\.resources\[0\]\.name/],
  ])("a request with %s", async (_, body, message) => {
    const api = await suite.open();
    const answer = await api.request<ErrorBody>("PATCH", paths.policies, { body });
    expect(answer.status).toBe(400);
    expect(messages(answer)[0]).toMatch(message);
  });

  test("concurrent changes to one policy are all kept", async () => {
    const api = await suite.open();
    const { id } = await api.one(policy("A"));
    const ids = [
      "NextGenAV",
      "MemoryScan",
      "DetectOnWrite",
      "BackupDeletion",
      "Cryptowall",
      "FileEncryption",
      "WSL2Visibility",
      "IntelPrevention",
    ] as const;
    const answers = await Promise.all(
      ids.map((setting) => api.update({ id, settings: [toggle(setting)] })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(ids.length).fill(200));
    const [after] = (await api.get(id)).body;
    const off = ids.filter((setting) => !isOn(after && valueOf(after, setting)));
    expect(off).toEqual([]);
  });
});

const isOn = (value: unknown): boolean => (value as { enabled?: boolean }).enabled === true;

import { expect, test } from "vitest";
import { withPostgresAtNight } from "./support/engines.ts";
import { nobody, policy, preventionSuite, toggle, valueOf } from "./support/prevention.ts";
import { type ErrorBody, messages } from "./support/session.ts";

withPostgresAtNight((engine) => {
  const suite = preventionSuite(engine);

  test("a new policy is disabled, has no groups, every setting of its platform, and its author", async () => {
    const api = await suite.open();
    const answer = await api.create(
      policy("First", {
        description: "Why",
        settings: [
          toggle("DetectOnWrite"),
          { id: "OnSensorMLSlider", value: { detection: "AGGRESSIVE", prevention: "MODERATE" } },
          { id: "CloudAntiMalware", value: { detection: "CAUTIOUS" } },
          { id: "ExtendedUserModeDataSlider", value: { detection: "MODERATE" } },
        ],
      }),
      policy("Second", { platform_name: "iOS" }),
    );
    expect(answer.status, answer.text).toBe(201);
    const [first, second] = answer.body;
    const now = api.clock.now().toISOString();
    expect(first).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      cid: api.tenant.cid,
      name: "First",
      description: "Why",
      platform_name: "Windows",
      enabled: false,
      groups: [],
      ioa_rule_groups: [],
      prevention_settings: expect.any(Array),
      created_by: api.clientId,
      created_timestamp: now,
      modified_by: api.clientId,
      modified_timestamp: now,
    });
    if (first === undefined) throw new Error("nothing was created");
    expect(first.prevention_settings.flatMap(({ settings }) => settings)).toHaveLength(67);
    expect(valueOf(first, "DetectOnWrite")).toEqual({ enabled: true });
    expect(valueOf(first, "NextGenAV")).toEqual({ enabled: false });
    expect(valueOf(first, "OnSensorMLSlider")).toEqual({
      detection: "AGGRESSIVE",
      prevention: "MODERATE",
    });
    expect(valueOf(first, "CloudAntiMalware")).toEqual({
      detection: "CAUTIOUS",
      prevention: "DISABLED",
    });
    expect(valueOf(first, "AdwarePUP")).toEqual({ detection: "DISABLED", prevention: "DISABLED" });
    expect(valueOf(first, "ExtendedUserModeDataSlider")).toEqual({ detection: "MODERATE" });
    expect(valueOf(first, "CloudBasedAnomalousProcessExecution")).toEqual({
      detection: "DISABLED",
    });
    expect(second).toMatchObject({ description: "", prevention_settings: [] });
    expect((await api.get(first.id)).body).toEqual([first]);
  });

  test("`configured` is accepted and not returned", async () => {
    const api = await suite.open();
    const settings = [{ id: "NextGenAV", value: { enabled: true, configured: true } }];
    const [created] = (await api.create({ ...policy("A"), settings })).body;
    expect(created && valueOf(created, "NextGenAV")).toEqual({ enabled: true });
  });

  test("clone_id copies settings and description, but not groups and state", async () => {
    const api = await suite.open();
    const group = await api.addGroup("Lab");
    const model = await api.one(
      policy("Model", {
        description: "Of the model",
        settings: [toggle("NextGenAV"), toggle("DetectOnWrite"), toggle("QuarantineOnWrite")],
      }),
    );
    await api.act("add-host-group", [model.id], { group_id: group.id });
    await api.act("enable", [model.id]);
    const [copy, own] = await api.stored(
      policy("Copy", { clone_id: model.id }),
      policy("Own", {
        clone_id: model.id,
        description: "",
        settings: [toggle("QuarantineOnWrite", false), toggle("MemoryScan")],
      }),
    );
    if (copy === undefined || own === undefined) throw new Error("nothing was created");
    expect(copy.prevention_settings).toEqual(model.prevention_settings);
    expect(copy).toMatchObject({ enabled: false, groups: [], description: "Of the model" });
    expect(own.description).toBe("");
    expect(valueOf(own, "NextGenAV")).toEqual({ enabled: true });
    expect(valueOf(own, "QuarantineOnWrite")).toEqual({ enabled: false });
    expect(valueOf(own, "MemoryScan")).toEqual({ enabled: true });
    const standard = await api.defaultOf("Mac");
    const clone = await api.one(policy("A", { platform_name: "Mac", clone_id: standard.id }));
    expect(clone.prevention_settings).toEqual(standard.prevention_settings);
  });

  test("a clone of an unknown policy, or of another platform", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const foreign = await other.one(policy("Foreign"));
    const model = await api.one(policy("Model"));
    for (const clone_id of [nobody, foreign.id]) {
      const answer = await api.create<ErrorBody>(policy("A", { clone_id }));
      expect(answer.status).toBe(404);
      expect(answer.body.errors).toEqual([
        { code: 404, id: clone_id, message: `prevention policy ${clone_id} not found` },
      ]);
    }
    const answer = await api.create<ErrorBody>(
      policy("A"),
      policy("B", { platform_name: "Linux", clone_id: model.id }),
    );
    expect(answer.status).toBe(400);
    expect(messages(answer)).toEqual([
      `body.resources[1].clone_id: expected a policy of Linux; ${model.id} is one of Windows`,
    ]);
    expect(await api.order()).toEqual(["Model", "platform_default"]);
  });

  test("a name that exists on the platform, ignoring case, and twice in one request", async () => {
    const api = await suite.open();
    const stored = await api.one(policy("Straße"));
    const duplicate = await api.create<ErrorBody>(
      policy("New"),
      policy("STRASSE"),
      policy("straße"),
      policy("Platform_Default"),
      policy("NEW"),
    );
    expect(duplicate.status).toBe(409);
    const [folded, standard, twice] = messages(duplicate);
    expect(duplicate.body.errors[0]?.id).toBe(stored.id);
    expect(folded).toContain(
      `body.resources[2].name: Windows already has a policy called straße, ${stored.id}`,
    );
    expect(standard).toContain(
      "body.resources[3].name: Windows already has a policy called Platform_Default",
    );
    expect(twice).toContain(
      "body.resources[4].name: Windows already has a policy called NEW, body.resources[0]",
    );
    expect(await api.order()).toEqual(["Straße", "platform_default"]);
    expect((await api.create(policy("straße", { platform_name: "Mac" }))).status).toBe(201);
  });

  test("of concurrent calls with one name exactly one succeeds", async () => {
    const api = await suite.open();
    const answers = await Promise.all(Array.from({ length: 8 }, () => api.create(policy("Race"))));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(7).fill(409)]);
    expect(await api.order()).toEqual(["Race", "platform_default"]);
  });

  test.each([
    [
      "an unknown id",
      { id: "ProcessHolowing", value: { enabled: true } },
      /^body\.resources\[0\]\.settings\[0\]\.id: expected one of .*; did you mean ProcessHollowing\?$/,
    ],
    [
      "an id in another case",
      { id: "nextgenav", value: { enabled: true } },
      /did you mean NextGenAV\?$/,
    ],
    [
      "one of another platform",
      { id: "DBusVisibility", value: { enabled: true } },
      /^body\.resources\[0\]\.settings\[0\]\.id: DBusVisibility is not a setting of Windows/,
    ],
    [
      "one of another platform with a near name",
      { id: "FirmwareDeepVisibility", value: { enabled: true } },
      /is not a setting of Windows/,
    ],
    [
      "a slider's value for a toggle",
      { id: "NextGenAV", value: { detection: "MODERATE" } },
      /^body\.resources\[0\]\.settings\[0\]\.value: expected \{"enabled": true or false\}, because NextGenAV is a toggle$/,
    ],
    [
      "a toggle's value for a slider",
      { id: "AdwarePUP", value: { enabled: true } },
      /value: expected \{"detection", "prevention"\}, because AdwarePUP is an mlslider$/,
    ],
    [
      "a toggle's value for one that only detects",
      { id: "ExtendedUserModeDataSlider", value: { enabled: true } },
      /value: expected \{"detection"\}, because/,
    ],
    [
      "prevention of what only detects",
      {
        id: "ExtendedUserModeDataSlider",
        value: { detection: "MODERATE", prevention: "DISABLED" },
      },
      /value: expected \{"detection"\} alone, because ExtendedUserModeDataSlider only detects$/,
    ],
    [
      "prevention above detection",
      { id: "AdwarePUP", value: { detection: "CAUTIOUS", prevention: "MODERATE" } },
      /value: prevention of AdwarePUP cannot be MODERATE with detection at CAUTIOUS/,
    ],
    [
      "an unknown level",
      { id: "AdwarePUP", value: { detection: "EXTREME" } },
      /settings\[0\]\.value/,
    ],
    [
      "a level in another case",
      { id: "AdwarePUP", value: { detection: "moderate" } },
      /settings\[0\]\.value/,
    ],
    ["a text for true", { id: "NextGenAV", value: { enabled: "true" } }, /settings\[0\]\.value/],
    ["no value", { id: "NextGenAV" }, /settings\[0\]\.value: is required$/],
    [
      "both kinds of value",
      { id: "NextGenAV", value: { enabled: true, detection: "MODERATE" } },
      /settings\[0\]\.value/,
    ],
    [
      "what it needs is missing",
      toggle("ProcessHollowing"),
      /^body\.resources\[0\]\.settings\[0\]\.value: ProcessHollowing cannot be on without AdditionalUserModeData; turn AdditionalUserModeData on as well$/,
    ],
  ])("a setting: %s", async (_, setting, message) => {
    const api = await suite.open();
    const answer = await api.create<ErrorBody>({ ...policy("A"), settings: [setting] });
    expect(answer.status).toBe(400);
    expect(messages(answer)).toEqual([expect.stringMatching(message)]);
    expect(await api.order()).toEqual(["platform_default"]);
  });

  test("all invalid settings of all policies are reported at once", async () => {
    const api = await suite.open();
    const answer = await api.create<ErrorBody>(
      policy("A", { settings: [toggle("NextGenAV"), toggle("XPCOMShell"), toggle("NextGenAV")] }),
      policy("B", { platform_name: "Android", settings: [toggle("NextGenAV")] }),
      policy("C", { platform_name: "Linux", settings: [toggle("QuarantinePackageOnWrite")] }),
    );
    expect(answer.status).toBe(400);
    expect(messages(answer)).toEqual([
      "body.resources[0].settings[1].id: XPCOMShell is not a setting of Windows",
      "body.resources[0].settings[2].id: NextGenAV is already in the list, as body.resources[0].settings[0]; send it once",
      "body.resources[1].settings[0].id: Android has no settings, so NextGenAV is unknown",
      "body.resources[2].settings[0].value: QuarantinePackageOnWrite cannot be on without DetectPackageOnWrite; turn DetectPackageOnWrite on as well",
      "body.resources[2].settings[0].value: QuarantinePackageOnWrite cannot be on without NextGenAV; turn NextGenAV on as well",
    ]);
  });

  test.each([
    ["no policies", { resources: [] }, /^body\.resources: expected 1 to 100 items/],
    [
      "too many",
      { resources: Array.from({ length: 101 }, (_, index) => policy(`P${index}`)) },
      /^body\.resources: expected 1 to 100 items/,
    ],
    ["nothing", {}, /^body\.resources: is required$/],
    [
      "no name",
      { resources: [{ platform_name: "Windows" }] },
      /^body\.resources\[0\]\.name: is required$/,
    ],
    [
      "an empty name",
      { resources: [policy("")] },
      /^body\.resources\[0\]\.name: expected a text of 1 to 256 characters/,
    ],
    [
      "no platform",
      { resources: [{ name: "A" }] },
      /^body\.resources\[0\]\.platform_name: is required$/,
    ],
    [
      "an unknown platform",
      { resources: [{ name: "A", platform_name: "windows" }] },
      /^body\.resources\[0\]\.platform_name: expected one of Windows, Mac, Linux, iOS, Android/,
    ],
    [
      "an unknown member",
      { resources: [{ ...policy("A"), enabled: true }] },
      /^body\.resources\[0\]\.enabled: unknown field/,
    ],
    [
      "a malformed clone_id",
      { resources: [{ ...policy("A"), clone_id: "x" }] },
      /^body\.resources\[0\]\.clone_id: expected/,
    ],
  ])("a request with %s", async (_, body, message) => {
    const api = await suite.open();
    const answer = await api.request<ErrorBody>("POST", "/policy/entities/prevention/v1", { body });
    expect(answer.status).toBe(400);
    expect(messages(answer)[0]).toMatch(message);
  });

  test("new policies are placed after the others of their platform, before the default policy", async () => {
    const api = await suite.open();
    await api.stored(policy("A"), policy("M", { platform_name: "Mac" }), policy("B"));
    await api.stored(policy("C"));
    expect(await api.order()).toEqual(["A", "B", "C", "platform_default"]);
    expect(await api.order("Mac")).toEqual(["M", "platform_default"]);
    expect(await api.ids({ filter: "precedence:3" })).toHaveLength(1);
  });

  test("the audit trail contains the author", async () => {
    const api = await suite.open();
    const { id } = await api.one(policy("A"));
    const [entry] = await api.store.directory.auditEntries({ cid: api.tenant.cid, limit: 1 });
    expect(entry).toMatchObject({
      actor: api.clientId,
      operation: "createPreventionPolicies",
      ids: [id],
    });
  });
});

import { expect, test } from "vitest";
import { inputs, nothing } from "./support/data-protection.ts";
import { policySuite, type PolicySession } from "./support/data-protection-policies.ts";
import { forEachEngine } from "./support/engines.ts";
import { messages, type ErrorBody } from "./support/session.ts";

const place = "body.resources[0].classification_properties";

/** One live record of each kind that a classification can name, by the member that names it. */
async function surroundings(api: PolicySession) {
  const pattern = await api.stored("content-patterns", inputs["content-patterns"]("Numbers"));
  const label = await api.stored("labels", inputs.labels("Secret"));
  const source = await api.stored("web-locations", inputs["web-locations"]("Source"));
  const target = await api.stored("web-locations", inputs["web-locations"]("Target"));
  const group = await api.stored("local-application-groups", { name: "Editors" });
  const type = await api.known("file-types", "PDF");
  return { pattern, label, source, target, group, type };
}

const screen = {
  evidence_duplication_enabled: true,
  rules: [{ enable_screen_capture_rule: true }],
};

forEachEngine((engine) => {
  const suite = policySuite(() => engine.url());

  test("a classification gets all defaults and its author", async () => {
    const api = await suite.open();
    const answer = await api.classify(
      { name: "Bare" },
      { name: "With a rule", classification_properties: { rules: [{ id: "" }] } },
    );
    expect(answer.status, answer.text).toBe(201);
    const now = api.clock.now().toISOString();
    const id = expect.stringMatching(/^[0-9a-f]{32}$/);
    const properties = {
      protection_mode: "monitor",
      content_patterns: [],
      content_patterns_operator: "or",
      file_types: [],
      sensitivity_labels: [],
      web_sources: [],
      win_file_path_patterns: [],
      mac_file_path_patterns: [],
      scan_profiles: [],
      evidence_duplication_enabled: false,
      rules: [] as readonly object[],
    };
    const bare = {
      id,
      cid: api.tenant.cid,
      name: "Bare",
      classification_properties: properties,
      created_at: now,
      created_by: api.clientId,
      modified_at: now,
      modified_by: api.clientId,
    };
    const rule = {
      id,
      description: "",
      response_action: "allow",
      trigger_detection: false,
      detection_severity: "informational",
      notify_end_user: false,
      user_scope: "all",
      ad_users: [],
      ad_groups: [],
      enable_web_locations: false,
      web_locations_scope: "all",
      web_locations: [],
      enable_usb_devices: false,
      enable_printer_egress: false,
      enable_local_application_groups: false,
      local_application_groups: [],
      enable_screen_capture_rule: false,
      created_time_stamp: now,
      modified_time_stamp: now,
    };
    expect(answer.body).toEqual([
      bare,
      {
        ...bare,
        name: "With a rule",
        classification_properties: { ...properties, rules: [rule] },
      },
    ]);
    const ids = answer.body.map((each) => each.id);
    expect((await api.getClassifications(...ids.toReversed(), ids[1] ?? "")).body).toEqual(
      answer.body.toReversed(),
    );
    const [entry] = await api.trail();
    expect(entry).toEqual({ operation: "entities.classification.post.v2", ids });
  });

  test("whatever it names stays as long as it names it", async () => {
    const api = await suite.open();
    const { pattern, label, source, target, group, type } = await surroundings(api);
    const first = await api.classified({
      name: "First",
      classification_properties: {
        content_patterns: [pattern.id],
        content_patterns_operator: "and",
        file_types: [type.id],
        sensitivity_labels: [label.id],
        web_sources: [source.id],
        rules: [
          {
            enable_web_locations: true,
            web_locations_scope: "specific",
            web_locations: [target.id],
          },
          { enable_local_application_groups: true, local_application_groups: [group.id] },
        ],
      },
    });
    const second = await api.classified({
      name: "Second",
      classification_properties: { content_patterns: [pattern.id] },
    });
    const uses = [
      ["content-patterns", pattern, "content pattern", [first, second]],
      ["labels", label, "sensitivity label", [first]],
      ["web-locations", source, "web location", [first]],
      ["web-locations", target, "web location", [first]],
      ["local-application-groups", group, "local application group", [first]],
    ] as const;
    for (const [kind, used, noun, users] of uses) {
      const answer = await api.remove<typeof kind, ErrorBody>(kind, used.id);
      expect(answer.status, answer.text).toBe(409);
      expect(messages(answer).toSorted()).toEqual(
        users
          .map(
            ({ id, name }) =>
              `the ${noun} ${used.id}, ${used.name}, is in use by the classification ${id}, ${name}; change that one first`,
          )
          .toSorted(),
      );
    }
    const emptied = {
      content_patterns: [],
      file_types: [],
      sensitivity_labels: [],
      web_sources: [],
      rules: [],
    };
    const answer = await api.reclassify({ id: first.id, classification_properties: emptied });
    expect(answer.status, answer.text).toBe(200);
    expect((await api.declassify(second.id)).body).toEqual([second]);
    for (const [kind, { id }] of uses) {
      expect((await api.remove(kind, id)).status).toBe(200);
    }
    expect((await api.getClassifications(second.id)).status).toBe(404);
  });

  test("what does not exist, is deleted or is another tenant's is named, all of it", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const foreign = await surroundings(other);
    const gone = await api.stored("content-patterns", inputs["content-patterns"]("Gone"));
    await api.remove("content-patterns", gone.id);
    const answer = await api.classify<ErrorBody>(
      {
        name: "First",
        classification_properties: {
          content_patterns: [gone.id, foreign.pattern.id],
          file_types: [nothing],
          sensitivity_labels: [foreign.label.id],
          web_sources: [foreign.source.id],
          rules: [{}, { web_locations: [foreign.target.id], local_application_groups: [nothing] }],
        },
      },
      { name: "Second", classification_properties: { content_patterns: [nothing] } },
    );
    expect(answer.status).toBe(400);
    expect(messages(answer).toSorted()).toEqual(
      [
        `${place}.content_patterns[0]: the content pattern ${gone.id} is deleted`,
        `${place}.content_patterns[1]: there is no content pattern ${foreign.pattern.id}`,
        `${place}.file_types[0]: there is no file type ${nothing}`,
        `${place}.sensitivity_labels[0]: there is no sensitivity label ${foreign.label.id}`,
        `${place}.web_sources[0]: there is no web location ${foreign.source.id}`,
        `${place}.rules[1].web_locations[0]: there is no web location ${foreign.target.id}`,
        `${place}.rules[1].local_application_groups[0]: there is no local application group ${nothing}`,
        `body.resources[1].classification_properties.content_patterns[0]: there is no content pattern ${nothing}`,
      ].toSorted(),
    );
    expect(await api.classificationIds()).toEqual([]);
    const { id } = await api.classified({ name: "A" });
    const change = { id, classification_properties: { web_sources: [nothing] } };
    const changed = await api.reclassify<ErrorBody>(change);
    expect(changed.status).toBe(400);
    expect(messages(changed)).toEqual([
      `${place}.web_sources[0]: there is no web location ${nothing}`,
    ]);
  });

  test.each([
    [
      "a specific scope of users without users",
      { user_scope: "specific" },
      "user_scope: specific needs at least one of ad_users or ad_groups",
    ],
    [
      "a specific scope of web locations without any",
      { enable_web_locations: true, web_locations_scope: "specific" },
      "web_locations_scope: specific needs at least one of web_locations",
    ],
    [
      "recording of the screen without evidence",
      { enable_screen_capture_rule: true },
      "enable_screen_capture_rule: needs evidence_duplication_enabled of the classification",
    ],
    [
      "an id of no rule",
      { id: nothing },
      `id: the classification has no rule ${nothing}; leave the id out to make a new one`,
    ],
  ])("a rule with %s", async (_, rule, message) => {
    const api = await suite.open();
    const properties = { rules: [{}, rule] };
    const answer = await api.classify<ErrorBody>({
      name: "A",
      classification_properties: properties,
    });
    expect(answer.status).toBe(400);
    expect(messages(answer)).toEqual([`${place}.rules[1].${message}`]);
    const { id } = await api.classified({ name: "A" });
    const changed = await api.reclassify<ErrorBody>({ id, classification_properties: properties });
    expect(changed.status).toBe(400);
    expect(messages(changed)).toEqual(messages(answer));
  });

  test("scopes that name something, and those that are off, are fine", async () => {
    const api = await suite.open();
    const sid = "S-1-5-21-1004336348-1177238915-682003330-512";
    const { classification_properties } = await api.classified({
      name: "A",
      classification_properties: {
        rules: [
          { user_scope: "specific", ad_users: [sid] },
          { user_scope: "specific", ad_groups: [sid] },
          { enable_web_locations: false, web_locations_scope: "specific" },
          { created_time_stamp: "yesterday", modified_time_stamp: "" },
        ],
      },
    });
    const now = api.clock.now().toISOString();
    expect(classification_properties.rules.map((rule) => rule.created_time_stamp)).toEqual(
      Array(4).fill(now),
    );
  });

  test.each([
    ["no resources", { resources: [] }, /^body\.resources: expected 1 to 100 items/],
    ["no name", { resources: [{}] }, /^body\.resources\[0\]\.name: is required/],
    [
      "a mode that is none",
      { resources: [{ name: "a", classification_properties: { protection_mode: "off" } }] },
      /protection_mode: expected one of monitor, simulate, enforce, got "off"/,
    ],
    [
      "a malformed id",
      { resources: [{ name: "a", classification_properties: { file_types: ["x"] } }] },
      /file_types\[0\]: expected/,
    ],
    [
      "a pattern twice",
      {
        resources: [
          { name: "a", classification_properties: { content_patterns: [nothing, nothing] } },
        ],
      },
      /content_patterns: expected items that differ/,
    ],
    [
      "sixteen groups of applications",
      {
        resources: [
          {
            name: "a",
            classification_properties: {
              rules: [
                {
                  local_application_groups: Array.from({ length: 16 }, (_, index) =>
                    index.toString(16).padStart(32, "0"),
                  ),
                },
              ],
            },
          },
        ],
      },
      /local_application_groups: expected .*15 items/,
    ],
    [
      "a user that is no security identifier",
      {
        resources: [{ name: "a", classification_properties: { rules: [{ ad_users: ["mara"] }] } }],
      },
      /ad_users\[0\]: expected a security identifier of Windows/,
    ],
    [
      "a misspelt member",
      { resources: [{ name: "a", classification_properties: { rulez: [] } }] },
      /rulez: .*did you mean rules/,
    ],
  ])("a request with %s", async (_, body, message) => {
    const api = await suite.open();
    const answer = await api.request<ErrorBody>("POST", "/entities/classifications/v2", { body });
    expect(answer.status).toBe(400);
    expect(messages(answer)[0]).toMatch(message);
  });

  test("names are unique in a tenant, in any case", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const { id } = await api.classified({ name: "Contracts" });
    await other.classified({ name: "Contracts" });
    const answer = await api.classify<ErrorBody>(
      { name: "CONTRACTS" },
      { name: "New" },
      { name: "new" },
    );
    expect(answer.status).toBe(409);
    expect(messages(answer)).toEqual([
      `body.resources[0].name: the classification ${id} has CONTRACTS already; choose another one, or change that classification`,
      "body.resources[2].name: body.resources[1] has new already",
    ]);
    const second = await api.classified({ name: "Second" });
    const renamed = await api.reclassify<ErrorBody>({ id: second.id, name: "contracts" });
    expect(renamed.status).toBe(409);
    const swapped = await api.reclassify(
      { id, name: "Second" },
      { id: second.id, name: "Contracts" },
    );
    expect(swapped.status, swapped.text).toBe(200);
    expect((await api.reclassify({ id, name: "SECOND" })).body[0]).toMatchObject({
      name: "SECOND",
    });
    await api.declassify(second.id);
    expect((await api.classify({ name: "Contracts" })).status).toBe(201);
  });

  test("a change leaves what it does not name, and rules that keep their id", async () => {
    const api = await suite.open();
    const before = await api.classified({
      name: "A",
      classification_properties: {
        protection_mode: "simulate",
        win_file_path_patterns: [String.raw`C:\Finance\*`],
        scan_profiles: ["weekly"],
        rules: [{ description: "one" }, { description: "two" }],
      },
    });
    const [one, two] = before.classification_properties.rules;
    api.clock.advance(60_000);
    const now = api.clock.now().toISOString();
    const answer = await api.reclassify({
      id: before.id,
      classification_properties: {
        protection_mode: "enforce",
        scan_profiles: [],
        rules: [two, { description: "three" }, { ...one, notify_end_user: true }],
      },
    });
    expect(answer.status, answer.text).toBe(200);
    const [after] = answer.body;
    const added = {
      ...one,
      id: expect.not.stringMatching(new RegExp(`${one?.id}|${two?.id}`)),
      description: "three",
      created_time_stamp: now,
      modified_time_stamp: now,
    };
    expect(after).toEqual({
      ...before,
      modified_at: now,
      classification_properties: {
        ...before.classification_properties,
        protection_mode: "enforce",
        scan_profiles: [],
        rules: [two, added, { ...one, notify_end_user: true, modified_time_stamp: now }],
      },
    });
    expect((await api.getClassifications(before.id)).body).toEqual([after]);
    const twice = await api.reclassify<ErrorBody>({
      id: before.id,
      classification_properties: { rules: [two, two] },
    });
    expect(twice.status).toBe(400);
    expect(messages(twice)).toEqual([
      `${place}.rules[1].id: is the rule of ${place}.rules[0] already`,
    ]);
  });

  test("changes to nothing, to another tenant's and twice to one", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const foreign = await other.classified({ name: "A" });
    const own = await api.classified({ name: "A" });
    const missing = await api.reclassify<ErrorBody>(
      { id: own.id, name: "B" },
      { id: foreign.id, name: "C" },
      { id: nothing },
    );
    expect(missing.status).toBe(404);
    expect(messages(missing)).toEqual([
      `classification ${foreign.id} not found`,
      `classification ${nothing} not found`,
    ]);
    const twice = await api.reclassify<ErrorBody>(
      { id: own.id, name: "B" },
      { id: own.id, name: "C" },
    );
    expect(twice.status).toBe(400);
    expect(messages(twice)).toEqual([
      "body.resources[1].id: is the classification of body.resources[0] already; send its changes together",
    ]);
    expect((await api.getClassifications(own.id)).body).toEqual([own]);
    const found = await api.getClassifications<ErrorBody>(foreign.id, own.id);
    expect(found.status).toBe(404);
    expect(found.body).toMatchObject({
      errors: [{ code: 404, id: foreign.id, message: `classification ${foreign.id} not found` }],
      resources: [own],
    });
    expect((await api.declassify(own.id, foreign.id)).status).toBe(404);
    expect((await api.getClassifications(own.id)).status).toBe(200);
    expect((await other.getClassifications(foreign.id)).body).toEqual([foreign]);
    expect((await api.declassify("short")).status).toBe(400);
  });

  test("without evidence, no rule records the screen", async () => {
    const api = await suite.open();
    const before = await api.classified({
      name: "A",
      classification_properties: { ...screen, rules: [...screen.rules, { description: "quiet" }] },
    });
    api.clock.advance(60_000);
    const now = api.clock.now().toISOString();
    const off = { evidence_duplication_enabled: false };
    const contradiction = await api.reclassify<ErrorBody>({
      id: before.id,
      classification_properties: { ...screen, ...off },
    });
    expect(contradiction.status).toBe(400);
    const [after] = (await api.reclassify({ id: before.id, classification_properties: off })).body;
    const [recording, quiet] = before.classification_properties.rules;
    expect(after?.classification_properties).toEqual({
      ...before.classification_properties,
      evidence_duplication_enabled: false,
      rules: [{ ...recording, enable_screen_capture_rule: false, modified_time_stamp: now }, quiet],
    });
  });

  test("a rule cannot record the screen where a policy forbids it", async () => {
    const api = await suite.open();
    const { id } = await api.classified({ name: "A" });
    const names = { policy_properties: { classifications: [id] } };
    const allowing = await api.policy("Allows", {
      policy_properties: {
        classifications: [id],
        evidence_download_enabled: true,
        enable_screen_capture: true,
      },
    });
    const change = { id, classification_properties: screen };
    expect((await api.reclassify(change)).status).toBe(200);
    await api.reclassify({ id, classification_properties: { rules: [] } });
    const forbidding = await api.policy("Forbids", names);
    const mac = await api.policy("Mac", names, "mac");
    const answer = await api.reclassify<ErrorBody>(change);
    expect(answer.status).toBe(409);
    const refusal = (policy: { readonly id: string; readonly name: string }) =>
      `${place}.rules: a rule would record the screen, which the data protection policy ${policy.id}, ${policy.name}, does not allow; set its enable_screen_capture, or take the classification from it`;
    expect(messages(answer).toSorted()).toEqual([refusal(forbidding), refusal(mac)].toSorted());
    await api.removePolicies("mac", mac.id);
    await api.updated(forbidding, { policy_properties: { classifications: [] } });
    expect((await api.reclassify(change)).status).toBe(200);
    expect((await api.getPolicies(allowing.id)).status).toBe(200);
  });

  test("one in use is not deleted, and every policy that uses it is named", async () => {
    const api = await suite.open();
    const used = await api.classified({ name: "Used" });
    const free = await api.classified({ name: "Free" });
    const names = { policy_properties: { classifications: [used.id] } };
    const win = await api.policy("W", names);
    const mac = await api.policy("M", names, "mac");
    const answer = await api.declassify<ErrorBody>(free.id, used.id);
    expect(answer.status).toBe(409);
    expect(answer.body.errors.map(({ id }) => id)).toEqual([used.id, used.id]);
    expect(messages(answer).toSorted()).toEqual(
      [win, mac]
        .map(
          ({ id, name }) =>
            `the classification ${used.id}, Used, is in use by the data protection policy ${id}, ${name}; change that one first`,
        )
        .toSorted(),
    );
    expect(await api.classificationIds()).toHaveLength(2);
    for (const policy of [win, mac]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await api.updated(policy, { policy_properties: { classifications: [] } });
    }
    const deleted = await api.declassify(used.id, free.id, used.id);
    expect(deleted.body).toEqual([used, free]);
    expect(await api.classificationIds()).toEqual([]);
  });

  test("filters and sorts", async () => {
    const api = await suite.open();
    const { pattern, label, source, type } = await surroundings(api);
    const a = await api.classified({
      name: "Contracts of Åland",
      classification_properties: {
        content_patterns: [pattern.id],
        content_patterns_operator: "and",
        file_types: [type.id],
        web_sources: [source.id],
        evidence_duplication_enabled: true,
      },
    });
    api.clock.advance(1_000);
    const b = await api.classified({
      name: "Bills",
      classification_properties: {
        content_patterns: [pattern.id],
        sensitivity_labels: [label.id],
        protection_mode: "enforce",
      },
    });
    api.clock.advance(1_000);
    const c = await api.classified({ name: "Drafts" });
    api.clock.advance(1_000);
    await api.reclassify({ id: a.id });
    const names = new Map([a, b, c].map(({ id }, index) => [id, "abc".charAt(index)]));
    const found = async (query: Record<string, string | number>) =>
      (await api.classificationIds(query)).map((id) => names.get(id)).join("");
    const cases: readonly (readonly [string, string])[] = [
      [`id:'${b.id}'`, "b"],
      ["name:'bills'", "b"],
      ["name.raw:'bills'", ""],
      ["name:~'contracts'", "a"],
      ["name:*'*s'", "bc"],
      [`properties.content_patterns:'${pattern.id}'`, "ab"],
      [`properties.content_patterns:!'${pattern.id}'`, "c"],
      [`properties.content_patterns:['${nothing}','${pattern.id}']`, "ab"],
      ["properties.content_patterns:null", "c"],
      ["properties.content_patterns_operator:'and'", "a"],
      ["properties.evidence_duplication_enabled:true", "a"],
      ["properties.protection_mode:'enforce'", "b"],
      [`properties.file_types:'${type.id}'`, "a"],
      [`properties.sensitivity_labels:'${label.id}'`, "b"],
      [`properties.web_sources:'${source.id}'`, "a"],
      [`created_at:>'${a.created_at}'`, "bc"],
      [`modified_at:>'${c.modified_at}'`, "a"],
      [`created_by:'${api.clientId}'+modified_by:'${api.clientId}'`, "abc"],
    ];
    for (const [filter, expected] of cases) {
      // oxlint-disable-next-line no-await-in-loop -- one server
      expect(await found({ filter, sort: "created_at" }), filter).toBe(expected);
    }
    expect(await found({ sort: "name.asc" })).toBe("bac");
    expect(await found({ sort: "modified_at.desc" })).toBe("acb");
    expect(await found({ sort: "created_at|desc", limit: 1, offset: 1 })).toBe("b");
    const refused = async (query: Record<string, string>) => {
      const answer = await api.request<ErrorBody>("GET", "/queries/classifications/v2", { query });
      expect(answer.status).toBe(400);
      return messages(answer)[0];
    };
    expect(await refused({ filter: "web_location_ids:'x'" })).toMatch(/unknown field/i);
    expect(await refused({ filter: "properties.protection_mode:'off'" })).toMatch(/monitor/);
    expect(await refused({ sort: "properties.protection_mode" })).toMatch(/protection_mode/);
    expect(await refused({ limit: "501" })).toMatch(/query\.limit/);
    expect(await refused({ offset: "10001" })).toMatch(/query\.offset/);
  });

  test("changes at once to one classification all stay", async () => {
    const api = await suite.open();
    const { id } = await api.classified({ name: "A" });
    const changes = [
      { protection_mode: "enforce" },
      { content_patterns_operator: "and" },
      { evidence_duplication_enabled: true },
      { scan_profiles: ["weekly"] },
      { win_file_path_patterns: ["C:\\*"] },
      { mac_file_path_patterns: ["/Users/*"] },
      { rules: [{ description: "one" }] },
    ];
    const answers = await Promise.all(
      changes.map((classification_properties) => api.reclassify({ id, classification_properties })),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(changes.length).fill(200));
    const [after] = (await api.getClassifications(id)).body;
    expect(after?.classification_properties).toMatchObject(Object.assign({}, ...changes));
  });

  test("a pattern is deleted, or named by a classification, never both", async () => {
    const api = await suite.open();
    for (let round = 0; round < 8; round += 1) {
      const name = `Race ${round}`;
      // oxlint-disable-next-line no-await-in-loop -- rounds
      const { id } = await api.stored("content-patterns", inputs["content-patterns"](name));
      const properties = { content_patterns: [id] };
      // oxlint-disable-next-line no-await-in-loop -- rounds
      const [deleted, named] = await Promise.all([
        api.remove("content-patterns", id),
        api.classify({ name, classification_properties: properties }),
      ]);
      expect([
        [200, 400],
        [409, 201],
      ]).toContainEqual([deleted.status, named.status]);
    }
  });
});

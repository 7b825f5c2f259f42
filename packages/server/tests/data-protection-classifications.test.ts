import { expect, test } from "vitest";
import { inputs, nothing } from "./support/data-protection.ts";
import { policySuite, surroundings } from "./support/data-protection-policies.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { messages, type ErrorBody } from "./support/session.ts";

const place = "body.resources[0].classification_properties";

withPostgresAtNight((engine) => {
  const suite = policySuite(engine);

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

  test("referenced records cannot be deleted while the classification refers to them", async () => {
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

  test("all unknown, deleted and foreign references are reported at once", async () => {
    const [api, other] = [await suite.open(), await suite.open()];
    const foreign = await surroundings(other);
    const deletedPattern = await api.stored("content-patterns", inputs["content-patterns"]("Gone"));
    await api.remove("content-patterns", deletedPattern.id);
    const answer = await api.classify<ErrorBody>(
      {
        name: "First",
        classification_properties: {
          content_patterns: [deletedPattern.id, foreign.pattern.id],
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
        `${place}.content_patterns[0]: the content pattern ${deletedPattern.id} is deleted`,
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
      `id: the classification has no rule ${nothing}; omit the id to create a new one`,
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

  test("scopes with entries, and scopes that are off, are valid", async () => {
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
      /ad_users\[0\]: expected a Windows security identifier/,
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

  test("names are unique per tenant, ignoring case", async () => {
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
      `body.resources[0].name: the classification ${id} already has CONTRACTS; choose another one, or change that classification`,
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

  test("a pattern is either deleted or referenced by a classification, never both", async () => {
    const api = await suite.open();
    for (let round = 0; round < 8; round += 1) {
      const name = `Race ${round}`;
      const { id } = await api.stored("content-patterns", inputs["content-patterns"](name));
      const properties = { content_patterns: [id] };
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

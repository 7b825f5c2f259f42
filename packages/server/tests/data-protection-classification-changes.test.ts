import { expect, test } from "vitest";
import { nothing } from "./support/data-protection.ts";
import { policySuite } from "./support/data-protection-policies.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { messages, type ErrorBody } from "./support/session.ts";

const place = "body.resources[0].classification_properties";

const screen = {
  evidence_duplication_enabled: true,
  rules: [{ enable_screen_capture_rule: true }],
};

withPostgresAtNight((engine) => {
  const suite = policySuite(engine);

  test("a change keeps absent members, and rules keep their ids", async () => {
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
      `${place}.rules[1].id: is already the id of ${place}.rules[0]`,
    ]);
  });

  test("changes to an unknown classification, to another tenant's, and twice to one are rejected", async () => {
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
    const answer = await api.getClassifications<ErrorBody>(foreign.id, own.id);
    expect(answer.status).toBe(404);
    expect(answer.body).toMatchObject({
      errors: [{ code: 404, id: foreign.id, message: `classification ${foreign.id} not found` }],
      resources: [own],
    });
    expect((await api.declassify(own.id, foreign.id)).status).toBe(404);
    expect((await api.getClassifications(own.id)).status).toBe(200);
    expect((await other.getClassifications(foreign.id)).body).toEqual([foreign]);
    expect((await api.declassify("short")).status).toBe(400);
  });

  test("without evidence, no rule captures the screen", async () => {
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

  test("a rule cannot capture the screen if a policy forbids it", async () => {
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
      `${place}.rules: a rule would record the screen, which the data protection policy ${policy.id}, ${policy.name}, does not allow; set its enable_screen_capture, or remove the classification from it`;
    expect(messages(answer).toSorted()).toEqual([refusal(forbidding), refusal(mac)].toSorted());
    await api.removePolicies("mac", mac.id);
    await api.updated(forbidding, { policy_properties: { classifications: [] } });
    expect((await api.reclassify(change)).status).toBe(200);
    expect((await api.getPolicies(allowing.id)).status).toBe(200);
  });

  test("a classification in use is not deleted, and the error names every policy that uses it", async () => {
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
      await api.updated(policy, { policy_properties: { classifications: [] } });
    }
    const deleted = await api.declassify(used.id, free.id, used.id);
    expect(deleted.body).toEqual([used, free]);
    expect(await api.classificationIds()).toEqual([]);
  });

  test("concurrent changes to one classification are all kept", async () => {
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
});

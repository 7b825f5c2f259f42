import { expect, test } from "vitest";
import {
  CaseConfiguration,
  only,
  problemsOf,
  type Template,
} from "./support/case-configuration.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { minutes } from "./support/manual-clock.ts";
import { sharedApi } from "./support/shared-api.ts";

const templates = "templates/v1";
const snapshots = "template-snapshots/v1";

const unit = {
  name: "Business unit",
  data_type: "string",
  input_type: "select",
  required: true,
  options: [{ value: "Finance" }, { value: "Logistics" }],
} as const;

const demanded = {
  name: "Ransom demanded",
  data_type: "boolean",
  input_type: "checkbox",
  default_value: "false",
} as const;

withPostgresAtNight((engine) => {
  const shared = sharedApi(engine);
  const open = async () => new CaseConfiguration(await shared.open());

  test("a template assigns ids to its fields, options and rules", async () => {
    const configuration = await open();
    const group = await configuration.group("On-call");
    const sla = await configuration.sla("Critical", group.id);
    const template = await configuration.created(templates, {
      name: "Ransomware",
      description: "For everything that encrypts",
      fields: [unit, { ...demanded, display_order: 0 }],
      sla_id: sla.id,
      sla_rules: [{ type: "fql", condition: "severity:>=80", sla_id: sla.id }],
      workflows: [
        { id: "second", display_order: 2 },
        { id: "first", display_order: 1 },
      ],
    });
    expect(template).toMatchObject({
      sla_method: "rules",
      sla_id: sla.id,
      access_tags: [],
      workflows: [{ id: "first" }, { id: "second" }],
      fields: [
        {
          name: "Business unit",
          required: true,
          multivalued: false,
          display_order: 0,
          options: [{ value: "Finance" }, { value: "Logistics" }],
        },
        { name: "Ransom demanded", required: false, options: [], default_value: "false" },
      ],
    });
    expect(await configuration.read(templates, template.id)).toEqual(template);
    const [field, other] = template.fields;
    const filter = "data_type:'string'+required:true";
    expect((await configuration.query("fields/v1", { filter })).body).toEqual([field?.id]);
    const fields = await configuration.get("fields/v1", {
      ids: [other?.id ?? "", field?.id ?? ""],
    });
    expect(fields.body).toEqual([other, field]);
  });

  test("an id updates a field in place, and unlisted fields are removed", async () => {
    const configuration = await open();
    const sla = await configuration.sla("Critical");
    const template = await configuration.created(templates, {
      name: "Ransomware",
      fields: [unit, demanded],
      sla_rules: [{ type: "fql", condition: "severity:>=80", sla_id: sla.id }],
    });
    const [field] = template.fields;
    const [finance, logistics] = field?.options ?? [];
    configuration.api.clock.advance(minutes(1));
    const now = configuration.api.clock.now().toISOString();
    const changed = await configuration.changed(templates, {
      id: template.id,
      description: "New",
      fields: [
        { name: "Notes", data_type: "string", input_type: "textarea" },
        {
          ...unit,
          id: field?.id,
          options: [{ value: "Retail" }, { id: finance?.id, value: "Finance" }],
        },
      ],
    });
    expect(changed.sla_rules).toEqual(template.sla_rules);
    const [notes, kept] = changed.fields;
    expect(notes).toMatchObject({ name: "Notes", display_order: 0, created_timestamp: now });
    expect(kept).toMatchObject({
      id: field?.id,
      display_order: 1,
      created_timestamp: field?.created_timestamp,
      updated_timestamp: now,
    });
    expect(kept?.options.map(({ value }) => value)).toEqual(["Retail", "Finance"]);
    expect(kept?.options[1]).toEqual(finance);
    const deleted = template.fields[1]?.id ?? "";
    expect((await configuration.get("fields/v1", { ids: deleted })).status).toBe(404);
    expect((await configuration.query("fields/v1")).body).toEqual(
      expect.arrayContaining([notes?.id, field?.id]),
    );
    for (const fields of [
      [{ ...demanded, id: deleted }],
      [{ ...unit, id: field?.id, options: [{ id: logistics?.id, value: "Logistics" }] }],
    ]) {
      const answer = await configuration.patch(templates, { id: template.id, fields });
      expect(answer.status).toBe(404);
    }
    const rule = { id: deleted, type: "fql", condition: "severity:>1", sla_id: sla.id };
    const rules = await configuration.patch(templates, { id: template.id, sla_rules: [rule] });
    expect(rules.status).toBe(404);
    expect(
      await configuration.changed(templates, { id: template.id, sla_rules: [] }),
    ).toMatchObject({ sla_method: "none", sla_rules: [] });
  });

  test("invalid fields are reported all at once", async () => {
    const configuration = await open();
    expect(
      await configuration.refusedTemplate({
        fields: [
          { ...unit, options: [] },
          { ...unit, input_type: "multiselect" },
          { ...demanded, data_type: "string" },
          { name: "When", data_type: "datetime", input_type: "date", default_value: "soon" },
          {
            name: "How many",
            data_type: "number",
            input_type: "select",
            default_value: "3",
            options: [{ value: "1" }, { value: "two" }, { value: "1" }],
          },
        ],
      }),
    ).toEqual([
      "body.fields[1].name: duplicate of body.fields[0].name",
      "body.fields[0].options: a field with input_type select needs at least one option",
      "body.fields[1].multivalued: expected true for a field with input_type multiselect",
      "body.fields[2].data_type: expected boolean for a field with input_type checkbox",
      `body.fields[3].default_value: expected an RFC 3339 timestamp such as 2026-03-01T12:00:00Z, not "soon"`,
      `body.fields[4].options[1].value: expected a number such as 12 or -0.5, not "two"`,
      `body.fields[4].default_value: expected one of the options 1, two, 1, not "3"`,
      "body.fields[4].options[2].value: duplicate of body.fields[4].options[0].value",
    ]);
    expect(
      await configuration.refusedTemplate({
        sla_rules: [{ type: "fql", condition: "severty:>=80", sla_id: "0".repeat(32) }],
      }),
    ).toEqual([expect.stringMatching(/^body\.sla_rules\[0\]\.condition: .*severity/)]);
    expect(await configuration.refusedTemplate({ sla_id: "0".repeat(32) })).toEqual([
      `body.sla_id: there is no SLA ${"0".repeat(32)}`,
    ]);
  });

  test("names are unique, ignoring case", async () => {
    const configuration = await open();
    const first = await configuration.created(templates, { name: "Phishing" });
    const second = await configuration.post(templates, { name: "PHISHING" });
    expect(second.status).toBe(409);
    expect(second.body).toMatchObject({ errors: [{ id: first.id }] });
    expect((await configuration.changed(templates, { id: first.id, name: "phishing" })).name).toBe(
      "phishing",
    );
  });

  test("every change of a template, its SLAs or their groups adds a snapshot", async () => {
    const configuration = await open();
    const { clock } = configuration.api;
    const group = await configuration.group("On-call");
    const sla = await configuration.sla("Critical", group.id);
    const other = await configuration.created(templates, { name: "Other" });
    const first = await configuration.created(templates, { name: "Ransomware", sla_id: sla.id });
    clock.advance(minutes(1));
    const second = await configuration.changed(templates, { id: first.id, name: "Extortion" });
    clock.advance(minutes(1));
    only(await configuration.patch("slas/v1", { id: sla.id, description: "Changed" }));
    clock.advance(minutes(1));
    only(await configuration.patch("notification-groups/v2", { id: group.id, name: "Others" }));

    const versions = async (query: Readonly<Record<string, readonly string[]>>) => {
      const answer = await configuration.get(snapshots, query);
      expect(answer.status, answer.text).toBe(200);
      return answer.body;
    };
    const filter = `template_id:'${first.id}'`;
    const { body: ids } = await configuration.query(snapshots, { filter });
    const all = await versions({ ids });
    expect(all.map(({ version }) => version)).toEqual([4, 3, 2, 1]);
    const stored = ({ has_access: _access, ...template }: Template) => template;
    expect(all.map(({ template }) => JSON.parse(template) as object)).toEqual(
      [second, second, second, first].map(stored),
    );
    expect(
      await versions({ template_ids: [first.id, other.id, first.id], versions: ["2", "0", "0"] }),
    ).toEqual([all[2], expect.objectContaining({ template_id: other.id, version: 1 }), all[0]]);
    expect(await versions({ template_ids: [first.id] })).toEqual([all[0]]);
    const named = await configuration.query(snapshots, { filter: "name:'ransomware'" });
    expect(named.body).toEqual([ids[3]]);

    expect((await configuration.remove(templates, first.id)).body).toEqual([first.id]);
    expect(await versions({ template_ids: [first.id] })).toEqual([all[0]]);
    expect((await configuration.query("fields/v1", {})).body).toEqual([]);
  });

  test("snapshots are requested by id, or by template and version", async () => {
    const configuration = await open();
    const { id } = await configuration.created(templates, { name: "Phishing" });
    const search = async (query: Readonly<Record<string, readonly string[]>>) => {
      const answer = await configuration.get(snapshots, query);
      return [answer.status, problemsOf(answer)];
    };
    const malformed = { template_ids: [id, id], versions: ["1", "one"] };
    expect(await search(malformed)).toEqual([
      400,
      [expect.stringContaining("query.versions[1]: expected an integer")],
    ]);
    expect(await search({})).toEqual([
      400,
      ["query.ids: is required, unless template_ids is sent"],
    ]);
    expect(await search({ ids: [id], versions: ["1"] })).toEqual([
      400,
      ["query.versions: cannot be combined with ids; send one of them"],
    ]);
    expect(await search({ template_ids: [id], versions: ["1", "2"] })).toEqual([
      400,
      ["query.versions: expected 1 versions, one for each of template_ids, not 2"],
    ]);
    expect(await search({ template_ids: [id, id], versions: ["1", "2"] })).toEqual([
      404,
      [`the version of template ${id} not found`],
    ]);
  });

  test("an SLA cannot be deleted while a template uses it", async () => {
    const configuration = await open();
    const sla = await configuration.sla("Used");
    const rule = { type: "fql", condition: "severity:>=80", sla_id: sla.id };
    const template = await configuration.created(templates, { name: "User", sla_rules: [rule] });
    const answer = await configuration.remove("slas/v1", sla.id);
    expect([answer.status, problemsOf(answer)]).toEqual([
      409,
      [
        `the SLA ${sla.id}, Used, is in use by the template ${template.id}, User; change that one first`,
      ],
    ]);
    await configuration.remove(templates, template.id);
    expect((await configuration.remove("slas/v1", sla.id)).body).toEqual([sla.id]);
  });

  test("an SLA has one goal of each type, and its groups must exist", async () => {
    const configuration = await open();
    const goal = { type: "ack", duration_seconds: 60 };
    const twice = await configuration.post("slas/v1", { name: "Twice", goals: [goal, goal] });
    expect(problemsOf(twice)).toEqual([
      "body.goals[1].type: body.goals[0] already has the type ack; an SLA can have one goal of each type",
    ]);
    const notification_group_id = "0".repeat(32);
    const unknown = await configuration.post("slas/v1", {
      name: "Unknown",
      goals: [{ ...goal, escalation_policy: { steps: [{ notification_group_id }] } }],
    });
    expect([unknown.status, problemsOf(unknown)]).toEqual([
      400,
      [
        `body.goals[0].escalation_policy.steps[0].notification_group_id: there is no notification group ${notification_group_id}`,
      ],
    ]);
    const group = await configuration.group("On-call");
    const steps = [600, 0, 300].map((escalate_after_seconds) => ({
      notification_group_id: group.id,
      escalate_after_seconds,
    }));
    const sla = await configuration.created("slas/v1", {
      name: "Ordered",
      goals: [{ ...goal, escalation_policy: { steps } }],
    });
    expect(
      sla.goals[0]?.escalation_policy?.steps.map((step) => step.escalate_after_seconds),
    ).toEqual([0, 300, 600]);
  });

  test("aggregates support the fields of the queries", async () => {
    const configuration = await open();
    for (const name of ["One", "Two"]) {
      await configuration.created(templates, { name, access_tags: [{ key: name }] });
      await configuration.sla(name);
    }
    for (const kind of ["templates", "slas", "access-tags"]) {
      const ask = (body: object) =>
        configuration.api.request("POST", `/casemgmt/aggregates/${kind}/v1`, { body });
      const field = kind === "access-tags" ? "key" : "name";
      const terms = await ask([{ name: "n", type: "terms", field, sort: "_term" }]);
      expect(terms.body).toMatchObject([
        { buckets: [{ count: 1 }, { count: 1 }], sum_other_doc_count: 0 },
      ]);
      expect((await ask({ name: "n", type: "terms", field: "nothing" })).status).toBe(400);
      expect((await ask({ name: "n", type: "max", field })).status).toBe(400);
      const missing = await ask({ name: "n", type: "date_range", field: "created_timestamp" });
      expect([missing.status, missing.text]).toEqual([400, expect.stringContaining("date_range")]);
    }
  });
});

import type { components } from "@security-platform/spec";
import { expect, test } from "vitest";
import { type Case, casesSuite, type Session } from "./support/cases.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { type ErrorBody, messages } from "./support/session.ts";

type Template = components["schemas"]["CaseTemplate"];

const path = "/casemgmt/entities/templates/v1";

const unit = {
  name: "Unit",
  data_type: "string",
  input_type: "select",
  required: true,
  options: [{ value: "Finance" }, { value: "Legal" }],
};
const losses = { name: "Losses", data_type: "number", input_type: "text" };
const seen = {
  name: "Seen",
  data_type: "datetime",
  input_type: "multiselect",
  multivalued: true,
  options: [{ value: "2026-03-01T10:00:00+01:00" }, { value: "2026-03-02T10:00:00Z" }],
};
const paid = {
  name: "Paid",
  data_type: "boolean",
  input_type: "checkbox",
  default_value: "false",
};

async function written(api: Session, method: "POST" | "PATCH", body: object): Promise<Template> {
  const answer = await api.request<readonly Template[]>(method, path, { body });
  expect(answer.status, answer.text).toBe(200);
  return answer.body[0] as Template;
}

/** A case with a template, and the ids of its fields by name. */
async function started(api: Session, ...fields: readonly object[]) {
  const template = await written(api, "POST", { name: "Fraud", fields });
  const stored = await api.stored({ template: { id: template.id } });
  const ids = Object.fromEntries(template.fields.map(({ id, name }) => [name, id]));
  const set = <Body = readonly Case[]>(values: Readonly<Record<string, readonly string[]>>) =>
    api.patch<Body>(stored.id, {
      custom_fields: Object.entries(values).map(([name, each]) => ({
        id: ids[name] ?? name,
        values: each,
      })),
    });
  return { template, stored, ids, set };
}

const valuesOf = ({ fields }: Case) =>
  Object.fromEntries(fields.map(({ name, values }) => [name, values]));

withPostgresAtNight((engine) => {
  const suite = casesSuite(engine);

  test("a case has the fields of its template, with values of their types", async () => {
    const api = await suite.open();
    const { template, stored, set } = await started(api, unit, losses, seen, paid);
    expect(valuesOf(stored)).toEqual({ Unit: [], Losses: [], Seen: [], Paid: ["false"] });
    const changed = await set({
      Unit: ["Legal"],
      Losses: ["-12.5e3"],
      Seen: ["2026-03-01T09:00:00Z"],
    });
    expect(changed.status, changed.text).toBe(200);
    const [after] = changed.body as Case[];
    expect(after && valuesOf(after)).toEqual({
      Unit: ["Legal"],
      Losses: ["-12.5e3"],
      Seen: ["2026-03-01T09:00:00.000Z"],
      Paid: ["false"],
    });
    const options = template.fields.map((field) => field.options.map(({ id }) => id));
    expect(after?.fields.map(({ option_ids }) => option_ids)).toEqual([
      [options[0]?.[1]],
      [],
      [options[2]?.[0]],
      [],
    ]);
    expect(await api.found({ q: "legal" })).toEqual([stored.name]);
    const cleared = await set({ Losses: [] });
    expect(valuesOf(cleared.body[0] as Case)).toMatchObject({ Unit: ["Legal"], Losses: [] });
  });

  test("the values of a field are a set, in their stored form and in their order", async () => {
    const api = await suite.open();
    const many = { name: "Teams", data_type: "datetime", input_type: "text", multivalued: true };
    const { set } = await started(api, unit, many);
    const instants = ["2026-03-02 01:00:00+01", "2026-03-01T09:00:00Z", "2026-03-02T00:00:00Z"];
    const changed = await set({ Unit: ["Legal", "Legal"], Teams: [...instants, ...instants] });
    expect(changed.status, changed.text).toBe(200);
    expect(valuesOf(changed.body[0] as Case)).toEqual({
      Unit: ["Legal"],
      Teams: ["2026-03-02T00:00:00.000Z", "2026-03-01T09:00:00.000Z"],
    });
  });

  test("invalid values are reported all at once, and change nothing", async () => {
    const api = await suite.open();
    const { stored, ids, set } = await started(api, unit, losses, seen, paid);
    const refused = await api.patch<ErrorBody>(stored.id, {
      name: "changed",
      custom_fields: [
        { id: ids["Unit"], values: ["finance"] },
        { id: ids["Losses"], values: ["1", "007"] },
        { id: ids["Seen"], values: ["2026-03-03T10:00:00Z", "2026-03-01"] },
        { id: ids["Paid"], values: ["yes"] },
        { id: ids["Paid"], values: ["true"] },
        { id: "0".repeat(32), values: [] },
      ],
    });
    expect(refused.status).toBe(400);
    const at = "body.fields.custom_fields";
    expect(messages(refused)).toEqual([
      `${at}[0].values[0]: Unit: expected one of the options Finance, Legal, not "finance"`,
      `${at}[1].values: Losses takes one value, not 2`,
      `${at}[1].values[1]: Losses: expected a number such as 12 or -0.5, not "007"`,
      expect.stringContaining(
        `${at}[2].values[0]: Seen: expected one of the options 2026-03-01T09`,
      ),
      `${at}[2].values[1]: Seen: expected an RFC 3339 timestamp such as 2026-03-01T12:00:00Z, not "2026-03-01"`,
      `${at}[3].values[0]: Paid: expected true or false, not "yes"`,
      `${at}[4].id: field ${ids["Paid"]} is listed twice`,
      expect.stringContaining(
        `${at}[5].id: the template has no field ${"0".repeat(32)}; its fields`,
      ),
    ]);
    expect(await api.read(stored.id)).toEqual(stored);
    const plain = await api.stored();
    const without = await api.patch<ErrorBody>(plain.id, {
      custom_fields: [{ id: ids["Unit"], values: ["Legal"] }],
    });
    expect(messages(without)[0]).toContain("the case has no template, and so no field");
    expect((await set({ Unit: ["Legal"] })).status).toBe(200);
  });

  test("a closed case needs a value for each required field", async () => {
    const api = await suite.open();
    const { template, stored, set } = await started(api, unit, losses);
    const use = { template: { id: template.id } };
    const early = await api.patch<ErrorBody>(stored.id, { status: "closed" });
    expect([early.status, ...messages(early)]).toEqual([
      409,
      "body.fields.status: the case cannot be closed while required fields are empty: Unit; send their values in custom_fields",
    ]);
    const born = await api.create<ErrorBody>({ name: "x", severity: 1, status: "closed", ...use });
    expect([born.status, ...messages(born)]).toEqual([
      400,
      "body.status: a case cannot be closed while required fields are empty: Unit",
    ]);
    await set({ Unit: ["Finance"] });
    const closed = await api.patch(stored.id, { status: "closed" });
    expect(closed.body[0]).toMatchObject({ status: "closed" });
    const emptied = await set<ErrorBody>({ Unit: [] });
    expect([emptied.status, ...messages(emptied)]).toEqual([409, messages(early)[0]]);
    const other = await written(api, "POST", {
      name: "Other",
      fields: [{ ...unit, name: "Team" }],
    });
    const moved = await api.patch<ErrorBody>(stored.id, { template: { id: other.id } });
    expect(messages(moved)[0]).toContain("required fields are empty: Team");
    expect((await set({ Unit: ["Legal"] })).body[0]).toMatchObject({ status: "closed" });
    const plain = await api.stored({ status: "closed" });
    const late = await api.patch<ErrorBody>(plain.id, use);
    expect(messages(late)[0]).toContain("required fields are empty: Unit");
  });

  test("values are checked against the case's version of the template", async () => {
    const api = await suite.open();
    const { template, stored, ids, set } = await started(api, unit, losses);
    const [first] = template.fields;
    await written(api, "PATCH", {
      id: template.id,
      fields: [{ ...unit, id: first?.id, options: [{ value: "Board" }] }],
    });
    expect((await set({ Unit: ["Legal"], Losses: ["3"] })).status).toBe(200);
    const newer = await api.stored({ template: { id: template.id } });
    expect(newer.template?.version).toBe(2);
    const custom_fields = [{ id: ids["Unit"], values: ["Legal"] }];
    const refused = await api.patch<ErrorBody>(newer.id, { custom_fields });
    expect(messages(refused)[0]).toContain('expected one of the options Board, not "Legal"');
    const renewed = await api.patch(stored.id, { template: { id: template.id } });
    expect(valuesOf(renewed.body[0] as Case)).toEqual({ Unit: [] });
  });

  test("sending the template again keeps what maps by id to its newest version", async () => {
    const api = await suite.open();
    const areas = {
      name: "Areas",
      data_type: "string",
      input_type: "multiselect",
      multivalued: true,
      options: ["North", "East", "South", "West"].map((value) => ({ value })),
    };
    const floors = { ...areas, name: "Floors", options: [{ value: "1" }, { value: "2" }] };
    const { template, stored, set } = await started(api, unit, areas, floors, losses);
    await set({
      Unit: ["Legal"],
      Areas: ["North", "South", "West"],
      Floors: ["2", "1"],
      Losses: ["3"],
    });
    const [oldUnit, oldAreas, oldFloors, oldLosses] = template.fields;
    const idOf = (field: Template["fields"][number] | undefined, text: string) =>
      field?.options.find(({ value }) => value === text)?.id;
    const changed = await written(api, "PATCH", {
      id: template.id,
      fields: [
        {
          ...unit,
          id: oldUnit?.id,
          name: "Business unit",
          options: [
            // The two names are exchanged.
            { id: idOf(oldUnit, "Finance"), value: "Legal" },
            { id: idOf(oldUnit, "Legal"), value: "Finance" },
          ],
        },
        {
          ...areas,
          id: oldAreas?.id,
          options: [
            { id: idOf(oldAreas, "North"), value: "Arctic" },
            // It takes the name of an option that is removed.
            { id: idOf(oldAreas, "East"), value: "South" },
            // A new option with the name of the removed one.
            { value: "West" },
          ],
        },
        {
          ...floors,
          id: oldFloors?.id,
          data_type: "number",
          input_type: "select",
          multivalued: false,
          options: oldFloors?.options.map(({ id, value }) => ({ id, value })),
        },
        { ...losses, id: oldLosses?.id, data_type: "boolean" },
      ],
    });
    const renewed = await api.patch(stored.id, { template: { id: template.id } });
    expect(renewed.status, renewed.text).toBe(200);
    const [after] = renewed.body as Case[];
    expect(after && valuesOf(after)).toEqual({
      "Business unit": ["Finance"],
      Areas: ["Arctic", "West"],
      Floors: ["2"],
      Losses: [],
    });
    expect(after?.fields.map(({ option_ids }) => option_ids)).toEqual([
      [idOf(oldUnit, "Legal")],
      [idOf(oldAreas, "North"), idOf(changed.fields[1], "West")],
      [idOf(oldFloors, "2")],
      [],
    ]);
    expect(await api.found({ q: "arctic" })).toEqual([stored.name]);
    const again = await api.patch(stored.id, { template: { id: template.id } });
    expect(again.body[0]).toMatchObject({ fields: after?.fields, version: after?.version });
  });

  test("sending the template again keeps the states of its workflows", async () => {
    const api = await suite.open();
    const id = "a".repeat(32);
    const template = await written(api, "POST", {
      name: "Fraud",
      workflows: [{ id, display_order: 0 }],
    });
    const stored = await api.stored({ template: { id: template.id } });
    const state = { id, execution_id: "run-1", status: "done" };
    await api.patch(stored.id, { workflows: [state] });
    const renewed = await api.patch(stored.id, { template: { id: template.id } });
    expect(renewed.body[0]).toMatchObject({ workflows: [state] });
  });
});

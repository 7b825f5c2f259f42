import type { JsonObject } from "../../requests/request.ts";
import type { RuleRun } from "../recipe.ts";

type Member = { readonly id: string; readonly value: string };
type Field = {
  readonly id: string;
  readonly values: readonly string[];
  readonly options: readonly Member[];
};

const read = ({ send }: RuleRun, id: unknown): Promise<JsonObject> =>
  send("entities.cases.post.v2", { ids: [id] });

/** A template cannot be removed while an open case uses it. */
const close = ({ send }: RuleRun, id: unknown): Promise<JsonObject> =>
  send("entities.cases.patch.v2", { id, fields: { status: "closed" } });

const accessTagsOf = (record: JsonObject): readonly unknown[] =>
  (record["access_tags"] as readonly JsonObject[]).map(({ key }) => key);

/** A case with a new access tag is merged into one without. */
export async function mergeUnitesAccessTags(run: RuleRun): Promise<void> {
  const { namespace, send, expect } = run;
  const template = await send("entities.templates.post.v1", {
    name: `${namespace} restricted`,
    access_tags: [{ key: namespace }],
  });
  const source = await send("entities.cases.put.v2", {
    name: `${namespace} restricted`,
    severity: 10,
    template: { id: template["id"] },
  });
  expect("access_tags of the source", accessTagsOf(source), [namespace]);
  const destination = await send("entities.cases.put.v2", {
    name: `${namespace} open`,
    severity: 10,
  });
  const body = { source_id: source["id"], destination_id: destination["id"] };
  await send("entities.merge.post.v1", body);
  const merged = await read(run, destination["id"]);
  expect("access_tags of the destination", accessTagsOf(merged), [namespace]);
}

/** An option of a template is renamed, and a case gets the newest version of the template. */
export async function valuesFollowOptions(run: RuleRun): Promise<void> {
  const { namespace, send, expect } = run;
  const field = { name: "Unit", data_type: "string", input_type: "select" };
  const { id: template, fields } = await send("entities.templates.post.v1", {
    name: `${namespace} renamed`,
    fields: [{ ...field, options: [{ value: "Two" }, { value: "One" }] }],
  });
  const [unit] = fields as readonly Field[];
  const { id } = await send("entities.cases.put.v2", {
    name: `${namespace} renamed`,
    severity: 10,
    template: { id: template },
  });
  const custom_fields = [{ id: unit?.id, values: ["Two"] }];
  await send("entities.cases.patch.v2", { id, fields: { custom_fields } });
  const options = unit?.options.map((option) => ({
    id: option.id,
    value: option.value === "Two" ? "Three" : option.value,
  }));
  await send("entities.templates.patch.v1", {
    id: template,
    fields: [{ ...field, id: unit?.id, options }],
  });
  const renewed = await send("entities.cases.patch.v2", {
    id,
    fields: { template: { id: template } },
  });
  const [value] = renewed["fields"] as readonly Field[];
  expect("values of the field", value?.values, ["Three"]);
  await close(run, id);
}

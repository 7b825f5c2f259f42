import type { components } from "@security-platform/spec";
import type { Problem } from "../../../foundation/errors.ts";
import { fieldValue, valueProblem } from "../templates/field-values.ts";
import type { TemplateInUse } from "../templates/template-in-use.ts";

type Schemas = components["schemas"];
type Field = Schemas["CaseField"];
type Value = Schemas["CaseFieldValue"];

/** The members that a case gets from its template. */
export type FromTemplate = Pick<Schemas["Case"], "fields" | "workflows"> & {
  readonly template: Schemas["CaseTemplateUse"];
};

/** What a case has from its template so far, and the version of that template. */
interface Earlier extends Pick<FromTemplate, "fields" | "workflows"> {
  readonly inUse: TemplateInUse | null;
}

/**
 * The fields of a template with the values of a case, and its workflows with their states. Fields and
 * options keep their ids when they are renamed, so values follow their option. Values that have
 * become invalid are dropped.
 */
export function fromTemplate(
  { template, snapshotId, version }: TemplateInUse,
  earlier: Earlier = { fields: [], workflows: [], inUse: null },
): FromTemplate {
  const earlierValues = new Map(earlier.fields.map((value) => [value.id, value.values]));
  const earlierFields = new Map(earlier.inUse?.template.fields.map((field) => [field.id, field]));
  const states = new Map(earlier.workflows.map((workflow) => [workflow.id, workflow]));
  const fields = template.fields
    .map((field) => {
      const had = earlierValues.get(field.id);
      const kept = keptValues(field, had ?? [], earlierFields.get(field.id));
      const isLost = had === undefined || (had.length > 0 && kept.length === 0);
      const initial = field.default_value === undefined ? [] : [field.default_value];
      return caseValue(field, isLost ? initial : kept, snapshotId);
    })
    .toSorted((left, right) => left.display_order - right.display_order);
  return {
    template: { id: template.id, name: template.name, version, snapshot_id: snapshotId },
    fields,
    workflows: template.workflows.map(({ id, display_order }) => {
      const { execution_id, status } = states.get(id) ?? { execution_id: "", status: "" };
      return { id, execution_id, status, snapshot_id: snapshotId, display_order };
    }),
  };
}

/** The values that a field still accepts. A field that now takes one value keeps the first. */
function keptValues(
  field: Field,
  values: readonly string[],
  before: Field | undefined,
): readonly string[] {
  const renamed = new Map(field.options.map((option) => [option.id, option.value]));
  const earlierOptionIds = new Set(before?.options.map(({ id }) => id));
  // Another option of the field may have taken over the name of an option that was removed.
  const others = new Set(
    field.options.filter(({ id }) => earlierOptionIds.has(id)).map(({ value }) => value),
  );
  const kept = values.flatMap((value) => {
    const option = before?.options.find((each) => each.value === value);
    if (option !== undefined) {
      const name = renamed.get(option.id);
      if (name !== undefined) return [name];
      if (others.has(value)) return [];
    }
    return valueProblem(field, value) === null ? [value] : [];
  });
  return field.multivalued ? kept : kept.slice(0, 1);
}

function caseValue(field: Field, values: readonly string[], snapshot_id: string): Value {
  const { id, name, required, options, display_order } = field;
  const stored = storedValues(field, values);
  const option_ids = options.filter(({ value }) => stored.includes(value)).map((each) => each.id);
  return { id, name, required, values: stored, option_ids, snapshot_id, display_order };
}

/** The values in their stored form, as a set. */
const storedValues = (field: Field, values: readonly string[]): string[] => [
  ...new Set(values.map((value) => fieldValue(field, value) ?? value)),
];

/** The fields of a case with new values, and problems for unknown fields and invalid values. */
export function changedFields(
  fields: readonly Value[],
  changes: readonly Schemas["CaseCustomField"][],
  template: TemplateInUse | null,
  at: string,
): { readonly fields: Value[]; readonly problems: readonly Problem[] } {
  const defined = new Map(template?.template.fields.map((field) => [field.id, field]));
  const changed = new Map(fields.map((field) => [field.id, field]));
  const problems: Problem[] = [];
  const listedIds = new Set<string>();
  for (const [index, { id, values }] of changes.entries()) {
    const place = `${at}[${index}]`;
    const field = defined.get(id);
    if (field === undefined || template === null) {
      problems.push({ at: `${place}.id`, message: unknownField(id, template) });
    } else if (listedIds.has(id)) {
      problems.push({ at: `${place}.id`, message: `field ${id} is listed twice` });
    } else {
      problems.push(...valueProblems(field, values, `${place}.values`));
      changed.set(id, caseValue(field, values, template.snapshotId));
    }
    listedIds.add(id);
  }
  const ordered = [...changed.values()].toSorted(
    (left, right) => left.display_order - right.display_order,
  );
  return { fields: ordered, problems };
}

function unknownField(id: string, template: TemplateInUse | null): string {
  if (template === null) return `the case has no template, and so no field ${id}`;
  const names = template.template.fields.map((field) => `${field.id} (${field.name})`).join(", ");
  return `the template has no field ${id}; its fields are ${names || "none"}`;
}

function valueProblems(field: Field, values: readonly string[], at: string): readonly Problem[] {
  const { name, multivalued } = field;
  const { length } = storedValues(field, values);
  const tooMany = { at, message: `${name} takes one value, not ${length}` };
  return [
    ...(!multivalued && length > 1 ? [tooMany] : []),
    ...values.flatMap((value, index) => {
      const message = valueProblem(field, value);
      return message === null ? [] : [{ at: `${at}[${index}]`, message: `${name}: ${message}` }];
    }),
  ];
}

/** Names of required fields without a value; they prevent closing the case. */
export const missingFields = (fields: readonly Value[]): readonly string[] =>
  fields.filter(({ required, values }) => required && values.length === 0).map(({ name }) => name);

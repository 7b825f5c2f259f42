import { foldCase } from "@security-platform/fql";
import type { components } from "@security-platform/spec";
import type { Problem } from "../../../foundation/errors.ts";
import { newIdentifier } from "../../../foundation/identifiers.ts";
import { created, stampsOf, updated, type Stamp } from "../stamps.ts";
import { fieldValue, valueProblem } from "./field-values.ts";
import type { CaseField } from "../kinds/templates.ts";

type Schemas = components["schemas"];
type Option = Schemas["CaseFieldOption"];
export type FieldInput = Schemas["CaseFieldUpdateInput"];
type OptionInput = Schemas["CaseFieldOptionUpdateInput"];

/**
 * The fields of a template after a request that lists all of them, in display order. One with the
 * id of an existing field updates it; fields that do not change keep their dates.
 */
export function fieldsOf(
  inputs: readonly FieldInput[],
  before: readonly CaseField[],
  stamp: Stamp,
): readonly CaseField[] {
  const earlierFields = new Map(before.map((field) => [field.id, field]));
  return inputs
    .map((input, index) => fieldOf(input, index, earlierFields.get(input.id ?? ""), stamp))
    .toSorted((left, right) => left.display_order - right.display_order);
}

function fieldOf(
  input: FieldInput,
  index: number,
  before: CaseField | undefined,
  stamp: Stamp,
): CaseField {
  const { default_value } = input;
  const members = {
    id: before?.id ?? newIdentifier(),
    name: input.name,
    data_type: input.data_type,
    input_type: input.input_type,
    required: input.required ?? false,
    multivalued: input.multivalued ?? false,
    ...(default_value === undefined
      ? {}
      : { default_value: fieldValue(input, default_value) ?? default_value }),
    options: optionsOf(input.options ?? [], input, before?.options ?? [], stamp),
    display_order: input.display_order ?? index,
  };
  return stamped(members, before, stamp);
}

function optionsOf(
  inputs: readonly OptionInput[],
  field: FieldInput,
  before: readonly Option[],
  stamp: Stamp,
): readonly Option[] {
  const earlierOptions = new Map(before.map((option) => [option.id, option]));
  return inputs.map(({ id = "", value }) => {
    const option = earlierOptions.get(id);
    const members = {
      id: option?.id ?? newIdentifier(),
      value: fieldValue(field, value) ?? value,
    };
    return stamped(members, option, stamp);
  });
}

type Stamped<Members> = Members & ReturnType<typeof stampsOf>;

/** The record with its dates; an unchanged record keeps the earlier ones. */
export function stamped<Members extends object>(
  members: Members,
  before: Stamped<Members> | undefined,
  stamp: Stamp,
): Stamped<Members> {
  if (before === undefined) return { ...members, ...created(stamp) };
  const same = { ...members, ...stampsOf(before) };
  if (JSON.stringify(same) === JSON.stringify(before)) return same;
  return { ...members, ...stampsOf({ ...before, ...updated(stamp) }) };
}

/** The problems of the fields of a request. `at`: the place of the list. */
export function fieldProblems(inputs: readonly FieldInput[], at: string): readonly Problem[] {
  return [
    ...repeated(inputs, (field) => foldCase(field.name), at, "name"),
    ...repeated(inputs, ({ id }) => id, at, "id"),
    ...inputs.flatMap((field, index) => problemsOf(field, `${at}[${index}]`)),
  ];
}

const typesWithOptions: readonly string[] = ["select", "dropdown", "multiselect"];

function problemsOf(field: FieldInput, at: string): readonly Problem[] {
  const { data_type, input_type, multivalued = false, options = [], default_value } = field;
  const problems: Problem[] = [];
  const refuse = (member: string, message: string): void => {
    problems.push({ at: `${at}.${member}`, message });
  };
  if (typesWithOptions.includes(input_type) && options.length === 0) {
    refuse("options", `a field with input_type ${input_type} needs at least one option`);
  }
  if (input_type === "multiselect" && !multivalued) {
    refuse("multivalued", "expected true for a field with input_type multiselect");
  }
  if (input_type === "checkbox" && data_type !== "boolean") {
    refuse("data_type", "expected boolean for a field with input_type checkbox");
  }
  if (input_type === "date" && data_type !== "datetime") {
    refuse("data_type", "expected datetime for a field with input_type date");
  }
  for (const [index, { value }] of options.entries()) {
    const message = valueProblem({ data_type }, value);
    if (message !== null) refuse(`options[${index}].value`, message);
  }
  const message = default_value === undefined ? null : valueProblem(field, default_value);
  if (message !== null) refuse("default_value", message);
  return [
    ...problems,
    ...repeated(options, (option) => fieldValue(field, option.value), `${at}.options`, "value"),
    ...repeated(options, ({ id }) => id, `${at}.options`, "id"),
  ];
}

/** A problem for each item that repeats the key of an earlier one. */
export function repeated<Item>(
  items: readonly Item[],
  keyOf: (item: Item) => string | null | undefined,
  at: string,
  member: string,
): readonly Problem[] {
  const places = new Map<string, number>();
  return items.flatMap((item, index) => {
    const key = keyOf(item);
    if (key === undefined || key === null) return [];
    const first = places.get(key);
    if (first === undefined) places.set(key, index);
    return first === undefined
      ? []
      : [{ at: `${at}[${index}].${member}`, message: `duplicate of ${at}[${first}].${member}` }];
  });
}

/** Ids of fields or options in a request that the template does not have. */
export function unknownFieldIds(
  inputs: readonly FieldInput[],
  before: readonly CaseField[],
): { readonly fields: readonly string[]; readonly options: readonly string[] } {
  const earlierFields = new Map(before.map((field) => [field.id, field]));
  const fields = inputs.flatMap(({ id }) =>
    id === undefined || earlierFields.has(id) ? [] : [id],
  );
  const options = inputs.flatMap((input) => {
    const optionIds = new Set(earlierFields.get(input.id ?? "")?.options.map(({ id }) => id));
    return (input.options ?? []).flatMap(({ id }) =>
      id === undefined || optionIds.has(id) ? [] : [id],
    );
  });
  return { fields, options };
}

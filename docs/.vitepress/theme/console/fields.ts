import { defineAsyncComponent, h, type VNode } from "vue";
import { isLongCode } from "../../../scripts/reference/html.ts";
import type { OperationData, ParameterData } from "./operation-data.ts";
import type { Form, FormProblem } from "./form.ts";
import { alternativesOf, itemsOf, resolved, valuesOf } from "./schema-walk.ts";

const FilterField = defineAsyncComponent(
  async () => (await import("./filter-field.ts")).FilterField,
);

interface FieldParts {
  readonly operation: OperationData;
  readonly form: Form;
  readonly field: ParameterData;
  readonly problems: readonly FormProblem[];
}

/** One input with its label, its type, its description and its problems. */
export function fieldOf(parts: FieldParts): VNode {
  const { operation, form, field, problems } = parts;
  const { name, required, in: place } = field;
  const id = `console-${place}-${name}`;
  const isFile = operation.body?.files.includes(name) === true;
  const own = problems.filter((problem) => problem.field === name);
  const attributes = {
    id,
    "aria-describedby": `${id}-help`,
    "aria-invalid": own.length > 0,
    ...(required && { "aria-required": true }),
  };
  const values = valuesOf(resolved(field.schema, operation.components));
  const input = isFile
    ? fileInput(form, name, attributes)
    : values.length > 0
      ? choiceOf(form, field, values, attributes)
      : itemsOf(field.schema, operation.components) === undefined
        ? lineOf(form, field, attributes, operation)
        : linesOf(form, field, attributes);
  const isFilter = field.fields !== undefined && name === "filter";
  return h("div", { class: ["console-field", isFilter && "console-wide"], key: id }, [
    h(isFilter ? "div" : "label", { class: "console-label", ...(!isFilter && { for: id }) }, [
      h("code", name),
      h("span", { class: "console-type" }, ` ${typeText(field, operation, isFile)}`),
      required ? h("span", { class: "member-required" }, " required") : null,
    ]),
    isFilter
      ? h(FilterField, {
          label: name,
          describedBy: `${id}-help`,
          resource: field.fields ?? "",
          modelValue: form.texts[name] ?? "",
          "onUpdate:modelValue": (text: string) => (form.texts[name] = text),
        })
      : input,
    h("div", { id: `${id}-help`, class: "console-help" }, [
      ...own.map(({ text }) => h("p", { class: "console-problem" }, text)),
      h("p", proseOf(field.description)),
    ]),
  ]);
}

/** The first sentence, with inline code. */
export const proseOf = (text: string): (VNode | string)[] =>
  (/^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text)
    .split(/(`[^`]+`)/)
    .map((part) => (/^`.+`$/.test(part) ? codeOf(part.slice(1, -1)) : part));

const codeOf = (text: string): VNode => h("code", { class: { long: isLongCode(text) } }, text);

type Attributes = Readonly<Record<string, unknown>>;

const write =
  (form: Form, name: string) =>
  (event: Event): void => {
    form.texts[name] = (event.target as HTMLInputElement).value;
  };

function fileInput(form: Form, name: string, attributes: Attributes): VNode {
  const change = (event: Event): void => {
    const file = (event.target as HTMLInputElement).files?.[0];
    if (file === undefined) delete form.files[name];
    else form.files[name] = file;
  };
  return h("input", { ...attributes, type: "file", onChange: change });
}

function choiceOf(
  form: Form,
  { name, required, schema }: ParameterData,
  values: readonly unknown[],
  attributes: Attributes,
): VNode {
  const preset = schema["default"];
  const none = preset === undefined ? "not sent" : `not sent: ${String(preset)}`;
  return h("select", { ...attributes, value: form.texts[name], onChange: write(form, name) }, [
    h("option", { value: "" }, required ? "choose a value" : none),
    ...values.map((value) => h("option", { value: String(value) }, String(value))),
  ]);
}

function lineOf(
  form: Form,
  field: ParameterData,
  attributes: Attributes,
  { components }: OperationData,
): VNode {
  const { name, schema, example } = field;
  const isNumber = alternativesOf(schema, components).some(({ type }) => type === "integer");
  const preset = resolved(schema, components)["default"];
  return h("input", {
    ...attributes,
    type: "text",
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: false,
    ...(isNumber && { inputmode: "numeric" }),
    placeholder: preset === undefined ? exampleText(example) : `${String(preset)} if not sent`,
    value: form.texts[name],
    onInput: write(form, name),
  });
}

const linesOf = (form: Form, { name, example }: ParameterData, attributes: Attributes): VNode =>
  h("textarea", {
    ...attributes,
    rows: Math.min(6, Math.max(2, (form.texts[name] ?? "").split("\n").length)),
    autocapitalize: "off",
    spellcheck: false,
    placeholder: exampleText(example),
    value: form.texts[name],
    onInput: write(form, name),
  });

const exampleText = (example: unknown): string =>
  example === undefined ? "" : `for example ${[example].flat().map(String).join(", ")}`;

function typeText(
  { schema, in: place }: ParameterData,
  operation: OperationData,
  isFile: boolean,
): string {
  if (isFile) return "file";
  const items = itemsOf(schema, operation.components);
  const own = resolved(schema, operation.components);
  const type = items === undefined ? String(own["type"] ?? "text") : "list, one item a line";
  const { minimum, maximum } = own;
  const range =
    minimum === undefined && maximum === undefined
      ? ""
      : `, ${String(minimum ?? "")} to ${String(maximum ?? "")}`;
  return `${type}${range}${place === "header" ? ", header" : ""}`;
}

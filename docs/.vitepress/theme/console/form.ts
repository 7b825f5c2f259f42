import { placeOf, SchemaSet, type SchemaProblem } from "@security-platform/spec/schemas";
import { computed, reactive, ref, shallowRef, type ComputedRef, type Ref } from "vue";
import type { SampleInput } from "../../../scripts/reference/sample-input.ts";
import type { OperationData, ParameterData } from "./operation-data.ts";
import { itemsOf, propertiesOf, resolved, valueOfText } from "./schema-walk.ts";
import type { FilledRequest } from "./send.ts";

/** A problem with the name of the input that has it. */
export interface FormProblem {
  /** The parameter or the member of a form; null for the JSON body as a whole. */
  readonly field: string | null;
  readonly text: string;
  /** Within a JSON body. */
  readonly path?: SchemaProblem["path"];
}

/** What a reader fills in. */
export interface Form {
  /** The inputs of the parameters, and of the members of a body that is a form. */
  readonly parameters: readonly ParameterData[];
  readonly members: readonly ParameterData[];
  /** Texts by name; lists have one item a line. An empty text is not sent. */
  readonly texts: Record<string, string>;
  readonly files: Record<string, File>;
  /** The JSON body; null if there is none. */
  readonly json: Ref<string> | null;
  /** What the editor of a GraphQL query finds in the body; the form cannot check it. */
  readonly queryProblems: Ref<readonly FormProblem[]>;
  readonly problems: ComputedRef<readonly FormProblem[]>;
  /** The editor also names problems with the syntax. */
  readonly request: ComputedRef<FilledRequest>;
}

/** The form of an operation, filled with the examples of what is required. */
export function formOf(operation: OperationData): Form {
  const { parameters, body, components } = operation;
  const isJson = body !== null && body.mediaType.includes("json");
  const members = body === null || isJson ? [] : membersOf(operation);
  const texts = reactive<Record<string, string>>({});
  const files = reactive<Record<string, File>>({});
  for (const { name, required, example, in: place } of [...parameters, ...members]) {
    texts[name] = (required || place === "path") && example !== undefined ? textOf(example) : "";
  }
  const json = isJson ? ref(pretty(body.examples[0]?.value)) : null;
  const schemas = new SchemaSet(() => components);
  const checks = new Map(
    [...parameters, ...members].map(({ name, schema }) => [name, schemas.validator(schema)]),
  );
  const queryProblems = shallowRef<readonly FormProblem[]>([]);
  const checkBody = isJson ? schemas.validator(body.schema) : null;

  const valueOf = ({ name, schema }: ParameterData): unknown => {
    const text = texts[name] ?? "";
    if (text === "") return undefined;
    const items = itemsOf(schema, components);
    if (items === undefined) return valueOfText(text, schema, components);
    return text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => valueOfText(line.trim(), items, components));
  };

  const problemsOf = (field: ParameterData): readonly FormProblem[] => {
    const { name, required } = field;
    if (body?.files.includes(name) === true) {
      return required && files[name] === undefined ? [{ field: name, text: "choose a file" }] : [];
    }
    const value = valueOf(field);
    if (value === undefined) return required ? [{ field: name, text: "a value is required" }] : [];
    return (checks.get(name)?.(value) ?? []).map(({ path, message }) => ({
      field: name,
      text: path.length === 0 ? message : `${placeOf(name, path)}: ${message}`,
    }));
  };

  const parsed = computed(() => {
    const text = json?.value.trim() ?? "";
    if (text === "") return { value: undefined, problem: null };
    try {
      return { value: JSON.parse(text) as unknown, problem: null };
    } catch (error) {
      return { value: undefined, problem: `the body is not JSON: ${(error as Error).message}` };
    }
  });

  const bodyProblems = (): readonly FormProblem[] => {
    if (body?.graphql !== undefined) return queryProblems.value;
    if (checkBody === null) return [];
    const { value, problem } = parsed.value;
    if (problem !== null) return [{ field: null, text: problem }];
    if (value === undefined)
      return body?.required === true ? [{ field: null, text: "a body is required" }] : [];
    return checkBody(value).map(({ path, message }) => ({
      field: null,
      path,
      text: `${placeOf("body", path)}: ${message}`,
    }));
  };

  const placed = (place: ParameterData["in"]): Readonly<Record<string, unknown>> =>
    Object.fromEntries(
      parameters
        .filter((parameter) => parameter.in === place && texts[parameter.name] !== "")
        .map((parameter) => [parameter.name, valueOf(parameter)]),
    );

  const bodyInput = (): SampleInput["body"] => {
    if (body === null) return null;
    const { mediaType, files: names } = body;
    if (json !== null) {
      if (json.value.trim() === "") return null;
      return { mediaType, value: parsed.value.value ?? {}, files: [] };
    }
    const value = Object.fromEntries(
      members.flatMap((member) => {
        const file = files[member.name];
        if (file !== undefined) return [[member.name, file.name]];
        const text = texts[member.name] ?? "";
        return text === "" ? [] : [[member.name, text]];
      }),
    );
    return { mediaType, value, files: names };
  };

  return {
    parameters,
    members,
    texts,
    files,
    json,
    queryProblems,
    problems: computed(() => [
      ...[...parameters, ...members].flatMap(problemsOf),
      ...bodyProblems(),
    ]),
    request: computed(() => ({
      input: {
        query: placed("query"),
        path: placed("path"),
        headers: placed("header"),
        body: bodyInput(),
      },
      text: json === null || json.value.trim() === "" ? null : json.value,
      files: { ...files },
    })),
  };
}

/** The members of a body that is a form, as inputs. */
function membersOf({ body, components }: OperationData): readonly ParameterData[] {
  if (body === null) return [];
  const schema = resolved(body.schema, components);
  const required = (schema["required"] ?? []) as readonly string[];
  const example = (body.examples[0]?.value ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(propertiesOf(schema)).map(([name, member]) => {
    const own = resolved(member, components);
    return {
      name,
      in: "query",
      required: required.includes(name),
      description: String(own["description"] ?? ""),
      schema: own,
      example: example[name],
    };
  });
}

const textOf = (example: unknown): string => [example].flat().map(String).join("\n");

/** An example as the text of the editor. */
export const pretty = (value: unknown): string =>
  value === undefined ? "" : JSON.stringify(value, null, 2);

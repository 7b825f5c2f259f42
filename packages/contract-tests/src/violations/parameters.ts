import type { Contract, Operation, Parameter, Schema } from "../contract.ts";
import { withQuery, withoutQuery } from "../requests/request.ts";
import { resolveSchema, typesOf } from "../schemas/resolve-schema.ts";
import { variants } from "../schemas/variants.ts";
import { wrongNumbers, wrongTexts, type WrongValue } from "../schemas/wrong-values.ts";
import type { RequestViolation } from "./violation.ts";

/** Maximum length of a query text. Longer ones exceed limits of servers and proxies before the documented ones. */
const longestText = 8_000;
const longestQuery = 60_000;

/** One violation for every documented rule of the parameters of an operation. */
export function parameterViolations(
  contract: Contract,
  operation: Operation,
): readonly RequestViolation[] {
  const parameters = operation.parameters.filter((parameter) => parameter.in === "query");
  return [
    unknownParameter("no_such_parameter", []),
    ...parameters.slice(0, 1).map(({ name }) => unknownParameter(`${name}x`, [name])),
    ...parameters.flatMap((parameter) => ofParameter(contract, parameter)),
    ...pagingViolations(contract, operation),
  ];
}

const unknownParameter = (name: string, nearest: readonly string[]): RequestViolation => ({
  name: `query.${name}, which does not exist${nearest.length > 0 ? ", near one that does" : ""}`,
  law: "shape",
  apply: (parts) => withQuery(parts, { [name]: "1" }),
  named: [[`query.${name}`], ...(nearest.length > 0 ? [nearest] : [])],
});

function ofParameter(contract: Contract, parameter: Parameter): readonly RequestViolation[] {
  const { name, required } = parameter;
  const schema = resolveSchema(contract, parameter.schema);
  const isList = typesOf(schema).includes("array");
  const violation = (kind: string, value: string | readonly string[], limit: boolean) => ({
    name: `query.${name} ${kind}`,
    law: limit ? ("limits" as const) : ("shape" as const),
    apply: (parts: Parameters<RequestViolation["apply"]>[0]) => withQuery(parts, { [name]: value }),
    named: [[`query.${name}`]],
    ...(!required && [value].flat().every((text) => text === "") ? { isAbsent: true } : {}),
  });
  return [
    ...(required
      ? [
          {
            name: `query.${name} missing`,
            law: "shape" as const,
            apply: (parts: Parameters<RequestViolation["apply"]>[0]) => withoutQuery(parts, name),
            named: [[`query.${name}`]],
          },
        ]
      : []),
    ...(isList
      ? wrongLists(contract, parameter, schema)
      : [...wrongParameterTexts(schema), { kind: "given twice", value: ["1", "1"], limit: false }]
    ).map(({ kind, value, limit }) => violation(kind, value as string | readonly string[], limit)),
  ];
}

/** Sent values are texts: a number or boolean is invalid if it cannot be parsed as one. */
function wrongParameterTexts(schema: Schema): readonly WrongValue[] {
  const types = typesOf(schema);
  const bad = (kind: string, value: string): WrongValue => ({ kind, value, limit: false });
  if (types.includes("integer")) {
    const outside = wrongNumbers(schema);
    return [
      bad("not a number", "ten"),
      bad("a fraction", "1.5"),
      bad("empty", ""),
      ...outside.map((wrong) => ({ ...wrong, value: String(wrong.value) })),
      ...outside
        .slice(-1)
        .map((wrong) => ({ ...wrong, kind: "far too large", value: "9".repeat(12) })),
    ];
  }
  if (types.includes("boolean")) return [bad("not a boolean", "maybe"), bad("empty", "")];
  return wrongTexts(schema, longestText);
}

function wrongLists(
  contract: Contract,
  parameter: Parameter,
  schema: Schema,
): readonly WrongValue[] {
  const items = resolveSchema(contract, (schema["items"] ?? {}) as Schema);
  const maximum = schema["maxItems"] as number | undefined;
  const tooMany = maximum === undefined ? [] : variants(parameter.example, items, maximum + 1);
  const length = tooMany.reduce((sum, each) => sum + each.length + parameter.name.length + 2, 0);
  return [
    ...wrongParameterTexts(items).map((wrong) => ({
      ...wrong,
      kind: `with an item ${wrong.kind}`,
      value: [wrong.value as string],
      limit: false,
    })),
    ...(tooMany.length > 0 && length < longestQuery
      ? [{ kind: `with more than ${maximum} items`, value: tooMany, limit: true }]
      : []),
  ];
}

/** Combinations of mutually exclusive paging parameters. */
function pagingViolations(contract: Contract, operation: Operation): readonly RequestViolation[] {
  const find = (name: string) => operation.parameters.find((parameter) => parameter.name === name);
  const cursor = operation.cursorParameter;
  const [limit, offset] = [find("limit"), find("offset")];
  if (cursor === undefined) return [];
  const garbage: RequestViolation = {
    name: `query.${cursor} that is no cursor`,
    law: "shape",
    apply: (parts) => withQuery(parts, { [cursor]: "bm90LWEtY3Vyc29y" }),
    named: [[`query.${cursor}`]],
  };
  if (cursor === "offset" || offset === undefined || limit === undefined) return [garbage];
  const [widest, furthest] = [limit, offset].map(
    ({ schema }) => resolveSchema(contract, schema)["maximum"] as number | undefined,
  );
  return [
    garbage,
    {
      name: `query.offset beside ${cursor}`,
      law: "shape",
      apply: (parts) => withQuery(parts, { offset: "0", [cursor]: "bm90LWEtY3Vyc29y" }),
      named: [["offset"], [cursor]],
    },
    ...(widest !== undefined && furthest !== undefined && widest > 1
      ? [
          {
            name: "query.offset and limit beyond the window",
            law: "limits" as const,
            apply: (parts: Parameters<RequestViolation["apply"]>[0]) =>
              withQuery(parts, { offset: String(furthest), limit: String(widest) }),
            named: [["offset"], [cursor]],
          },
        ]
      : []),
  ];
}

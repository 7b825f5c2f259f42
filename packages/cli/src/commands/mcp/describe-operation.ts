import { calledDocument, type CalledOperation, type JsonSchema } from "@security-platform/spec";
import { fieldRows } from "../fql/field-rows.ts";
import { fieldsOf } from "../fql/filter-fields.ts";
import { isRead } from "./operation-names.ts";

/** What an assistant needs to call an operation. */
export function describeOperation(operation: CalledOperation): object {
  const { id, method, path, summary, description, scope, parameters, requestBody } = operation;
  const { replacedBy, paging } = operation;
  const fields = fieldsOf(id);
  const schemas: JsonSchema[] = [];
  const described = {
    operation: id,
    request: `${method.toUpperCase()} ${path}`,
    summary,
    description,
    changes_records: !isRead(operation),
    scope,
    ...(replacedBy === undefined ? {} : { deprecated: `use ${replacedBy}` }),
    ...(paging === "none" ? {} : { paging }),
    parameters: parameters
      .filter(({ in: place }) => place !== "header")
      .map(({ name, required, description: text, schema, example }) => {
        schemas.push(schema);
        return { name, required, description: text, schema, example };
      }),
    ...(requestBody === undefined
      ? {}
      : {
          body: {
            required: requestBody.required,
            schema: requestBody.schema,
            example: requestBody.example,
          },
        }),
    ...(fields === undefined ? {} : { filter_fields: fieldRows(fields).map(shortRow) }),
  };
  if (requestBody !== undefined) schemas.push(requestBody.schema);
  const used = usedSchemas(schemas);
  return Object.keys(used).length === 0 ? described : { ...described, schemas: used };
}

const shortRow = ({
  field,
  type,
  operators,
  values,
  example,
}: ReturnType<typeof fieldRows>[number]) => ({
  field,
  type,
  operators: operators.join(" "),
  ...(values === null ? {} : { values }),
  example,
});

/** The named schemas that these refer to, directly or through others. */
function usedSchemas(roots: readonly JsonSchema[]): Readonly<Record<string, JsonSchema>> {
  const all = calledDocument().schemas;
  const used: Record<string, JsonSchema> = {};
  const follow = (schema: unknown): void => {
    for (const [, name = ""] of JSON.stringify(schema).matchAll(
      /"#\/components\/schemas\/([^"]+)"/g,
    )) {
      const target = all[name];
      if (target === undefined || Object.hasOwn(used, name)) continue;
      used[name] = target;
      follow(target);
    }
  };
  for (const root of roots) follow(root);
  return used;
}

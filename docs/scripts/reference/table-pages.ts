/** Tables over all operations: scopes, roles, statuses, headers and limits. */
import type { JsonSchema, OpenApiDocument, Operation } from "@security-platform/spec";
import { roleDefinitions } from "../../../packages/server/src/access/roles.ts";
import { code, foldedInline, joinBlocks, prose, table } from "./markdown.ts";
import { headerAnchor, linkedProse } from "./mentions.ts";
import { operationLink } from "./places.ts";
import { ruleTexts, typeText, type Components } from "./schema.ts";
import { statusName } from "./status-name.ts";

/** Maximum number of listed operations. If there are more, they are only counted. */
const mostLinks = 12;

const frontMatter = "---\nsearch: title\naside: false\npageClass: table-page\n---";

const linksTo = (operations: readonly Operation[]): string =>
  operations.length > mostLinks
    ? `${operations.length} operations`
    : operations.map(({ id }) => `[${id}](${operationLink(id)})`).join(", ");

/** The scopes of a document with what each allows. */
export function scopeTexts({ components }: OpenApiDocument): Readonly<Record<string, string>> {
  const { flows } = (components["securitySchemes"]?.["oauth2"] ?? {}) as {
    readonly flows?: Readonly<
      Record<string, { readonly scopes: Readonly<Record<string, string>> }>
    >;
  };
  return flows?.["clientCredentials"]?.scopes ?? {};
}

/** Each scope with the operations that it opens, and the roles that have it. */
export function scopesPage(
  operations: readonly Operation[],
  scopes: Readonly<Record<string, string>>,
): string {
  const byScope = Map.groupBy(operations, ({ scope }) => scope ?? "");
  const used = [...byScope.keys()].filter((scope) => scope !== "").toSorted();
  return joinBlocks([
    frontMatter,
    "# Scopes and roles",
    "A token opens an operation if it has the operation's scope: [authentication](/guides/authentication). A client that [acts as a user](/guides/tenants-and-roles#act-as-a-user) also needs a role with the same permission.",
    "## Scopes",
    table(
      ["Scope", "Allows", "Operations"],
      used.map((scope) => {
        const opened = byScope.get(scope) ?? [];
        const links = opened.map(({ id, summary }) => `[${prose(summary)}](${operationLink(id)})`);
        return [code(scope), prose(scopes[scope] ?? ""), links.join(", ")];
      }),
    ),
    "## Roles",
    table(
      ["Role", "For", "Permissions"],
      roleDefinitions.map(({ role, permissions }) => [
        `${prose(role.display_name)}<br>${code(role.id)}`,
        prose(role.description),
        used.every((scope) => permissions.has(scope))
          ? "all"
          : [...permissions].toSorted().map(code).join(", "),
      ]),
    ),
  ]);
}

/** Each status with its meanings in the document. */
export function statusesPage(operations: readonly Operation[]): string {
  const uses = operations.flatMap((operation) =>
    operation.responses.map((response) => ({ operation, ...response })),
  );
  const byStatus = Map.groupBy(uses, ({ status }) => status);
  const errors = [...byStatus].filter(([status]) => status >= 400);
  return joinBlocks([
    frontMatter,
    "# Statuses",
    "All statuses of the document. The page of an operation lists its own; [Errors](/guides/errors) explains what to do.",
    "## Successes",
    table(
      ["Status", "Operations"],
      [...byStatus]
        .filter(([status]) => status < 400)
        .toSorted(([left], [right]) => left - right)
        .map(([status, all]) => [
          statusName(status),
          linksTo(all.map(({ operation }) => operation)),
        ]),
    ),
    "## Errors",
    table(
      ["Status", "Meaning", "Operations"],
      errors
        .toSorted(([left], [right]) => left - right)
        .flatMap(([status, all]) =>
          [...Map.groupBy(all, ({ description }) => description.trim())].map(([meaning, some]) => [
            statusName(status),
            linkedProse(meaning),
            linksTo(some.map(({ operation }) => operation)),
          ]),
        ),
    ),
  ]);
}

/** The headers of requests and responses. */
export function headersPage(operations: readonly Operation[], components: Components): string {
  const requests = operations.flatMap((operation) =>
    operation.parameters
      .filter((parameter) => parameter.in === "header")
      .map((parameter) => ({ operation, ...parameter })),
  );
  const responses = operations.flatMap((operation) =>
    operation.responses.flatMap(({ headers }) =>
      Object.entries(headers).map(([name, header]) => ({ operation, name, ...header })),
    ),
  );
  return joinBlocks([
    frontMatter,
    "# Headers",
    "## Of requests",
    headerTable(requests, components, headerAnchor),
    "## Of responses",
    headerTable(responses, components, (name) =>
      requests.some((request) => request.name === name)
        ? `response-${headerAnchor(name)}`
        : headerAnchor(name),
    ),
  ]);
}

interface HeaderUse {
  readonly operation: Operation;
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
}

const headerTable = (
  uses: readonly HeaderUse[],
  components: Components,
  anchorOf: (name: string) => string,
): string =>
  table(
    ["Header", "Type", "Meaning", "Operations"],
    [...Map.groupBy(uses, ({ name }) => name)]
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .flatMap(([name, some]) => {
        const [first] = some;
        if (first === undefined) return [];
        const operations = [...new Set(some.map(({ operation }) => operation))];
        return [
          [
            `[${code(name)}](#${anchorOf(name)}){#${anchorOf(name)}}`,
            typeText(first.schema, components),
            linkedProse(first.description),
            linksTo(operations),
          ],
        ];
      }),
  );

/** The page sizes of lists, and how many records one request may have. */
export function limitsPage(operations: readonly Operation[], components: Components): string {
  const withParameter = (name: string) =>
    operations.flatMap((operation) => {
      const parameter = operation.parameters.find((each) => each.name === name);
      return parameter === undefined ? [] : [{ operation, schema: parameter.schema }];
    });
  const rows = (name: string) =>
    [
      ...Map.groupBy(withParameter(name), ({ schema }) =>
        ruleTexts(schema, components).map(prose).join("; "),
      ),
    ].map(([rules, some]) => [
      rules === "" ? "no limit but that of the request" : rules,
      foldedInline(
        some.length === 1 ? "1 operation" : `${some.length} operations`,
        some
          .map(({ operation: { id, summary } }) => `[${prose(summary)}](${operationLink(id)})`)
          .join(", "),
      ),
    ]);
  return joinBlocks([
    frontMatter,
    "# Limits",
    "How many records a page of a list has at most, and how many ids one request may have. The limits of a server, such as requests per minute and the size of a body, are [options of `secplat serve`](/guides/running#limits).",
    "## Records of a page",
    `The parameter ${code("limit")} of lists: [Paging](/guides/paging).`,
    table(["Limit", "Operations"], rows("limit")),
    "## Identifiers of a request",
    `The parameter ${code("ids")}. The client [splits longer lists](/guides/batches).`,
    table(["Identifiers", "Operations"], rows("ids")),
  ]);
}

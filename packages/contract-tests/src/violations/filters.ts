import type { Contract } from "../contract.ts";
import type { RequestParts } from "../requests/request.ts";
import type { RequestViolation } from "./violation.ts";

export interface FqlPlace {
  /** Place of the filter: `query.filter`, `body.bulk_update.filter`. */
  readonly place: string;
  readonly use: "filter" | "sort" | "field";
  /** The kind of record whose table applies; undefined for columns that depend on the request. */
  readonly resource: string | undefined;
  readonly set: (parts: RequestParts, text: string) => RequestParts;
}

interface WrongExpression {
  readonly kind: string;
  readonly text: string;
  readonly named?: readonly (readonly string[])[];
}

/** Invalid FQL at one place that accepts FQL. */
export function fqlViolations(contract: Contract, at: FqlPlace): readonly RequestViolation[] {
  const expression = at.use === "sort" ? "sort" : "filter";
  return wrongExpressions(contract, at).map(({ kind, text, named = [] }) => ({
    name: `${at.place} ${kind}: ${text}`,
    law: "filter",
    apply: (parts) => at.set(parts, text),
    named: [[`Invalid ${expression} expression supplied`, at.place], ...named],
  }));
}

function wrongExpressions(
  contract: Contract,
  { use, resource }: FqlPlace,
): readonly WrongExpression[] {
  const fields = Object.entries(contract.tables[resource ?? ""]?.fields ?? {});
  const ofType = (type: string) => fields.find(([, field]) => field.type === type)?.[0];
  const fieldName = ofType("string") ?? "id";
  const misspelt = `${fieldName}x`;
  const unknown = (text: string): readonly WrongExpression[] =>
    resource === undefined
      ? []
      : [
          {
            kind: "with an unknown field",
            text: text.replace("?", "no_such_field"),
            named: [["no_such_field"]],
          },
          {
            kind: "with a misspelt field",
            text: text.replace("?", misspelt),
            named: [[misspelt], [fieldName]],
          },
        ];
  switch (use) {
    case "field":
      return unknown("?");
    case "sort": {
      const fixed = fields.find(([, { sortable }]) => sortable !== true)?.[0];
      return [
        ...unknown("?.asc"),
        ...(fixed === undefined
          ? []
          : [{ kind: "with an unsortable field", text: `${fixed}.asc`, named: [[fixed]] }]),
        { kind: "with an unknown direction", text: `${fieldName}.sideways` },
        { kind: "with a field twice", text: `${fieldName}.asc,${fieldName}.desc` },
        { kind: "with an empty entry", text: `${fieldName}.asc,,` },
      ];
    }
    case "filter":
      return [
        ...unknown("?:'1'"),
        ...syntaxErrors(fieldName).map((text) => ({ kind: "with bad syntax", text })),
        ...typeErrors(ofType),
      ];
  }
}

const syntaxErrors = (field: string): readonly string[] => [
  `${field}:`,
  `${field}:'1'+`,
  `${field}:'1'${field}:'2'`,
  `(${field}:'1'`,
  `${field}:'1`,
  `${field}='1'`,
  `${field}:[]`,
  `!${field}:'1'`,
];

function typeErrors(ofType: (type: string) => string | undefined): readonly WrongExpression[] {
  const kinds: readonly (readonly [string, string])[] = [
    ["boolean", ":1"],
    ["number", ":~'1'"],
    ["timestamp", ":>'yesterday'"],
    ["ip", ":*'10.*'"],
  ];
  return kinds.flatMap(([type, condition]) => {
    const field = ofType(type);
    return field === undefined
      ? []
      : [
          {
            kind: `with a wrong ${type} condition`,
            text: `${field}${condition}`,
            named: [[field]],
          },
        ];
  });
}

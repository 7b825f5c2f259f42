import { type Field, matches, parseFilter } from "@security-platform/fql";
import type { FqlTable } from "@security-platform/spec";
import { withQuery, type JsonObject } from "../../requests/request.ts";
import type { Case } from "../case.ts";
import type { CaseContext } from "../case-context.ts";
import { equalValues } from "../compare.ts";
import { fieldValues, literal, type Scalar } from "../fields.ts";
import type { Generator } from "../generator.ts";
import { idsOf } from "../paging.ts";
import { pagedSubject } from "../paged-subject.ts";

/**
 * Every filter field accepts the operators of its type and rejects the others. An accepted filter
 * selects the same records as an evaluation in memory.
 */
export const operatorsLaw: Generator = (operation, { recipes, conformance: { contract } }) => {
  const { resource, effect, inferred } = recipes.of(operation);
  const filter = operation.parameters.find(({ fql }) => fql?.use === "filter");
  const table = contract.tables[filter?.fql?.resource ?? ""];
  const isList = filter !== undefined && table !== undefined && operation.paging !== "none";
  if (!isList || effect !== "none" || inferred === true) return [];
  const isMade = resource !== null && recipes.resource(resource).lifecycle !== null;
  const isOwn = isMade && recipes.isTableOf(resource, filter.fql?.resource);
  return Object.entries(table.fields)
    .filter(([, field]) => field.filterable !== false)
    .map(([name, field]): Case => ({
      operation,
      status: operation.successStatus,
      law: "operators",
      title: `every operator on ${name}`,
      needs: [],
      costly: true,
      run: (context) =>
        isOwn
          ? compareOperators(context, filter.name, table, [name, field])
          : acceptOperators(context, filter.name, [name, field]),
    }));
};

/** A condition on one field, and whether the language allows it there. */
export interface Condition {
  readonly text: string;
  readonly allowed: boolean;
}

const samples: Readonly<Record<Field["type"], Scalar>> = {
  string: "sample-value",
  number: 7,
  boolean: true,
  timestamp: "2026-01-02T03:04:05Z",
  ip: "192.0.2.7",
};

/** Operators of a type besides equality, lists, null and presence. */
const operatorsOf: Readonly<
  Record<Field["type"], { readonly order: boolean; readonly text: boolean }>
> = {
  string: { order: true, text: true },
  number: { order: true, text: false },
  boolean: { order: false, text: false },
  timestamp: { order: true, text: false },
  ip: { order: false, text: false },
};

/** One condition with the value for each operator of the language. */
export function conditionsOn(name: string, { type }: Field, value: Scalar): readonly Condition[] {
  const { order, text } = operatorsOf[type];
  const [written, plainText] = [literal(value), String(value)];
  const part = plainText.slice(0, Math.max(1, Math.ceil(plainText.length / 2)));
  const allowed = (...texts: readonly string[]): readonly Condition[] =>
    texts.map((each) => ({ text: `${name}:${each}`, allowed: true }));
  const only = (isAllowed: boolean, ...texts: readonly string[]): readonly Condition[] =>
    texts.map((each) => ({ text: `${name}:${each}`, allowed: isAllowed }));
  const hasLetters = /[a-z0-9]/i.test(part);
  return [
    ...allowed(written, `!${written}`, `[${written}]`, `![${written}]`),
    ...allowed("null", "!null", "*", "!*", "*'*'"),
    ...only(order, ...[">", ">=", "<", "<="].map((operator) => `${operator}${written}`)),
    ...only(text, `*${literal(`${part}*`)}`, `!*${literal(`${part}*`)}`),
    ...only(text, `~*${literal(`${part.toUpperCase()}*`)}`),
    ...(hasLetters ? only(text, `~${literal(part)}`, `!~${literal(part)}`) : []),
    ...(type === "string" ? allowed("''", "!''") : []),
    ...(type === "boolean" ? [...allowed("'true'", "FALSE"), ...only(false, "1", "0")] : []),
    ...(type === "number" ? [...allowed("'7'"), ...only(false, "'seven'")] : []),
    ...(type === "timestamp" ? [...allowed("'2026-01-02'"), ...only(false, "'yesterday'")] : []),
    ...(type === "ip" ? [...allowed("'192.0.2.0/24'"), ...only(false, "'192.0.2.0/33'")] : []),
  ];
}

async function compareOperators(
  context: CaseContext,
  parameter: string,
  { fields }: FqlTable,
  [name, field]: readonly [string, Field],
): Promise<void> {
  const {
    idField,
    unseen = [],
    restless = [],
  } = context.run.recipes.resource(context.recipe.resource ?? "");
  const { records, ...subject } = await pagedSubject(context);
  const isShown = !unseen.includes(name) && !restless.includes(name);
  const value = records.flatMap((record) => fieldValues(record, name, field))[0];
  const parts = context.happy({ ...subject, records });
  const within = String(parts.query[parameter]);
  // Timestamps from the target's clock are not used in conditions.
  const now = new Date(0);
  for (const { text, allowed } of conditionsOn(name, field, value ?? sampleOf(field))) {
    const answer = await context.send(withQuery(parts, { [parameter]: `${within}+${text}` }));
    if (!checkAccepted(context, answer, text, allowed) || !isShown) continue;
    const condition = parseFilter(text);
    const expected = records
      .filter((record: JsonObject) => matches(condition, record, fields, now))
      .map((record) => String(record[idField]))
      .toSorted();
    const got = idsOf(context, answer).toSorted();
    context.check(answer, equalValues(got, expected), `${text} selects other records`, {
      expected,
      got,
    });
  }
}

/** Only checks whether each operator is accepted, because the records are not completely known. */
async function acceptOperators(
  context: CaseContext,
  parameter: string,
  [name, field]: readonly [string, Field],
): Promise<void> {
  const parts = context.happy(await context.readable());
  for (const { text, allowed } of conditionsOn(name, field, sampleOf(field))) {
    checkAccepted(
      context,
      await context.send(withQuery(parts, { [parameter]: text })),
      text,
      allowed,
    );
  }
}

const sampleOf = ({ values, type }: Field): Scalar => values?.[0] ?? samples[type];

/** Whether the response is a success, as required for an allowed operator. */
function checkAccepted(
  context: CaseContext,
  answer: Awaited<ReturnType<CaseContext["send"]>>,
  text: string,
  allowed: boolean,
): boolean {
  const expected = allowed ? context.operation.successStatus : 400;
  const message = `${text} is ${allowed ? "refused" : "accepted"}`;
  const isRight = answer.status === expected;
  context.check(answer, isRight, message, { expected, got: answer.status });
  return isRight && allowed;
}

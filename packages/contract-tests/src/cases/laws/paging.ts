import { withQuery, type RequestParts } from "../../requests/request.ts";
import type { Answer } from "../../target/answer.ts";
import { otherAccess } from "../../target/credentials.ts";
import type { Case, Need } from "../case.ts";
import type { CaseContext } from "../case-context.ts";
import { equalValues } from "../compare.ts";
import type { Generator } from "../generator.ts";
import { ListMoved } from "../../failure.ts";
import { pageSize, pagingModes, walkPages, type PagingMode, type Walk } from "../paging.ts";
import { largestLimit, pagedRecords, pagedSubject } from "../paged-subject.ts";
import { fullPageIsTheEnd, lastPageIsTheEnd, looking, pagesAreNotTooLong } from "./page-ends.ts";
import { writesBetweenPages } from "./paging-writes.ts";

const mostPages = 20;

/** Pages by offset, cursor and link contain each record once, in the order of the whole list. */
export const pagingLaw: Generator = (operation, { recipes }) => {
  if (operation.paging === "none") return [];
  const { resource } = recipes.of(operation);
  const isMade = resource !== null && recipes.resource(resource).lifecycle !== null;
  const needs: readonly Need[] = resource === null || isMade ? [] : [`known ${resource}`];
  const aCase = (title: string, run: Case["run"], more: readonly Need[] = []): Case => ({
    operation,
    status: operation.successStatus,
    law: "paging",
    title,
    needs: [...needs, ...more],
    run,
  });
  return [
    ...pagingModes({ operation }).map((mode) =>
      aCase(`pages by ${mode} show each record once`, (context) =>
        pagesAreTheWhole(context, mode, isMade),
      ),
    ),
    aCase("no page is longer than its limit", looking(pagesAreNotTooLong)),
    aCase("the last page has no next page", looking(lastPageIsTheEnd)),
    aCase("a list that ends with a full page has no next page", looking(fullPageIsTheEnd)),
    ...(isMade && operation.cursorParameter !== undefined
      ? [
          aCase(
            "a scan shows what exists throughout once, whatever is written",
            writesBetweenPages,
          ),
          aCase("a cursor belongs to its question", cursorIsBound),
          aCase("a cursor belongs to its tenant", cursorOfTenant, ["other tenant"]),
        ]
      : []),
  ];
};

async function pagesAreTheWhole(
  context: CaseContext,
  mode: PagingMode,
  isMade: boolean,
): Promise<void> {
  const subject = await pagedSubject(context);
  const parts = context.happy(subject);
  const { paged, whole } = await readAtRest(context, parts, mode);
  const [first] = paged.answers;
  const [firstOfWhole] = whole.answers;
  if (isMade && firstOfWhole !== undefined) {
    const got = whole.ids.length;
    const message = "the list does not hold the records";
    context.need(firstOfWhole, got === pagedRecords, message, { expected: pagedRecords, got });
  }
  if (first === undefined) return;
  context.check(first, equalValues(paged.ids, whole.ids), "the pages are not the whole list", {
    expected: whole.ids,
    got: paged.ids,
  });
  for (const answer of paged.answers) checkPage(context, answer, mode, whole.ids.length);
}

/** Maximum number of attempts to read a list, because others may write to it. */
const attempts = 3;

/**
 * Reads a list at once and page by page. If the results differ, the list is read again, because
 * others may have written to it. An order that changes by itself is a fault.
 */
async function readAtRest(
  context: CaseContext,
  parts: RequestParts,
  mode: PagingMode,
): Promise<{ readonly whole: Walk; readonly paged: Walk }> {
  const wholeParts = withQuery(parts, { limit: largestLimit(context) });
  let whole = await walkPages(context, wholeParts, mode);
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    // At least two pages of a short list, at most about twenty of a long one.
    const shortest = Math.max(1, Math.min(Number(pageSize), Math.floor(whole.ids.length / 2)));
    const size = Math.max(shortest, Math.ceil(whole.ids.length / mostPages));
    const paged = await walkPages(context, withQuery(parts, { limit: String(size) }), mode);
    const agrees =
      equalValues(paged.ids, whole.ids) && paged.answers.every(saysTotal(whole.ids.length));
    if (agrees) return { whole, paged };
    const before = whole;
    whole = await walkPages(context, wholeParts, mode);
    const isAtRest = equalValues(before.ids.toSorted(), whole.ids.toSorted());
    if (isAtRest && context.isAlone) return { whole: before, paged };
  }
  throw new ListMoved(`others write to the list of ${context.operation.id}`);
}

const saysTotal =
  (total: number) =>
  ({ headers }: Answer): boolean =>
    (headers["x-total-count"] ?? String(total)) === String(total);

/** Checks the page data of a page. */
function checkPage(context: CaseContext, answer: Answer, mode: PagingMode, total: number): void {
  const byOffset = mode === "offset" || context.operation.paging === "offset";
  const got = answer.headers["x-total-count"];
  // A page by cursor may have a total if it is free, for example if the page is the whole list.
  const agrees = got === String(total) || (got === undefined && !byOffset);
  context.check(answer, agrees, "wrong X-Total-Count", {
    expected: byOffset ? total : `none or ${total}`,
    got: got ?? "none",
  });
}

async function cursorOf(context: CaseContext): Promise<string> {
  const parts = withQuery(context.happy(await pagedSubject(context)), { limit: pageSize });
  const answer = await context.send(parts);
  const cursor = answer.headers["x-pagination-after"];
  context.need(answer, cursor !== undefined, "the first page has no cursor");
  return cursor ?? "";
}

async function cursorIsBound(context: CaseContext): Promise<void> {
  const cursor = await cursorOf(context);
  const { operation } = context;
  const name = operation.cursorParameter ?? "after";
  const happy = context.happy(await pagedSubject(context));
  const parts = withQuery(happy, { [name]: cursor });
  const middle = Math.floor(cursor.length / 2);
  const flipped = cursor[middle] === "A" ? "B" : "A";
  const changed = cursor.slice(0, middle) + flipped + cursor.slice(middle + 1);
  const { filter } = happy.query;
  const questions: readonly (readonly [string, Record<string, string>])[] = [
    ["a changed cursor", { [name]: changed }],
    ...(typeof filter === "string"
      ? [["another filter", { filter: `${filter},${filter}` }] as const]
      : []),
    ...(operation.parameters.some(({ fql }) => fql?.use === "sort")
      ? [["another sort", { sort: sortableField(context) }] as const]
      : []),
  ];
  for (const [changedPart, query] of questions) {
    const answer = await context.send(withQuery(parts, query));
    context.check(answer, answer.status === 400, `${changedPart} is not refused`, {
      expected: 400,
      got: answer.status,
    });
  }
}

function sortableField(context: CaseContext): string {
  const resource = context.operation.parameters.find(({ fql }) => fql?.use === "sort")?.fql
    ?.resource;
  const fields = Object.entries(context.run.contract.tables[resource ?? ""]?.fields ?? {});
  return fields.find(([, { sortable }]) => sortable === true)?.[0] ?? "id";
}

async function cursorOfTenant(context: CaseContext): Promise<void> {
  const cursor = await cursorOf(context);
  const name = context.operation.cursorParameter ?? "after";
  const parts = withQuery(context.happy(await pagedSubject(context)), { [name]: cursor });
  const answer = await context.send(parts, { access: otherAccess });
  context.needStatus(answer, 400);
}

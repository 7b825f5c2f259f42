import type { Operation } from "../contract.ts";
import { withQuery, type JsonObject, type RequestParts } from "../requests/request.ts";
import { listOf, type Answer } from "../target/answer.ts";
import type { CaseContext } from "./case-context.ts";

/** `limit` of the pages of a short list. */
export const pageSize = "3";

/** How to request the next page. */
export type PagingMode = "offset" | "cursor" | "link";

export interface Walk {
  readonly answers: readonly Answer[];
  /** Identifiers in the order of the pages. */
  readonly ids: readonly string[];
}

const mostPages = 200;

/** Reads all pages of a request. `between` runs between two pages. */
export async function walkPages(
  context: CaseContext,
  parts: RequestParts,
  mode: PagingMode,
  between: (page: number) => Promise<void> = async () => {},
): Promise<Walk> {
  const answers: Answer[] = [];
  const ids: string[] = [];
  let next: RequestParts | null = mode === "offset" ? withQuery(parts, { offset: "0" }) : parts;
  while (next !== null && answers.length < mostPages) {
    const answer: Answer = await context.send(next);
    context.needStatus(answer, context.operation.successStatus);
    answers.push(answer);
    ids.push(...idsOf(context, answer));
    next = nextPage(context, parts, mode, answer, ids.length);
    if (next !== null) await between(answers.length);
  }
  const last = answers.at(-1);
  if (last !== undefined) {
    context.need(last, next === null, `the pages do not come to an end after ${mostPages}`);
  }
  return { answers, ids };
}

/** The request for the page after an answer; null after the last page. */
export function nextPage(
  context: CaseContext,
  parts: RequestParts,
  mode: PagingMode,
  answer: Answer,
  seen: number,
): RequestParts | null {
  switch (mode) {
    case "offset": {
      const total = Number(answer.headers["x-total-count"]);
      context.need(answer, Number.isInteger(total), "a page by offset has no X-Total-Count");
      const isLast = listOf(answer).length === 0 || seen >= total;
      return isLast ? null : withQuery(parts, { offset: String(seen) });
    }
    case "cursor": {
      const after = answer.headers["x-pagination-after"];
      const name = context.operation.cursorParameter ?? "after";
      return after === undefined ? null : withQuery(parts, { [name]: after });
    }
    case "link": {
      const link = /<([^<>]*)>; rel="next"/.exec(answer.headers["link"] ?? "")?.[1];
      if (link === undefined) return null;
      const { searchParams } = new URL(link, "http://target");
      return { ...parts, query: Object.fromEntries(searchParams) };
    }
  }
}

/** Identifiers of a page, whether it holds identifiers or records. */
export function idsOf(context: CaseContext, answer: Answer): readonly string[] {
  const { resource } = context.recipe;
  const idField = resource === null ? "id" : context.run.recipes.resource(resource).idField;
  return listOf(answer).map((item) =>
    typeof item === "string" ? item : String((item as JsonObject)[idField]),
  );
}

/** Whether a request without `offset` and cursor is the first page in both ways of paging. */
export const isPlainPage = (operation: Operation): boolean =>
  operation.cursorParameter === "after" &&
  operation.parameters.some(({ name }) => name === "offset");

/** The documented ways of paging of the operation. */
export function pagingModes({ operation }: Pick<CaseContext, "operation">): readonly PagingMode[] {
  if (operation.paging === "none") return [];
  if (operation.paging === "offset") return ["offset", "link"];
  const alsoByOffset =
    operation.cursorParameter !== "offset" &&
    operation.parameters.some(({ name }) => name === "offset");
  return alsoByOffset ? ["offset", "cursor", "link"] : ["cursor", "link"];
}

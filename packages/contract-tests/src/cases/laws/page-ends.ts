import { withQuery } from "../../requests/request.ts";
import { listOf, type Answer } from "../../target/answer.ts";
import type { CaseContext } from "../case-context.ts";
import { equalValues } from "../compare.ts";
import { ListMoved } from "../../failure.ts";
import { pagingModes, walkPages } from "../paging.ts";
import { largestLimit, pagedSubject } from "../paged-subject.ts";

/** What is wrong with a page, and how the page was requested. */
interface Fault {
  readonly answer: Answer;
  readonly message: string;
  readonly expected: unknown;
  readonly got: unknown;
}

/** Requests pages of a list of `length` records; returns the first fault. */
type Look = (read: ReadPage, length: number, cursor: string) => Promise<Fault | undefined>;
type ReadPage = (query: Readonly<Record<string, string>>) => Promise<Answer>;

/** No page is longer than its `limit`. */
export const pagesAreNotTooLong: Look = async (read, length) => {
  for (const limit of [1, 2, 3].filter((each) => each < length)) {
    const answer = await read({ limit: String(limit) });
    const got = listOf(answer).length;
    if (got > limit)
      return { answer, message: "a page is longer than its limit", expected: limit, got };
  }
  return undefined;
};

/** The last page, which is not full, leads to no other. */
export const lastPageIsTheEnd: Look = async (read, length, cursor) => {
  if (length < 2) return undefined;
  const limit = String(length - 1);
  const first = await read({ limit });
  const next = nextOf(first, cursor);
  // Another case shows that there is one.
  return next === null
    ? undefined
    : faultOfEnd(await read({ limit, ...next }), "the last page", cursor);
};

/** A page that is full and ends the list leads to no other. */
export const fullPageIsTheEnd: Look = async (read, length, cursor) =>
  length === 0
    ? undefined
    : faultOfEnd(await read({ limit: String(length) }), "a full page at the end", cursor);

function faultOfEnd(answer: Answer, what: string, cursor: string): Fault | undefined {
  const got = nextOf(answer, cursor);
  return got === null
    ? undefined
    : { answer, message: `${what} of a list leads to a next page`, expected: "no next page", got };
}

/** The query of the next page, by link or cursor; null for none. */
function nextOf({ headers }: Answer, cursor: string): Readonly<Record<string, string>> | null {
  const link = /<([^<>]*)>; rel="?next"?/.exec(headers["link"] ?? "")?.[1];
  const after = headers["x-pagination-after"];
  if (link !== undefined) {
    return Object.fromEntries(new URL(link, "http://target").searchParams);
  }
  return after === undefined ? null : { [cursor]: after };
}

/** Maximum number of attempts, because others may write to the list. */
const attempts = 3;

/** Looks at pages of a list at rest. */
export const looking =
  (look: Look) =>
  async (context: CaseContext): Promise<void> => {
    const parts = context.happy(await pagedSubject(context));
    const [mode = "link"] = pagingModes(context);
    const maximum = Number(largestLimit(context));
    const read: ReadPage = async (query) => {
      const answer = await context.send(withQuery(parts, query));
      context.needStatus(answer, context.operation.successStatus);
      return answer;
    };
    const idsNow = async (): Promise<readonly string[]> =>
      (await walkPages(context, withQuery(parts, { limit: String(maximum) }), mode)).ids;
    let ids = await idsNow();
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      // The pages of a longer list are tested by the other cases.
      if (ids.length > maximum) return;
      const fault = await look(read, ids.length, context.operation.cursorParameter ?? "after");
      if (fault === undefined) return;
      const before = ids;
      ids = await idsNow();
      if (!context.isAlone || !equalValues(before, ids)) continue;
      const { answer, message, expected, got } = fault;
      context.check(answer, false, message, { expected, got });
      return;
    }
    throw new ListMoved(`others write to the list of ${context.operation.id}`);
  };

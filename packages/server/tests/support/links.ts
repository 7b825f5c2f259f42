import type { Answer } from "./api.ts";
import type { BaseSession } from "./session.ts";

const mostPages = 100;

/** The target of the `next` link; null without one. */
const nextLink = ({ headers }: Pick<Answer<unknown>, "headers">): string | null =>
  /<([^>]*)>; rel="next"/.exec(headers.get("link") ?? "")?.[1] ?? null;

/** The pages of a list, as a client gets them that follows `next`, up to the first error. */
export async function followLinks<Item>(
  { request }: Pick<BaseSession, "request">,
  url: string,
): Promise<readonly Answer<readonly Item[]>[]> {
  const pages: Answer<readonly Item[]>[] = [];
  let next: string | null = url;
  while (next !== null) {
    if (pages.length === mostPages) throw new Error(`more than ${mostPages} pages of ${url}`);
    const page: Answer<readonly Item[]> = await request<readonly Item[]>("GET", next);
    pages.push(page);
    next = page.status === 200 ? nextLink(page) : null;
  }
  return pages;
}

import type { Fields } from "@security-platform/fql";
import { withBase } from "vitepress";

/** An operation that filters, for a choice: `console/filters.json` of the site. */
export interface FilteredOperation {
  readonly id: string;
  readonly title: string;
  readonly collection: string;
  /** Name of the collection. */
  readonly tag: string;
  /** Name of the table of fields. */
  readonly resource: string;
}

export const loadFilters = (): Promise<readonly FilteredOperation[]> => load("filters");

/** The fields of a resource. */
export const loadFields = (resource: string): Promise<Fields> => load(`fields/${resource}`);

/** Throws an error with a sentence for the reader. */
async function load<Content>(name: string): Promise<Content> {
  const response = await fetch(withBase(`/console/${name}.json`)).catch(() => null);
  if (response?.ok === true) return (await response.json()) as Content;
  const reason = response === null ? "there is no connection" : `status ${response.status}`;
  throw new Error(`The fields could not be loaded (${reason}). Reload the page and try again.`);
}

import type { Subject } from "../recipes/recipe.ts";
import { resolveSchema } from "../schemas/resolve-schema.ts";
import type { CaseContext } from "./case-context.ts";
import { pageSize } from "./paging.ts";

/** Number of records in a paged list and number of its pages: three, the last one not full. */
export const pagedRecords = 7;

/** The same list for all paging cases of one kind of record. */
export const pagedSubject = (context: CaseContext): Promise<Subject> => {
  const { resource } = context.recipe;
  return resource === null
    ? context.readable()
    : context.run.subjects.shared(resource, "pages", pagedRecords);
};

export function largestLimit({ operation, run }: CaseContext): string {
  const limit = operation.parameters.find(({ name }) => name === "limit");
  const schema = limit && resolveSchema(run.contract, limit.schema);
  // A limit in digits has no maximum, but a default.
  return String(schema?.["maximum"] ?? schema?.["default"] ?? pageSize);
}

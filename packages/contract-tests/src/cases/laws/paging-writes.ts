import { emptyRequest, withQuery } from "../../requests/request.ts";
import type { CaseContext } from "../case-context.ts";
import { walkPages } from "../paging.ts";
import { pagedRecords, pageSize } from "./paging.ts";

/**
 * Between the first page and the second, records are added, one that was seen and one that was not are
 * changed, and one that was not seen is removed. What exists throughout still comes exactly once.
 */
export async function writesBetweenPages(context: CaseContext): Promise<void> {
  const resource = context.recipe.resource ?? "";
  const { lifecycle, idField } = context.run.recipes.resource(resource);
  if (lifecycle === null) return;
  const { subjects } = context.run;
  const subject = await subjects.create(resource, pagedRecords);
  const parts = withQuery(context.happy(subject), { limit: pageSize });
  const first = await context.send(parts);
  const seen = new Set(first.text.match(/[0-9a-f-]{32,}/g));
  const isSeen = (record: (typeof subject.records)[number]): boolean =>
    seen.has(String(record[idField]));
  const [one] = subject.records.filter(isSeen);
  const [removed, other] = subject.records.filter((record) => !isSeen(record));
  const { ids, answers } = await walkPages(context, parts, "cursor", async () => {
    const { namespace } = subject;
    await subjects.create(resource, 2, { namespace, from: pagedRecords });
    const operation = context.operationById(lifecycle.remove);
    const removing = { ...emptyRequest, query: { ids: [String(removed?.[idField])] } };
    context.needStatus(await context.send(removing, { operation }), operation.successStatus);
    if (lifecycle.change === undefined || one === undefined || other === undefined) return;
    const change = { ...emptyRequest, ...lifecycle.change.request([one, other]) };
    const changing = context.operationById(lifecycle.change.operation);
    context.needStatus(await context.send(change, { operation: changing }), changing.successStatus);
  });
  const [page] = answers;
  if (page === undefined) return;
  const times = Map.groupBy(ids, (id) => id);
  for (const record of subject.records.filter((each) => each !== removed)) {
    const id = String(record[idField]);
    const got = times.get(id)?.length ?? 0;
    context.check(page, got === 1, "a record that exists throughout does not come exactly once", {
      expected: `${id} once`,
      got: `${got} times`,
    });
  }
  const twice = [...times].filter(([, each]) => each.length > 1).map(([id]) => id);
  context.check(page, twice.length === 0, "records come more than once", { got: twice });
}

import { removeRequest } from "../../recipes/recipe.ts";
import { emptyRequest, withQuery, type JsonObject } from "../../requests/request.ts";
import type { CaseContext } from "../case-context.ts";
import { pageSize, walkPages } from "../paging.ts";
import { groupBy } from "../../group-by.ts";

const records = 10;

/**
 * After the first page, one record that was already returned and one that was not are removed if
 * possible, and another of each is changed. After the second page, records are added. Records that
 * exist for the whole scan are still returned exactly once.
 */
export async function writesBetweenPages(context: CaseContext): Promise<void> {
  const resource = context.recipe.resource ?? "";
  const { idField, lifecycle } = context.run.recipes.resource(resource);
  const isRemovable = lifecycle?.remove !== undefined;
  const subject = await context.create(resource, records);
  const parts = withQuery(context.happy(subject), { limit: pageSize });
  const first = await context.send(parts);
  const isSeen = (record: JsonObject): boolean =>
    first.text.includes(`"${String(record[idField])}"`);
  const [removedSeen, changedSeen] = subject.records.filter(isSeen);
  const [removedUnseen, changedUnseen] = subject.records.filter((record) => !isSeen(record));
  const removed = isRemovable
    ? [removedSeen, removedUnseen].filter((record) => record !== undefined)
    : [];
  const changed = [changedSeen, changedUnseen].filter((record) => record !== undefined);
  const { ids, answers } = await walkPages(context, parts, "cursor", async (page) => {
    if (page === 1) await removeAndChange(context, resource, removed, changed);
    if (page === 2) {
      const { namespace } = subject;
      await context.create(resource, 2, { namespace, from: records });
    }
  });
  const [page] = answers;
  if (page === undefined) return;
  const times = groupBy(ids, (id) => id);
  for (const record of subject.records.filter((each) => !removed.includes(each))) {
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

async function removeAndChange(
  context: CaseContext,
  resource: string,
  removed: readonly JsonObject[],
  changed: readonly JsonObject[],
): Promise<void> {
  const { lifecycle, idField } = context.run.recipes.resource(resource);
  if (lifecycle === null) return;
  const ids = removed.map((record) => String(record[idField]));
  const size = lifecycle.atOnce ?? ids.length;
  for (let from = 0; from < ids.length; from += size) {
    const operation = context.operationById(lifecycle.remove ?? "");
    const request = removeRequest(lifecycle, ids.slice(from, from + size));
    context.needStatus(await context.send(request, { operation }), operation.successStatus);
  }
  if (lifecycle.change === undefined) return;
  const changing = context.operationById(lifecycle.change.operation);
  const change = { ...emptyRequest, ...lifecycle.change.request(changed) };
  context.needStatus(await context.send(change, { operation: changing }), changing.successStatus);
}

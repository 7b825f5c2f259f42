import { happyRequest } from "../../recipes/happy-request.ts";
import { getRequest, removeRequest, type Lifecycle } from "../../recipes/recipe.ts";
import { emptyRequest, type JsonObject } from "../../requests/request.ts";
import { recordsOf } from "../../target/answer.ts";
import type { Case } from "../case.ts";
import type { CaseContext } from "../case-context.ts";
import { differences } from "../compare.ts";
import type { Generator } from "../generator.ts";
import { idsOf } from "../paging.ts";
import { checkAlike } from "./concealed.ts";

/**
 * Deleted records stay deleted: they cannot be read, changed, listed or deleted again, and new
 * records with the same content are different records.
 */
export const deletedLaw: Generator = (operation, { conformance: { contract }, recipes }) => {
  const { resource, effect } = recipes.of(operation);
  if (resource === null || effect === "create") return [];
  const { lifecycle } = recipes.resource(resource);
  if (lifecycle?.remove === undefined) return [];
  const request = (namespace: string): string => {
    const records = [recipes.resource(resource).phantom(namespace, 0)];
    return JSON.stringify(happyRequest(contract, recipes, operation, { namespace, records }));
  };
  const namesRecords = request("one") !== request("two");
  const aCase = (title: string, run: Case["run"]): Case => ({
    operation,
    status: operation.successStatus,
    law: "deleted",
    title,
    needs: ["--allow-writes"],
    run,
  });
  return [
    ...(lifecycle.remove === operation.id
      ? [
          aCase("deleted records stay deleted", (context) =>
            staysDeleted(context, resource, lifecycle),
          ),
        ]
      : []),
    // Some deleted records remain readable, and some requests name no records.
    ...(lifecycle.removed === undefined && namesRecords
      ? [
          aCase("deleted records are as if they had never existed", (context) =>
            isGone(context, resource, lifecycle),
          ),
        ]
      : []),
  ];
};

async function isGone(context: CaseContext, resource: string, lifecycle: Lifecycle): Promise<void> {
  const { idField } = context.run.recipes.resource(resource);
  const real = await context.create(resource, context.recipe.single === true ? 1 : 2);
  const { namespace, records } = context.phantom(resource, real.records.length);
  // Differs from the deleted records in nothing but the identifiers.
  const phantom = {
    namespace,
    records: real.records.map((record, index) => ({
      ...record,
      [idField]: records[index]?.[idField],
    })),
  };
  const ids = real.records.map((record) => String(record[idField]));
  const remove = context.operationById(lifecycle.remove ?? "");
  const size = Math.min(ids.length, lifecycle.atOnce ?? ids.length);
  for (let from = 0; from < ids.length; from += size) {
    const request = removeRequest(lifecycle, ids.slice(from, from + size));
    const deletion = await context.send(request, { operation: remove });
    context.needStatus(deletion, remove.successStatus);
  }
  const aboutReal = await context.send(context.happy(real));
  const aboutPhantom = await context.send(context.happy(phantom));
  checkAlike(context, [aboutReal, real], [aboutPhantom, phantom], "deleted");
}

async function staysDeleted(
  context: CaseContext,
  resource: string,
  lifecycle: Lifecycle,
): Promise<void> {
  const { idField } = context.run.recipes.resource(resource);
  const count = Math.min(2, lifecycle.atOnce ?? 2);
  const { namespace, records } = await context.create(resource, count);
  const ids = records.map((record) => String(record[idField]));
  const deletion = removeRequest(lifecycle, ids);
  context.needStatus(await context.send(deletion), context.operation.successStatus);
  await checkUnreadable(context, lifecycle, ids);
  await checkUnlisted(context, resource, { namespace, records });
  await checkRefusals(context, lifecycle, records, deletion);
  await checkSuccessors(context, resource, lifecycle, { namespace, ids });
  await checkUnreadable(context, lifecycle, ids);
}

async function checkUnreadable(
  context: CaseContext,
  lifecycle: Lifecycle,
  ids: readonly string[],
): Promise<void> {
  const operation = context.operationById(lifecycle.get);
  const answer = await context.send(getRequest(lifecycle, ids), { operation });
  const { removed } = lifecycle;
  if (removed === undefined) {
    context.checkMissing(answer, "deleted records can still be read");
    return;
  }
  const records = recordsOf(answer);
  const isMarked = (record: JsonObject): boolean =>
    differences(removed, record, Object.keys(removed)).length === 0;
  const allMarked = records.length === ids.length && records.every(isMarked);
  context.check(answer, allMarked, "deleted records do not say that they are deleted", {
    expected: removed,
    got: records,
  });
}

/** All lists of the kind, with a filter for the records. */
async function checkUnlisted(
  context: CaseContext,
  resource: string,
  subject: { readonly namespace: string; readonly records: readonly JsonObject[] },
): Promise<void> {
  const { contract, recipes } = context.run;
  const { idField } = recipes.resource(resource);
  const lists = contract.operations.filter(
    (each) =>
      each.paging !== "none" &&
      recipes.of(each).resource === resource &&
      recipes.of(each).effect === "none" &&
      each.parameters.some(
        ({ fql }) => fql?.use === "filter" && recipes.isTableOf(resource, fql.resource),
      ),
  );
  for (const operation of lists) {
    const answer = await context.send(context.happyOf(operation, subject), { operation });
    context.needStatus(answer, operation.successStatus);
    const listed = new Set(idsOf(context, answer));
    const got = subject.records
      .map((record) => String(record[idField]))
      .filter((id) => listed.has(id));
    context.check(answer, got.length === 0, "a list still has deleted records", { got });
  }
}

async function checkRefusals(
  context: CaseContext,
  { change }: Lifecycle,
  records: readonly JsonObject[],
  deletion: Parameters<CaseContext["send"]>[0],
): Promise<void> {
  if (change !== undefined) {
    const operation = context.operationById(change.operation);
    const request = { ...emptyRequest, ...change.request(records) };
    const answer = await context.send(request, { operation });
    const isRefused = answer.status === 404 || answer.status === 409;
    context.check(answer, isRefused, "deleted records can still be changed", {
      expected: "404 or 409",
      got: answer.status,
    });
  }
  const again = await context.send(deletion);
  // If deleted records remain readable, deleting them again may have no effect.
  const isHarmless = [404, 409, context.operation.successStatus].includes(again.status);
  context.check(again, isHarmless, "a second deletion is answered in another way", {
    expected: "404, 409 or success",
    got: again.status,
  });
}

/** The same content may be created again, as a new record. */
async function checkSuccessors(
  context: CaseContext,
  resource: string,
  lifecycle: Lifecycle,
  { namespace, ids }: { readonly namespace: string; readonly ids: readonly string[] },
): Promise<void> {
  const operation = context.operationById(lifecycle.create);
  const inputs = ids.map((_id, index) => lifecycle.input(namespace, index));
  const answer = await context.send(
    { ...emptyRequest, ...lifecycle.createRequest(inputs) },
    { operation },
  );
  context.needStatus(answer, operation.successStatus);
  const { idField } = context.run.recipes.resource(resource);
  const got = recordsOf(answer)
    .map((record) => String(record[idField]))
    .filter((id) => ids.includes(id));
  context.check(answer, got.length === 0, "new records have the identifiers of deleted ones", {
    got,
  });
}

import { getRequest, type Subject } from "../../recipes/recipe.ts";
import { withoutQuery, withQuery } from "../../requests/request.ts";
import { resolveSchema } from "../../schemas/resolve-schema.ts";
import { recordsOf, type Answer } from "../../target/answer.ts";
import { otherAccess, ownAccess } from "../../target/credentials.ts";
import type { Case, Need } from "../case.ts";
import type { CaseContext } from "../case-context.ts";
import { equalValues, steady } from "../compare.ts";
import type { Generator } from "../generator.ts";
import { likeness } from "../likeness.ts";

/**
 * Tenants are isolated. A request for another tenant's records gets exactly the response for
 * nonexistent records, its writes change nothing in that tenant, and unique values of one tenant
 * can be used in another.
 */
export const tenantLaw: Generator = (operation, { recipes }) => {
  const { resource, effect } = recipes.of(operation);
  if (resource === null) return [];
  const isMade = recipes.resource(resource).lifecycle !== null;
  const needs: readonly Need[] = [
    "other tenant",
    // Records that exist already may be the platform's own, which every tenant sees.
    isMade ? "--allow-writes" : `known ${resource}`,
  ];
  const aCase = (title: string, run: Case["run"]): Case => ({
    operation,
    status: operation.successStatus,
    law: "tenant",
    title,
    needs,
    run,
  });
  if (effect === "create") {
    return [
      recipes.resource(resource).uniqueIn === "platform"
        ? aCase("what is taken in one tenant is taken in another", (context) =>
            isTaken(context, resource),
          )
        : aCase("what is taken in one tenant is free in another", (context) =>
            creates(context, resource),
          ),
    ];
  }
  const lists = operation.paging !== "none" && isMade;
  return [
    aCase("another tenant's records are as if they did not exist", (context) =>
      asks(context, resource),
    ),
    ...(lists ? [aCase("a list holds no other tenant's records", listsAll)] : []),
  ];
};

async function creates(context: CaseContext, resource: string): Promise<void> {
  const { lifecycle } = context.run.recipes.resource(resource);
  if (lifecycle === null) return;
  const { namespace, records } = await context.create(resource, 2);
  const parts = context.happy({ namespace, records: [] });
  const answer = await context.send(parts, { access: otherAccess });
  context.needStatus(answer, context.operation.successStatus);
  const { idField } = context.run.recipes.resource(resource);
  const ids = new Set(records.map((record) => record[idField]));
  const shared = recordsOf(answer).filter((record) => ids.has(record[idField]));
  context.check(answer, shared.length === 0, "two tenants have records with one identifier", {
    got: shared,
  });
}

async function isTaken(context: CaseContext, resource: string): Promise<void> {
  const { namespace } = await context.create(resource, 2);
  const parts = context.happy({ namespace, records: [] });
  context.needStatus(await context.send(parts, { access: otherAccess }), 409);
}

async function asks(context: CaseContext, resource: string): Promise<void> {
  const { effect } = context.recipe;
  const isMade = context.run.recipes.resource(resource).lifecycle !== null;
  const real = await context.own();
  const phantom = context.phantom(resource, real.records.length);
  const about = (subject: Subject, access = otherAccess): Promise<Answer> =>
    context.send(context.happy(subject), { access });
  const before = effect === "none" || !isMade ? null : await readAll(context, resource, real);
  const [aboutReal, aboutPhantom] = [await about(real), await about(phantom)];
  const [got, expected] = [likeness(aboutReal, real), likeness(aboutPhantom, phantom)];
  context.check(
    aboutReal,
    got === expected,
    "the answer reveals that another tenant's records exist",
    {
      expected,
      got,
    },
  );
  if (before !== null) {
    const after = await readAll(context, resource, real);
    context.check(aboutReal, equalValues(before, after), "another tenant changed the records", {
      expected: before,
      got: after,
    });
    return;
  }
  checkUnnamed(context, resource, real, aboutReal);
  // Without this check, a target that returns no records at all would pass.
  const [ownReal, ownPhantom] = [await about(real, ownAccess), await about(phantom, ownAccess)];
  const isSeen =
    likeness(ownReal, real) !== likeness(ownPhantom, phantom) ||
    likeness(ownReal, real) !== likeness(aboutReal, real);
  context.check(ownReal, isSeen, "the tenant itself does not see its records", {
    got: ownReal.text.slice(0, 300),
  });
}

/** A response to another tenant contains no identifiers that are not in the request. */
function checkUnnamed(
  context: CaseContext,
  resource: string,
  { records }: Subject,
  answer: Answer,
): void {
  const { idField } = context.run.recipes.resource(resource);
  const request = `${decodeURIComponent(answer.request.url)} ${answer.request.body ?? ""}`;
  const ids = records.map((record) => String(record[idField]));
  const shown = ids.filter((id) => answer.text.includes(`"${id}"`) && !request.includes(id));
  context.check(answer, shown.length === 0, "the answer holds records of another tenant", {
    got: shown,
  });
}

/** The list with the most records, without a filter. */
async function listsAll(context: CaseContext): Promise<void> {
  const subject = await context.readable();
  const limit = context.operation.parameters.find(({ name }) => name === "limit");
  const maximum = limit && resolveSchema(context.run.contract, limit.schema)["maximum"];
  const wide = withoutQuery(context.happy(subject), "filter");
  const parts =
    maximum === undefined ? wide : withQuery(wide, { limit: String(maximum as number) });
  const answer = await context.send(parts, { access: otherAccess });
  context.needStatus(answer, context.operation.successStatus);
  const { idField } = context.run.recipes.resource(context.recipe.resource ?? "");
  const foreign = subject.records.filter((record) => answer.text.includes(String(record[idField])));
  context.check(answer, foreign.length === 0, "the list holds records of another tenant", {
    got: foreign,
  });
}

async function readAll(context: CaseContext, resource: string, subject: Subject): Promise<unknown> {
  const recipe = context.run.recipes.resource(resource);
  const { lifecycle, idField } = recipe;
  if (lifecycle === null) throw new Error(`no operation gives ${resource} by id`);
  const operation = context.operationById(lifecycle.get);
  const ids = subject.records.map((record) => String(record[idField]));
  const answer = await context.send(getRequest(lifecycle, ids), { operation });
  context.needStatus(answer, operation.successStatus);
  return steady(recordsOf(answer), recipe);
}

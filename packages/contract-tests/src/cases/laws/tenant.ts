import { recordsOf } from "../../target/answer.ts";
import { otherAccess } from "../../target/credentials.ts";
import type { Case, Need } from "../case.ts";
import type { CaseContext } from "../case-context.ts";
import type { Generator } from "../generator.ts";
import { checkConcealed, checkUnlisted } from "./concealed.ts";

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
    ...(lists
      ? [
          aCase("a list holds no other tenant's records", async (context) =>
            checkUnlisted(context, await context.readable(), otherAccess, "another tenant's"),
          ),
        ]
      : []),
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
  const real = await context.own();
  const phantom = context.phantom(resource, real.records.length);
  const isMade = context.run.recipes.resource(resource).lifecycle !== null;
  await checkConcealed(context, {
    real,
    phantom,
    access: otherAccess,
    whose: "another tenant's",
    kind: isMade ? resource : null,
  });
}

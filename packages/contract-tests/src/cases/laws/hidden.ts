import type { Subject } from "../../recipes/recipe.ts";
import { limitedAccess } from "../../target/credentials.ts";
import type { Case } from "../case.ts";
import type { CaseContext } from "../case-context.ts";
import { literal } from "../fields.ts";
import type { Generator } from "../generator.ts";
import { checkConcealed, checkUnlisted } from "./concealed.ts";

const whose = "hidden";

/**
 * Records that are hidden from a user of the tenant, for example by an access tag, do not exist for the user, in
 * any operation.
 */
export const hiddenLaw: Generator = (operation, { recipes }) => {
  const { resource, effect } = recipes.of(operation);
  if (resource === null || effect === "create") return [];
  const { hidden } = recipes.resource(resource);
  if (hidden === undefined) return [];
  const aCase = (title: string, run: (context: CaseContext) => Promise<void>): Case => ({
    operation,
    status: operation.successStatus,
    law: "hidden",
    title,
    needs: ["limited user", `known ${hidden.known}`],
    run,
  });
  return [
    aCase("hidden records are as if they did not exist", async (context) => {
      const real = await hiddenRecords(context, hidden.known, context.recipe.single === true);
      const phantom = context.phantom(resource, real.records.length);
      await checkConcealed(context, {
        real: byId(context, real),
        phantom: byId(context, phantom),
        access: limitedAccess,
        whose,
        kind: hidden.kind,
      });
    }),
    ...(operation.paging === "none"
      ? []
      : [
          aCase("a list holds no hidden records", async (context) =>
            checkUnlisted(
              context,
              await hiddenRecords(context, hidden.known),
              limitedAccess,
              whose,
            ),
          ),
        ]),
  ];
};

async function hiddenRecords(context: CaseContext, kind: string, single = false): Promise<Subject> {
  return context.create(kind, single ? 1 : 2);
}

/** The subject with a filter for its ids: the names of hidden records do not show to whom they belong. */
function byId(context: CaseContext, subject: Subject): Subject {
  const { idField } = context.run.recipes.resource(context.recipe.resource ?? "");
  const filter = context.operation.parameters.find(({ fql }) => fql?.use === "filter");
  const table = context.run.contract.tables[filter?.fql?.resource ?? ""];
  if (table?.fields[idField] === undefined) return subject;
  const ids = subject.records.map((record) => literal(String(record[idField])));
  return { ...subject, filter: `${idField}:[${ids.join(",")}]` };
}

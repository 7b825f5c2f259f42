import { happyRequest } from "../../recipes/happy-request.ts";
import { ownersIn, withOwners } from "../../recipes/owner.ts";
import type { Subject } from "../../recipes/recipe.ts";
import type { RequestParts } from "../../requests/request.ts";
import { limitedAccess, otherAccess, type Access } from "../../target/credentials.ts";
import type { Case } from "../case.ts";
import type { CaseContext } from "../case-context.ts";
import type { Generator } from "../generator.ts";
import { checkAlike, readAll } from "./concealed.ts";
import { equalValues } from "../compare.ts";

/**
 * Nobody puts a record into an owner that they do not see: an owner of another tenant, and a hidden one, are as
 * if they did not exist.
 */
export const ownersLaw: Generator = (operation, { conformance: { contract }, recipes }) => {
  const { resource, effect } = recipes.of(operation);
  if (resource === null) return [];
  const records = effect === "create" ? [] : [recipes.resource(resource).phantom("owners", 0)];
  const parts = happyRequest(contract, recipes, operation, { namespace: "owners", records });
  return ownersIn(parts).flatMap(([member, owner]): readonly Case[] => {
    const { hidden } = recipes.resource(owner);
    const common = { operation, status: operation.successStatus };
    return [
      {
        ...common,
        law: "tenant",
        title: `body.${member} of another tenant is as if it did not exist`,
        needs: ["other tenant", "--allow-writes"],
        run: async (context) =>
          checkOwner(context, member, owner, await context.create(owner, 1), {
            access: otherAccess,
            whose: "another tenant's",
          }),
      },
      ...(hidden === undefined
        ? []
        : [
            {
              ...common,
              law: "hidden" as const,
              title: `body.${member} that is hidden is as if it did not exist`,
              needs: ["limited user", `known ${hidden.known}`] as const,
              run: async (context: CaseContext) =>
                checkOwner(context, member, owner, await context.create(hidden.known, 1), {
                  access: limitedAccess,
                  whose: "hidden",
                }),
            },
          ]),
    ];
  });
};

async function checkOwner(
  context: CaseContext,
  member: string,
  kind: string,
  real: Subject,
  { access, whose }: { readonly access: Access; readonly whose: string },
): Promise<void> {
  const { idField } = context.run.recipes.resource(kind);
  const parts: RequestParts = context.happy(await context.own());
  const phantom = context.phantom(kind, 1);
  const send = async ({ namespace, records }: Subject) => {
    const id = String(records[0]?.[idField]);
    const answer = await context.send(withOwners(parts, { [member]: id }), { access });
    return [answer, { namespace, records: [{ [member]: id }] }] as const;
  };
  const before = await readAll(context, kind, real);
  const [aboutReal, aboutPhantom] = [await send(real), await send(phantom)];
  const [{ status }] = aboutReal;
  context.check(aboutReal[0], status >= 400, `a record was put into ${whose} records`, {
    expected: "a refusal",
    got: status,
  });
  checkAlike(context, aboutReal, aboutPhantom, whose);
  const after = await readAll(context, kind, real);
  context.check(aboutReal[0], equalValues(before, after), `${whose} records were changed`, {
    expected: before,
    got: after,
  });
}

import type { Case } from "./case.ts";
import { badRequest } from "./answers/bad-request.ts";
import { conflict } from "./answers/conflict.ts";
import { forced } from "./answers/forced.ts";
import { wrongMethod } from "./answers/method.ts";
import { negotiation } from "./answers/negotiation.ts";
import { notFound } from "./answers/not-found.ts";
import { special } from "./answers/special.ts";
import { success } from "./answers/success.ts";
import { unauthorized } from "./answers/unauthorized.ts";
import { unshown, unshownTitle } from "./answers/unshown.ts";
import type { Generator, Sources } from "./generator.ts";
import { complementLaw } from "./laws/complement.ts";
import { deletedLaw } from "./laws/deleted.ts";
import { envelopeLaw } from "./laws/envelope.ts";
import { existingClientsLaw } from "./laws/existing-clients.ts";
import { hiddenLaw } from "./laws/hidden.ts";
import { idempotencyLaw } from "./laws/idempotency.ts";
import { limitsLaw } from "./laws/limits.ts";
import { operatorsLaw } from "./laws/operators.ts";
import { ownersLaw } from "./laws/owners.ts";
import { pagingLaw } from "./laws/paging.ts";
import { patchLaw } from "./laws/patch.ts";
import { randomLaw } from "./laws/random.ts";
import { rulesLaw } from "./laws/rules.ts";
import { scopeLaw } from "./laws/scope.ts";
import { sortingLaw } from "./laws/sorting.ts";
import { tenantLaw } from "./laws/tenant.ts";

const generators: readonly Generator[] = [
  success,
  unauthorized,
  scopeLaw,
  tenantLaw,
  ownersLaw,
  hiddenLaw,
  notFound,
  conflict,
  special,
  negotiation,
  wrongMethod,
  limitsLaw,
  badRequest,
  pagingLaw,
  sortingLaw,
  complementLaw,
  operatorsLaw,
  patchLaw,
  idempotencyLaw,
  deletedLaw,
  rulesLaw,
  randomLaw,
  envelopeLaw,
  existingClientsLaw,
  forced,
];

/** Every case of every operation but those in `except`, grouped by operation. */
export function generateCases(sources: Sources): readonly Case[] {
  const { conformance, except } = sources;
  const operations = conformance.contract.operations.filter(({ id }) => !except.has(id));
  return operations.flatMap((operation) => {
    const cases = generators.flatMap((generator) => generator(operation, sources));
    const all = [...cases, ...unshown(operation, cases)];
    const { alone, inferred, effect } = sources.recipes.of(operation);
    if (alone === true) return all.map((each) => ({ ...each, alone }));
    return inferred === true ? all.map((each) => withoutRecipe(each, effect === "none")) : all;
  });
}

/**
 * Without a recipe there is no valid write request, and no way to remove created records. Cases
 * that need only the document still run: rejections, and reads from its examples.
 */
function withoutRecipe(each: Case, isRead: boolean): Case {
  const { operation, status, law, title } = each;
  const followsWrite = law === "idempotency" && status === 422;
  const isWrite = (status === operation.successStatus || followsWrite) && !isRead;
  const isUnshown = law === "answer" && title === unshownTitle;
  return isWrite || isUnshown ? { ...each, needs: [...each.needs, "a recipe"] } : each;
}

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
import { unshown } from "./answers/unshown.ts";
import type { Generator, Sources } from "./generator.ts";
import { complementLaw } from "./laws/complement.ts";
import { envelopeLaw } from "./laws/envelope.ts";
import { limitsLaw } from "./laws/limits.ts";
import { pagingLaw } from "./laws/paging.ts";
import { scopeLaw } from "./laws/scope.ts";
import { sortingLaw } from "./laws/sorting.ts";
import { tenantLaw } from "./laws/tenant.ts";

const generators: readonly Generator[] = [
  success,
  unauthorized,
  scopeLaw,
  tenantLaw,
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
  envelopeLaw,
  forced,
];

/** Every case of every operation but those in `except`, each operation's together. */
export function generateCases(sources: Sources): readonly Case[] {
  const { conformance, except } = sources;
  const operations = conformance.contract.operations.filter(({ id }) => !except.has(id));
  return operations.flatMap((operation) => {
    const cases = generators.flatMap((generator) => generator(operation, sources));
    return [...cases, ...unshown(operation, cases)];
  });
}

import { getRequest, type Subject } from "../../recipes/recipe.ts";
import { withoutQuery, withQuery } from "../../requests/request.ts";
import { resolveSchema } from "../../schemas/resolve-schema.ts";
import { recordsOf, type Answer } from "../../target/answer.ts";
import { ownAccess, type Access } from "../../target/credentials.ts";
import type { CaseContext } from "../case-context.ts";
import { equalValues, steady } from "../compare.ts";
import { likeness } from "../likeness.ts";

export interface Concealed {
  /** Records of the run's client that the access must not see. */
  readonly real: Subject;
  /** As many records that do not exist. */
  readonly phantom: Subject;
  readonly access: Access;
  /** Whose records they are, for messages: "another tenant's". */
  readonly whose: string;
  /** The kind by which the run's client reads the records; null if no operation returns them by id. */
  readonly kind: string | null;
}

/**
 * A request for records that the caller must not see gets exactly the response for nonexistent records, and
 * its writes change nothing.
 */
export async function checkConcealed(
  context: CaseContext,
  { real, phantom, access, whose, kind }: Concealed,
): Promise<void> {
  const about = (subject: Subject, by = access): Promise<Answer> =>
    context.send(context.happy(subject), { access: by });
  const isRead = context.recipe.effect === "none";
  const before = isRead || kind === null ? null : await readAll(context, kind, real);
  const [aboutReal, aboutPhantom] = [await about(real), await about(phantom)];
  checkAlike(context, [aboutReal, real], [aboutPhantom, phantom], whose);
  if (before !== null && kind !== null) {
    const after = await readAll(context, kind, real);
    context.check(aboutReal, equalValues(before, after), `${whose} records were changed`, {
      expected: before,
      got: after,
    });
    return;
  }
  checkUnnamed(context, real, aboutReal, whose);
  // Without this check, a target that returns no records at all would pass.
  const [ownReal, ownPhantom] = [await about(real, ownAccess), await about(phantom, ownAccess)];
  const isSeen =
    likeness(ownReal, real) !== likeness(ownPhantom, phantom) ||
    likeness(ownReal, real) !== likeness(aboutReal, real);
  context.check(ownReal, isSeen, "the owner does not see the records", {
    got: ownReal.text.slice(0, 300),
  });
}

/** Two responses differ in nothing but the identifiers in their requests. */
export function checkAlike(
  context: CaseContext,
  [aboutReal, real]: readonly [Answer, Subject],
  [aboutPhantom, phantom]: readonly [Answer, Subject],
  whose: string,
): void {
  const [got, expected] = [likeness(aboutReal, real), likeness(aboutPhantom, phantom)];
  context.check(aboutReal, got === expected, `the answer reveals that ${whose} records exist`, {
    expected,
    got,
  });
}

/** A response to someone else contains no identifiers that are not in the request. */
function checkUnnamed(
  context: CaseContext,
  { records }: Subject,
  answer: Answer,
  whose: string,
): void {
  const { idField } = context.run.recipes.resource(context.recipe.resource ?? "");
  const request = `${decodeURIComponent(answer.request.url)} ${answer.request.body ?? ""}`;
  const ids = records.map((record) => String(record[idField]));
  const shown = ids.filter((id) => answer.text.includes(`"${id}"`) && !request.includes(id));
  context.check(answer, shown.length === 0, `the answer holds ${whose} records`, { got: shown });
}

/** The list with the most records, without a filter. */
export async function checkUnlisted(
  context: CaseContext,
  { namespace, records }: Subject,
  access: Access,
  whose: string,
): Promise<void> {
  const limit = context.operation.parameters.find(({ name }) => name === "limit");
  const maximum = limit && resolveSchema(context.run.contract, limit.schema)["maximum"];
  const wide = withoutQuery(context.happy({ namespace, records }), "filter");
  const parts =
    maximum === undefined ? wide : withQuery(wide, { limit: String(maximum as number) });
  const answer = await context.send(parts, { access });
  context.needStatus(answer, context.operation.successStatus);
  const { idField } = context.run.recipes.resource(context.recipe.resource ?? "");
  const got = records.filter((record) => answer.text.includes(String(record[idField])));
  context.check(answer, got.length === 0, `the list holds ${whose} records`, { got });
}

/** The records of a kind, read by the run's client. */
export async function readAll(
  context: CaseContext,
  resource: string,
  subject: Subject,
): Promise<unknown> {
  const recipe = context.run.recipes.resource(resource);
  const { lifecycle, idField } = recipe;
  if (lifecycle === null) throw new Error(`no operation gives ${resource} by id`);
  const operation = context.operationById(lifecycle.get);
  const ids = subject.records.map((record) => String(record[idField]));
  const answer = await context.send(getRequest(lifecycle, ids), { operation });
  context.needStatus(answer, operation.successStatus);
  return steady(recordsOf(answer), recipe);
}

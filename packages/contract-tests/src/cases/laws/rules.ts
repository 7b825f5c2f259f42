import type { RuleRun } from "../../recipes/recipe.ts";
import { emptyRequest, type RequestParts } from "../../requests/request.ts";
import { recordsOf, type Answer } from "../../target/answer.ts";
import type { CaseContext } from "../case-context.ts";
import { equalValues } from "../compare.ts";
import type { Generator } from "../generator.ts";

/** Rules that only one operation has, as its recipe states them. */
export const rulesLaw: Generator = (operation, { recipes }) =>
  Object.entries(recipes.of(operation).rules ?? {}).map(([title, rule]) => ({
    operation,
    status: operation.successStatus,
    law: "rule",
    title,
    needs: [],
    run: (context) => rule(runOf(context)),
  }));

function runOf(context: CaseContext): RuleRun {
  let last: Answer | undefined;
  const request = async (id: string, parts: Partial<RequestParts>): Promise<Answer> => {
    const operation = context.operationById(id);
    last = await context.send({ ...emptyRequest, ...parts }, { operation });
    return last;
  };
  return {
    namespace: context.namespace(),
    send: async (id, body) => {
      const answer = await request(id, { body });
      context.needStatus(answer, answer.operation.successStatus);
      return recordsOf(answer)[0] ?? {};
    },
    statusOf: async (id, parts) => (await request(id, parts)).status,
    expect: (what, got, expected) => {
      if (last === undefined) throw new Error(`nothing was sent before: ${what}`);
      context.check(last, equalValues(got, expected), what, { expected, got });
    },
  };
}

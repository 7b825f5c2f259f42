import type { Operation } from "../../contract.ts";
import type { Case } from "../case.ts";

export const unshownTitle = "no case shows this answer";

/** Documented responses without a case in any generator: each fails with the line to add. */
export const unshown = (operation: Operation, cases: readonly Case[]): readonly Case[] =>
  operation.responses
    .filter(({ status }) => !cases.some((each) => each.status === status))
    .map(({ status }) => ({
      operation,
      status,
      law: "answer",
      title: unshownTitle,
      needs: [],
      run: () => {
        throw new Error(
          `no known request obtains ${status} from ${operation.id}: add ` +
            `answers: { ${status}: (subject) => ({ … }) } to its recipe in src/recipes/${operation.collection}.ts`,
        );
      },
    }));

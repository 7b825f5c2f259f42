import type { Operation } from "../../contract.ts";
import type { Case } from "../case.ts";

/** Documented answers for which nothing was generated: each fails, and says what to add. */
export const unshown = (operation: Operation, cases: readonly Case[]): readonly Case[] =>
  operation.responses
    .filter(({ status }) => !cases.some((each) => each.status === status))
    .map(({ status }) => ({
      operation,
      status,
      law: "answer",
      title: "no case shows this answer",
      needs: [],
      run: () => {
        throw new Error(
          `nothing tells how to obtain ${status} from ${operation.id}: add ` +
            `answers: { ${status}: (subject) => ({ … }) } to its recipe in src/recipes/${operation.collection}.ts`,
        );
      },
    }));

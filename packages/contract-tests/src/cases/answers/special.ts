import { emptyRequest } from "../../requests/request.ts";
import type { Generator } from "../generator.ts";

/** Documented answers that a recipe knows a request for, where no other case shows them. */
export const special: Generator = (operation, { recipes }) =>
  Object.entries(recipes.of(operation).answers ?? {})
    .map(([status, request]) => ({ status: Number(status), request }))
    .filter(({ status }) => status !== 404 && status !== 409)
    .map(({ status, request }) => ({
      operation,
      status,
      law: "answer",
      title: "the recipe's request",
      needs: [],
      run: async (context) => {
        const parts = { ...emptyRequest, ...request(await context.subjectFor(status)) };
        context.needStatus(await context.send(parts), status);
      },
    }));

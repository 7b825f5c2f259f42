import { emptyRequest } from "../../requests/request.ts";
import type { Generator } from "../generator.ts";

/** Documented responses for which a recipe has a request, if no other case covers them. */
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

import { newInputs } from "../../recipes/happy-request.ts";
import { emptyRequest } from "../../requests/request.ts";
import { messagesOf } from "../../target/answer.ts";
import { conflictsOnlyByKey } from "../idempotency-keys.ts";
import { documents, type Generator } from "../generator.ts";

/** A duplicate record is rejected with 409, and nothing is written. */
export const conflict: Generator = (operation, { recipes }) => {
  if (!documents(operation, 409) || conflictsOnlyByKey(operation)) return [];
  const recipe = recipes.of(operation);
  const { resource } = recipe;
  const lifecycle = resource === null ? null : recipes.resource(resource).lifecycle;
  const special = recipe.answers?.[409];
  if (special === undefined && (lifecycle === null || recipe.effect !== "create")) return [];
  return [
    {
      operation,
      status: 409,
      law: "answer",
      title: "a duplicate",
      needs: [],
      run: async (context) => {
        if (special !== undefined) {
          const parts = { ...emptyRequest, ...special(await context.subjectFor(409)) };
          context.needStatus(await context.send(parts), 409);
          return;
        }
        if (lifecycle === null || resource === null) return;
        const { namespace } = await context.create(resource, 1);
        const inputs = newInputs(lifecycle, namespace).toReversed();
        const answer = await context.send({ ...emptyRequest, ...lifecycle.createRequest(inputs) });
        context.needStatus(answer, 409);
        context.check(
          answer,
          messagesOf(answer).length === 1,
          "not one error for the one duplicate",
          {
            got: messagesOf(answer),
          },
        );
        if (inputs.length === 1) return;
        const again = [lifecycle.input(namespace, 1)];
        const second = await context.send({ ...emptyRequest, ...lifecycle.createRequest(again) });
        context.check(
          second,
          second.status === operation.successStatus,
          "the refused call wrote something",
          {
            expected: operation.successStatus,
            got: `${second.status} ${messagesOf(second).join("; ")}`,
          },
        );
      },
    },
  ];
};

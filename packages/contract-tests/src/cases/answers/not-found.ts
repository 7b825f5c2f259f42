import type { OperationRecipe } from "../../recipes/recipe.ts";
import { emptyRequest } from "../../requests/request.ts";
import { equalValues, steady } from "../compare.ts";
import type { Case } from "../case.ts";
import type { CaseContext } from "../case-context.ts";
import { documents, type Generator } from "../generator.ts";

interface NotFoundBody {
  readonly errors?: readonly { readonly id?: string; readonly message?: string }[];
  readonly resources?: readonly unknown[];
}

/** Well-formed identifiers that do not exist: 404 with one error for each. */
export const notFound: Generator = (operation, { recipes }) => {
  if (!documents(operation, 404)) return [];
  const recipe = recipes.of(operation);
  const special = recipe.answers?.[404];
  if (special !== undefined) {
    return [
      aCase(operation, "an unknown identifier", async (context) => {
        const parts = { ...emptyRequest, ...special(await context.readable()) };
        context.needStatus(await context.send(parts), 404);
      }),
    ];
  }
  if (recipe.resource === null) return [];
  return [
    aCase(operation, "unknown identifiers", (context) => check(context, recipe, false)),
    ...(recipe.single === true
      ? []
      : [
          aCase(operation, "an unknown identifier among known ones", (context) =>
            check(context, recipe, true),
          ),
        ]),
  ];
};

const aCase = (operation: Case["operation"], title: string, run: Case["run"]): Case => ({
  operation,
  status: 404,
  law: "answer",
  title,
  needs: [],
  run,
});

async function check(context: CaseContext, recipe: OperationRecipe, mixed: boolean): Promise<void> {
  const resource = recipe.answersAbout?.[404] ?? recipe.resource ?? "";
  const kind = context.run.recipes.resource(resource);
  const { idField } = kind;
  const phantom = context.phantom(resource, recipe.single === true ? 1 : 2);
  const subject = mixed ? await context.readable() : { ...phantom, records: [] };
  const records = [...subject.records.slice(0, 1), ...phantom.records, ...subject.records.slice(1)];
  const answer = await context.send(context.happy({ namespace: phantom.namespace, records }));
  context.needStatus(answer, 404);
  const { errors = [], resources } = (answer.json ?? {}) as NotFoundBody;
  const expected = phantom.records.map((record) => String(record[idField]));
  for (const id of expected) {
    const named = errors.some((error) => error.id === id || error.message?.includes(id));
    context.check(answer, named, "no error names the missing identifier", {
      expected: id,
      got: errors,
    });
  }
  context.check(answer, errors.length === expected.length, "not one error for each identifier", {
    expected: expected.length,
    got: errors.length,
  });
  const isRead = context.operation.method === "get" && context.operation.answer === "records";
  if (!isRead) return;
  context.check(
    answer,
    equalValues(steady(resources, kind), steady(subject.records, kind)),
    "resources do not hold what was found",
    {
      expected: subject.records,
      got: resources,
    },
  );
}

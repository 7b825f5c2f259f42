import { envelopeMediaType } from "../../contract.ts";
import type { Answer } from "../../target/answer.ts";
import type { CaseContext } from "../case-context.ts";
import { steady } from "../compare.ts";
import type { Generator } from "../generator.ts";
import { withoutInstants } from "../likeness.ts";

interface Envelope {
  readonly meta?: { readonly pagination?: Readonly<Record<string, unknown>> };
  readonly resources?: readonly unknown[];
}

/** The envelope representation holds what the default one holds, and the page data of its headers. */
export const envelopeLaw: Generator = (operation) => {
  const { answer, successStatus } = operation;
  if (answer === "file") return [];
  return [
    {
      operation,
      status: successStatus,
      law: "envelope",
      title: "the same content in both representations",
      needs: [],
      run: async (context) => {
        const parts = context.happy(await context.own());
        const inEnvelope = await context.send(parts, { accept: envelopeMediaType });
        context.needStatus(inEnvelope, successStatus);
        checkPageData(context, inEnvelope);
        const repeats = context.recipe.effect === "none" && operation.scope !== null;
        if (repeats && answer !== "envelope")
          compare(context, inEnvelope, await context.send(parts));
      },
    },
  ];
};

function compare(context: CaseContext, inEnvelope: Answer, bare: Answer): void {
  context.needStatus(bare, context.operation.successStatus);
  const { resource, restless = [] } = context.recipe;
  const kind = resource === null ? undefined : context.run.recipes.resource(resource);
  const recipe = { restless: [...restless, ...(kind?.restless ?? [])] };
  const resources = steady((inEnvelope.json as Envelope).resources, recipe);
  const given = context.operation.answer === "object" ? [bare.json] : bare.json;
  const expected = steady(given, recipe);
  const text = (value: unknown): string => withoutInstants(JSON.stringify(value) ?? "");
  context.check(
    inEnvelope,
    text(resources) === text(expected),
    "resources differ from the bare body",
    {
      expected: text(expected).slice(0, 500),
      got: text(resources).slice(0, 500),
    },
  );
}

const headerOf: Readonly<Record<string, string>> = {
  limit: "x-pagination-limit",
  offset: "x-pagination-offset",
  total: "x-total-count",
  after: "x-pagination-after",
};

function checkPageData(context: CaseContext, answer: Answer): void {
  const pagination = (answer.json as Envelope).meta?.pagination;
  for (const [name, header] of Object.entries(headerOf)) {
    const [got, expected] = [pagination?.[name], answer.headers[header]];
    const agrees = got === undefined ? expected === undefined : String(got) === expected;
    context.check(answer, agrees, `meta.pagination.${name} differs from the header ${header}`, {
      expected: expected ?? "absent",
      got: got ?? "absent",
    });
  }
}

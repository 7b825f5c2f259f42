import { compatQuirks } from "@security-platform/spec";
import { envelopeMediaType } from "../../contract.ts";
import type { RequestParts } from "../../requests/request.ts";
import { listOf, type Answer } from "../../target/answer.ts";
import type { CaseContext } from "../case-context.ts";
import { steady } from "../compare.ts";
import { ListMoved } from "../../failure.ts";
import type { Generator } from "../generator.ts";
import { withoutInstants } from "../likeness.ts";

interface Envelope {
  readonly meta?: { readonly pagination?: Readonly<Record<string, unknown>> };
}

/**
 * The Envelope representation contains the same data as the default one, and the page data of its
 * headers.
 */
export const envelopeLaw: Generator = (operation) => {
  const { answer, successStatus } = operation;
  // Files and responses without a body have no Envelope.
  if (answer === "file" || operation.method === "head") return [];
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
        if (context.run.target.conformance.compat && operation.scope !== null) {
          const plain = await context.send(context.happy(await context.own()));
          context.needStatus(plain, successStatus);
          checkPageData(context, plain);
        }
        const repeats = context.recipe.effect === "none" && operation.scope !== null;
        if (repeats && answer !== "envelope") await compare(context, parts, inEnvelope);
      },
    },
  ];
};

/** Maximum number of attempts, because others may write between the two reads. */
const attempts = 5;

async function compare(context: CaseContext, parts: RequestParts, first: Answer): Promise<void> {
  let inEnvelope = first;
  let bare = await sendBare(context, parts);
  let isAtRest = false;
  for (let attempt = 1; attempt < attempts && !isAtRest; attempt += 1) {
    if (contentOf(context, inEnvelope) === contentOf(context, bare)) return;
    const before = bare;
    inEnvelope = await context.send(parts, { accept: envelopeMediaType });
    context.needStatus(inEnvelope, context.operation.successStatus);
    bare = await sendBare(context, parts);
    isAtRest = contentOf(context, before) === contentOf(context, bare);
  }
  const [expected, got] = [contentOf(context, bare), contentOf(context, inEnvelope)];
  if (got !== expected && !(isAtRest && context.isAlone)) {
    throw new ListMoved(`others write to what ${context.operation.id} shows`);
  }
  context.check(inEnvelope, got === expected, "resources differ from the bare body", {
    expected: expected.slice(0, 500),
    got: got.slice(0, 500),
  });
}

async function sendBare(context: CaseContext, parts: RequestParts): Promise<Answer> {
  const bare = await context.send(parts);
  context.needStatus(bare, context.operation.successStatus);
  return bare;
}

/** Records with the members that existing clients require: an Envelope has them, the bare body does not. */
function withDefaults(context: CaseContext, content: unknown): unknown {
  const { recordDefaults } = compatQuirks(context.operation);
  return recordDefaults === undefined || !Array.isArray(content)
    ? content
    : content.map((record: object) => ({ ...recordDefaults, ...record }));
}

/**
 * The records of a response in either representation, without members that change by themselves.
 */
function contentOf(context: CaseContext, { content }: Answer): string {
  const { resource, restless = [] } = context.recipe;
  const kind = resource === null ? undefined : context.run.recipes.resource(resource);
  const records =
    context.operation.answer === "object" ? [content] : withDefaults(context, content);
  const steadyRecords = steady(records, { restless: [...restless, ...(kind?.restless ?? [])] });
  return withoutInstants(JSON.stringify(steadyRecords) ?? "");
}

const headerOf: Readonly<Record<string, string>> = {
  limit: "x-pagination-limit",
  offset: "x-pagination-offset",
  total: "x-total-count",
  after: "x-pagination-after",
};

function checkPageData(context: CaseContext, answer: Answer): void {
  const pagination = (answer.json as Envelope).meta?.pagination;
  const quirk = compatQuirks(context.operation).offset;
  if (quirk === "cursor") {
    checkCursorPageData(context, answer, pagination);
    return;
  }
  for (const [name, header] of Object.entries(headerOf)) {
    const [got, inHeader] = [pagination?.[name], answer.headers[header]];
    const expected =
      name === "offset" && quirk !== undefined && inHeader !== undefined
        ? String(Number(inHeader) + listOf(answer).length)
        : inHeader;
    const agrees = got === undefined ? expected === undefined : String(got) === expected;
    context.check(answer, agrees, `meta.pagination.${name} differs from the header ${header}`, {
      expected: expected ?? "absent",
      got: got ?? "absent",
    });
  }
}

/** `offset` is the cursor, which is empty on the last page. */
function checkCursorPageData(
  context: CaseContext,
  answer: Answer,
  { limit, offset, total }: NonNullable<NonNullable<Envelope["meta"]>["pagination"]> = {},
): void {
  const { headers } = answer;
  const got = [String(limit), offset, String(total)];
  const expected = [
    headers["x-pagination-limit"],
    headers["x-pagination-after"] ?? "",
    headers["x-total-count"],
  ];
  const message = "meta.pagination differs from the headers";
  context.check(answer, got.join() === expected.join(), message, { expected, got });
}

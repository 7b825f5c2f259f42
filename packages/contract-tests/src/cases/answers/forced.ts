import { emptyRequest, mediaTypeOf, type RequestParts } from "../../requests/request.ts";
import type { Answer } from "../../target/answer.ts";
import type { Case } from "../case.ts";
import type { CaseContext } from "../case-context.ts";
import { takesKey } from "../idempotency-keys.ts";
import { documents, type Generator } from "../generator.ts";

/**
 * Responses that cannot be provoked from outside on every target; the control plane forces them.
 */
const forcedStatuses = [408, 409, 429, 431, 500, 503, 507] as const;

/** The server sends these before it reads the request, so the request need not be valid. */
const ofTransport: ReadonlySet<number> = new Set([408, 431]);

/** Number of requests after which a rate-limited URL must have rejected one. */
const mostRequests = 50;

export const forced: Generator = (operation) =>
  forcedStatuses
    .filter((status) => documents(operation, status))
    // A 409 can be forced only as that of a request in progress.
    .filter((status) => status !== 409 || takesKey(operation))
    .map((status): Case => ({
      operation,
      status,
      law: "answer",
      title: "forced by the target",
      needs: [status === 429 ? "faults or a rate limit" : "faults"],
      alone: true,
      run: async (context) => {
        const limited = status === 429 && context.run.limited !== null;
        const answer = limited ? await exhaust(context) : await force(context, status);
        context.needStatus(answer, status);
        if (status === 500) checkDiscretion(context, answer);
      },
    }));

async function force(context: CaseContext, status: number): Promise<Answer> {
  const { faults } = context.run;
  if (faults === null) throw new Error("the target has no way to force an answer");
  // Create the needed records before the fault is set, so that the fault only affects the request.
  const parts = ofTransport.has(status)
    ? withBody(context, "{}")
    : context.happy(await context.refusable());
  await faults({ operationId: context.operation.id, status });
  return context.send(parts, { limited: true });
}

/** A request with only a body, if the operation accepts one. */
function withBody({ operation }: CaseContext, text: string): RequestParts {
  const mediaType = mediaTypeOf(operation);
  return mediaType === undefined ? emptyRequest : { ...emptyRequest, rawBody: { text, mediaType } };
}

/** Sends requests until the low rate limit is exceeded. */
async function exhaust(context: CaseContext): Promise<Answer> {
  const { limited } = context.run;
  if (limited === null) throw new Error("no rate-limited address was given");
  const parts = await harmless(context);
  for (let sent = 1; ; sent += 1) {
    const answer = await context.send(parts, { limited: true, target: limited });
    if (answer.status === 429 || sent >= mostRequests) return answer;
  }
}

/** A request without effect, which can be repeated. */
async function harmless(context: CaseContext): Promise<RequestParts> {
  if (context.recipe.effect === "none") return context.happy(await context.refusable());
  return withBody(context, "{");
}

/** A 500 contains its trace id and no internals of the server. */
function checkDiscretion(context: CaseContext, answer: Answer): void {
  const { meta } = (answer.json ?? {}) as { meta?: { readonly trace_id?: string } };
  const [, afterMeta = ""] = answer.text.split('"errors"');
  const named = meta?.trace_id !== undefined && afterMeta.includes(meta.trace_id);
  context.checkMessage(answer, named, "the message does not name its trace id", { got: afterMeta });
  const leak = /\bat .{1,200}:\d{1,9}:\d|node_modules|\bSELECT\b|\.[jt]s\b/i.exec(answer.text)?.[0];
  context.check(answer, leak === undefined, "the response leaks internals of the server", {
    got: leak,
  });
}

import {
  mediaTypeOf,
  multipartMediaType,
  type JsonObject,
  type RequestParts,
} from "../../requests/request.ts";
import { messagesOf, type Answer } from "../../target/answer.ts";
import type { CaseContext } from "../case-context.ts";
import { documents, type Generator } from "../generator.ts";
import { takesKey } from "../idempotency-keys.ts";

/** The documented maximum; one more character is too long. */
const longestKey = 255;

/**
 * The same request with the same `Idempotency-Key` returns the first response again and has no further effect.
 * Another request with the key is refused, and so is a key that is too long.
 */
export const idempotencyLaw: Generator = (operation) => {
  if (!takesKey(operation)) return [];
  const common = { operation, law: "idempotency", needs: [] } as const;
  return [
    {
      ...common,
      status: operation.successStatus,
      title: "a request with the same key returns the first response again",
      run: async (context) => {
        const { key, first, parts } = await sendFirst(context);
        const again = await sendWithKey(context, parts, key);
        context.needStatus(again, first.status);
        context.check(again, again.text === first.text, "the response is not the first one", {
          expected: first.text,
          got: again.text,
        });
        checkReplayed(context, first, undefined);
        checkReplayed(context, again, "true");
      },
    },
    ...(documents(operation, 422)
      ? [
          {
            ...common,
            status: 422,
            title: "another request with the same key",
            run: async (context: CaseContext) => {
              const { key, parts } = await sendFirst(context);
              const other = await sendWithKey(context, otherRequest(parts), key);
              context.needStatus(other, 422);
            },
          },
        ]
      : []),
    {
      ...common,
      status: 400,
      title: `a key of ${longestKey + 1} characters`,
      run: async (context) => {
        const parts = context.happy(await context.refusable());
        const answer = await sendWithKey(context, parts, "k".repeat(longestKey + 1));
        context.needStatus(answer, 400);
        const isNamed = messagesOf(answer).some((text) => text.includes("Idempotency-Key"));
        context.checkMessage(answer, isNamed, "the message does not name the header");
      },
    },
  ];
};

/** Sends a request with a new key. `parts`: the same request without the steps around it. */
async function sendFirst(
  context: CaseContext,
): Promise<{ readonly key: string; readonly parts: RequestParts; readonly first: Answer }> {
  const key = `contract-${context.namespace()}`;
  const happy = context.happy(await context.own());
  const answer = await sendWithKey(context, happy, key);
  context.needStatus(answer, context.operation.successStatus);
  const { first: _first, last: _last, ...parts } = happy;
  const { authorization: _authorization, ...headers } = answer.request.headers;
  const text = answer.request.body;
  const isForm = mediaTypeOf(context.operation) === multipartMediaType;
  // Records that the request needs were created on the way, so only the request as sent has their ids.
  const rawBody = text === undefined || isForm ? {} : { rawBody: { text, mediaType: json } };
  return { key, first: answer, parts: { ...parts, headers, ...rawBody } };
}

const json = "application/json";

const sendWithKey = (context: CaseContext, parts: RequestParts, key: string): Promise<Answer> =>
  context.send({ ...parts, headers: { ...parts.headers, "Idempotency-Key": key } });

/** The same request with one more character of white space in its body. */
function otherRequest({ rawBody, body, ...parts }: RequestParts): RequestParts {
  if (rawBody !== undefined) return { ...parts, rawBody: { ...rawBody, text: ` ${rawBody.text}` } };
  const { file, ...others } = body as JsonObject;
  return { ...parts, body: { ...others, file: `${String(file)}\n` } };
}

function checkReplayed(context: CaseContext, answer: Answer, expected: string | undefined): void {
  const got = answer.headers["idempotency-replayed"];
  context.check(answer, got === expected, "wrong Idempotency-Replayed", { expected, got });
}

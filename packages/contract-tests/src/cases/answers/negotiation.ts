import { formMediaType, mediaTypeOf, multipartMediaType } from "../../requests/request.ts";
import { messagesOf } from "../../target/answer.ts";
import type { CaseContext } from "../case-context.ts";
import type { Case } from "../case.ts";
import { documents, type Generator } from "../generator.ts";

/** Content types and sizes that the operation does not support: 406, 413, 415. */
export const negotiation: Generator = (operation) => [
  ...(documents(operation, 406) ? [notAcceptable(operation)] : []),
  ...(documents(operation, 413) ? [tooLarge(operation), ...tooMany(operation)] : []),
  ...(documents(operation, 415)
    ? [unsupported(operation, "application/xml"), unsupported(operation, null)]
    : []),
];

const notAcceptable = (operation: Case["operation"]): Case => ({
  operation,
  status: 406,
  law: "answer",
  title: "XML is requested",
  needs: [],
  run: async (context) => {
    const parts = context.happy(await context.refusable());
    context.needStatus(await context.send(parts, { accept: "application/xml" }), 406);
  },
});

const unsupported = (operation: Case["operation"], mediaType: string | null): Case => ({
  operation,
  status: 415,
  law: "answer",
  title: `a body ${mediaType === null ? "without content type" : `of ${mediaType}`}`,
  needs: [],
  run: async (context) => {
    const { body: _body, ...parts } = context.happy(await context.refusable());
    const answer = await context.send({ ...parts, rawBody: { text: "<a/>", mediaType } });
    context.needStatus(answer, 415);
    const expected = mediaTypeOf(operation) ?? "";
    const text = messagesOf(answer).join("\n");
    context.check(answer, text.includes(expected), "the message does not say what is taken", {
      expected,
      got: text,
    });
  },
});

const tooLarge = (operation: Case["operation"]): Case => ({
  operation,
  status: 413,
  law: "answer",
  title: "a body above the limit",
  needs: [],
  run: async (context) => {
    const { body: _body, ...parts } = context.happy(await context.refusable());
    context.needStatus(await context.sendTooLarge(parts), 413);
  },
});

/** Forms without files have this number of fields at most. */
const mostFields = 20;

/** A body with more values than a server accepts, which it need not parse to refuse it. */
function tooMany(operation: Case["operation"]): readonly Case[] {
  const mediaType = mediaTypeOf(operation);
  const withText = (title: string, textOf: (context: CaseContext) => string): readonly Case[] => [
    {
      operation,
      status: 413,
      law: "answer",
      title,
      needs: [],
      run: async (context) => {
        const { body: _body, ...parts } = context.happy(await context.refusable());
        const rawBody = { text: textOf(context), mediaType: mediaType ?? null };
        context.needStatus(await context.send({ ...parts, rawBody }), 413);
      },
    },
  ];
  if (mediaType === formMediaType) {
    const fields = Array.from({ length: mostFields + 1 }, (_, index) => `field_${index}=`);
    return withText("a form with too many fields", () => fields.join("&"));
  }
  if (mediaType === multipartMediaType) return [];
  return withText(
    "a body with too many values",
    ({ mostValues }) => `[${"0,".repeat(mostValues)}0]`,
  );
}

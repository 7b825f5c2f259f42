import type { TextReply, TextRequest } from "./file-text.ts";
import type { LineProblem, ReadText } from "./read-text.ts";
import type { TemplateFile } from "./template-file.ts";

/** Characters of a text that is worked on at once: a few milliseconds, less than a thread takes to start. */
const shortText = 16_384;

async function answer(request: TextRequest, characters: number): Promise<TextReply> {
  if (characters <= shortText) {
    const { answerText } = await import("./file-text.ts");
    return answerText(request);
  }
  const { answerInThread } = await import("./threaded-texts.ts");
  return answerInThread(request);
}

/** The content of a text in YAML or JSON, or what is wrong with it. */
export const readTextOf = async (
  text: string,
  tokensAllowed?: number,
): Promise<ReadText | readonly LineProblem[]> => {
  const request = { read: text, ...(tokensAllowed === undefined ? {} : { tokensAllowed }) };
  return (await answer(request, text.length)) as ReadText | readonly LineProblem[];
};

export async function yamlText(file: TemplateFile): Promise<string> {
  const json = JSON.stringify(file);
  return (await answer({ yamlOf: json }, json.length)) as string;
}

/** The difference of two files in YAML as text; empty where nothing changes. `before` null: a new file. */
export async function differenceOf(
  before: TemplateFile | null,
  after: TemplateFile,
): Promise<string> {
  const compare = {
    before: before === null ? null : JSON.stringify(before),
    after: JSON.stringify(after),
  };
  const characters = (compare.before?.length ?? 0) + compare.after.length;
  return (await answer({ compare }, characters)) as string;
}

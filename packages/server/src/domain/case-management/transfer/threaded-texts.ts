import { moduleBeside, Thread } from "../../../threads/thread.ts";
import type { TextReply, TextRequest } from "./file-text.ts";

// It ends with the work: a large file takes hundreds of megabytes while it is parsed.
const thread = new Thread<TextRequest, TextReply>(moduleBeside(import.meta.url, "text-thread"), {
  stays: false,
});

export const answerInThread = (request: TextRequest): Promise<TextReply> => thread.call(request);

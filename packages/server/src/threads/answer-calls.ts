import { parentPort } from "node:worker_threads";

/** A message to a thread. */
export interface RequestMessage<Request> {
  readonly call: number;
  readonly request: Request;
}

/** A message from a thread. */
export type ReplyMessage<Reply> =
  | { readonly call: number; readonly reply: Reply }
  | { readonly call: number; readonly error: Error };

/** Answers the calls of a `Thread`; an error that is thrown fails the call only. */
export function answerCalls<Request, Reply>(answer: (request: Request) => Reply): void {
  parentPort?.on("message", ({ call, request }: RequestMessage<Request>) => {
    let answered: ReplyMessage<Reply>;
    try {
      answered = { call, reply: answer(request) };
    } catch (error) {
      answered = { call, error: error instanceof Error ? error : new Error(String(error)) };
    }
    parentPort?.postMessage(answered);
  });
}

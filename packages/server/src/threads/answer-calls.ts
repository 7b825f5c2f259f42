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
  answering<Request>(({ call, request }) => {
    let answered: ReplyMessage<Reply>;
    try {
      answered = { call, reply: answer(request) };
    } catch (error) {
      answered = failed(call, error);
    }
    parentPort?.postMessage(answered);
  });
}

/** Like `answerCalls`, for work that waits for files, for example. One call after the other. */
export function answerCallsInTurn<Request, Reply>(
  answer: (request: Request) => Promise<Reply>,
): void {
  let last = Promise.resolve();
  answering<Request>(({ call, request }) => {
    last = last
      .then(() => answer(request))
      .then(
        (reply): ReplyMessage<Reply> => ({ call, reply }),
        (error: unknown) => failed(call, error),
      )
      .then((answered) => parentPort?.postMessage(answered));
  });
}

const answering = <Request>(take: (message: RequestMessage<Request>) => void): void =>
  void parentPort?.on("message", take);

const failed = (
  call: number,
  error: unknown,
): { readonly call: number; readonly error: Error } => ({
  call,
  error: error instanceof Error ? error : new Error(String(error)),
});

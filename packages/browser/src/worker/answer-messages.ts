import type {
  FromWorker,
  SentRequest,
  SentResponse,
  ToWorker,
  WorkerOptions,
} from "../protocol.ts";
import { startInWorker, type HostedPlatform, type Template } from "./host.ts";
import { membersOf } from "./members.ts";

/** One end of a channel of messages. */
export interface Port {
  addEventListener(type: "message", listener: (event: { readonly data: ToWorker }) => void): void;
  postMessage(message: FromWorker, transfer: readonly ArrayBuffer[]): void;
}

/** Answers the messages of a page. The first one starts the platform. */
export function answerMessages(port: Port, template: Promise<Template>): void {
  const running = new Map<number, AbortController>();
  let hosted: Promise<HostedPlatform> | undefined;

  const start = async (options: WorkerOptions): Promise<unknown> => {
    hosted ??= startInWorker(options, template);
    const { cid, clientId, clientSecret } = await hosted;
    return { cid, clientId, clientSecret };
  };

  const started = (): Promise<HostedPlatform> => {
    if (hosted === undefined) throw new Error("the platform is not started");
    return hosted;
  };

  const send = async (number: number, request: SentRequest): Promise<SentResponse> => {
    const abort = new AbortController();
    running.set(number, abort);
    try {
      const { platform } = await started();
      return await responseTo(platform.fetch(requestOf(request, abort.signal)));
    } finally {
      running.delete(number);
    }
  };

  const call = async ({
    call: name,
    parameters,
  }: Extract<ToWorker, { readonly call: unknown }>) => {
    const members: Readonly<Record<string, (...parameters: never[]) => unknown>> = membersOf(
      await started(),
    );
    return members[name]?.(...(parameters as never[]));
  };

  port.addEventListener("message", ({ data }) => {
    if ("abort" in data) {
      running.get(data.abort)?.abort();
      return;
    }
    const { number } = data;
    const work = async (): Promise<unknown> => {
      if ("start" in data) return start(data.start);
      return "fetch" in data ? send(number, data.fetch) : call(data);
    };
    void work().then(
      (result) => port.postMessage({ number, result }, transferred(result)),
      (error: unknown) => port.postMessage({ number, error: cloneable(error) }, []),
    );
  });
}

/** Not every browser has bodies of requests as streams, but all have those of responses. */
function requestOf({ body, headers, ...request }: SentRequest, signal: AbortSignal): Request {
  const content = body === null ? null : new Response(body).body;
  return {
    ...request,
    signal,
    headers: new Headers(headers as [string, string][]),
    body: content,
  } as unknown as Request;
}

async function responseTo(sent: Promise<Response>): Promise<SentResponse> {
  const response = await sent;
  const { status, headers, body } = response;
  return {
    status,
    headers: [...headers],
    body: body === null ? null : await response.arrayBuffer(),
  };
}

function transferred(result: unknown): readonly ArrayBuffer[] {
  const body = (result as { readonly body?: unknown } | null | undefined)?.body;
  return body instanceof ArrayBuffer ? [body] : [];
}

/** Members of errors that are functions cannot be cloned. */
function cloneable(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const constructors: readonly (typeof Error)[] = [RangeError, TypeError];
  const Known = constructors.find((each) => error instanceof each) ?? Error;
  return new Known(error.message);
}

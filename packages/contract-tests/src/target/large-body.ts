import { request as httpRequest, type ClientRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { setImmediate } from "node:timers/promises";
import type { Blanks, HttpRequest } from "../requests/request.ts";
import { receivedFrom, type Received } from "./http.ts";

const chunk = Buffer.alloc(64 * 1024, " ");

/** A server that rejects by Content-Length responds within this time, before the body is sent. */
const headStartMilliseconds = 250;

/** The connection may break before the answer arrives. Try again: it rarely happens twice. */
const attempts = 3;

/**
 * Sends a body of spaces and stops at the first response. A server may reject the body without
 * reading it and close the connection; a response that arrived before counts.
 */
export async function sendLargeBody(
  baseUrl: string,
  request: HttpRequest & { readonly blanks: Blanks },
  timeoutMilliseconds: number,
): Promise<Received> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await exchange(baseUrl, request, timeoutMilliseconds);
    } catch (error) {
      const code = (error as { code?: unknown }).code;
      const isBroken = code === "EPIPE" || code === "ECONNRESET";
      if (!isBroken || attempt >= attempts) throw error;
    }
  }
}

async function exchange(
  baseUrl: string,
  { method, url, headers, blanks }: HttpRequest & { readonly blanks: Blanks },
  timeoutMilliseconds: number,
): Promise<Received> {
  const send = baseUrl.startsWith("https:") ? httpsRequest : httpRequest;
  const outgoing = send(baseUrl + url, {
    method,
    headers: { ...headers, "content-length": lengthOf(blanks) },
    agent: false,
    timeout: timeoutMilliseconds,
  });
  let answered = false;
  const answer = new Promise<Received>((resolve, reject) => {
    outgoing.on("response", (response) => {
      answered = true;
      readAnswer(response).then(resolve, reject);
    });
    outgoing.on("error", (error) => {
      if (!answered) reject(error);
    });
    outgoing.on("timeout", () => reject(new Error(`no response in ${timeoutMilliseconds} ms`)));
  });
  try {
    outgoing.flushHeaders();
    await Promise.race([answer, headStart()]);
    await Promise.race([answer, writeBlanks(outgoing, blanks, () => answered)]);
    return await answer;
  } finally {
    outgoing.destroy();
  }
}

const lengthOf = ({ before, count, after }: Blanks): number =>
  Buffer.byteLength(before) + count + Buffer.byteLength(after);

const headStart = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, headStartMilliseconds).unref();
  });

/** Yields to the event loop between chunks, so that a response is noticed before the next write. */
async function writeBlanks(
  outgoing: ClientRequest,
  { before, count, after }: Blanks,
  isAnswered: () => boolean,
): Promise<void> {
  if (before !== "") outgoing.write(before);
  for (let left = count; left > 0 && !isAnswered() && !outgoing.destroyed; left -= chunk.length) {
    const isFlushed = outgoing.write(chunk.subarray(0, Math.min(left, chunk.length)));
    if (!isFlushed) await drained(outgoing);
    await setImmediate();
  }
  if (!isAnswered() && !outgoing.destroyed) outgoing.end(after);
}

const drained = (outgoing: ClientRequest): Promise<void> =>
  new Promise((resolve) => {
    const settle = (): void => {
      outgoing.off("drain", settle).off("close", settle);
      resolve();
    };
    outgoing.on("drain", settle).on("close", settle);
  });

async function readAnswer(response: IncomingMessage): Promise<Received> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  return receivedFrom(response, parts);
}

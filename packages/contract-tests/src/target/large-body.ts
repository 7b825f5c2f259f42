import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { HttpRequest } from "../requests/request.ts";
import type { Answer } from "./answer.ts";

const chunk = Buffer.alloc(64 * 1024, " ");

/**
 * Sends a body of that many bytes (blanks) and stops as soon as an answer comes: a server may refuse it
 * without reading it all, and fetch does not show an answer to a body that is still on its way.
 */
export async function sendLargeBody(
  baseUrl: string,
  { method, url, headers }: HttpRequest,
  bytes: number,
  timeoutMilliseconds: number,
): Promise<Pick<Answer, "status" | "headers" | "text">> {
  const send = baseUrl.startsWith("https:") ? httpsRequest : httpRequest;
  const outgoing = send(baseUrl + url, {
    method,
    headers: { ...headers, "content-length": bytes },
    agent: false,
    timeout: timeoutMilliseconds,
  });
  try {
    return await new Promise((resolve, reject) => {
      let answered = false;
      outgoing.on("response", (response) => {
        answered = true;
        readAnswer(response).then(resolve, reject);
      });
      outgoing.on("error", (error) => {
        if (!answered) reject(error);
      });
      outgoing.on("timeout", () => reject(new Error(`no answer in ${timeoutMilliseconds} ms`)));
      const write = (left: number): void => {
        if (answered || outgoing.destroyed) return;
        if (left <= 0) {
          outgoing.end();
          return;
        }
        outgoing.write(chunk.subarray(0, Math.min(left, chunk.length)), (error) => {
          if (!error) write(left - chunk.length);
        });
      };
      write(bytes);
    });
  } finally {
    outgoing.destroy();
  }
}

async function readAnswer(
  response: IncomingMessage,
): Promise<Pick<Answer, "status" | "headers" | "text">> {
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part as Buffer);
  const headers = Object.entries(response.headers).map(([name, value]) => [
    name,
    [value ?? ""].flat().join(", "),
  ]);
  return {
    status: response.statusCode ?? 0,
    headers: Object.fromEntries(headers) as Record<string, string>,
    text: Buffer.concat(parts).toString("utf8"),
  };
}

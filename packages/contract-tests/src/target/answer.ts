import type { Finding } from "../conformance/finding.ts";
import type { Operation } from "../contract.ts";
import type { HttpRequest, JsonObject } from "../requests/request.ts";

/** A response, its request, and its violations of the document. */
export interface Answer {
  readonly operation: Operation;
  readonly request: HttpRequest;
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** Undefined if the body is not JSON. */
  readonly json: unknown;
  /** The content of a success in the default representation, regardless of the received one. */
  readonly content: unknown;
  readonly findings: readonly Finding[];
  /** Whether the operation is not implemented: 501 with an error Envelope. */
  readonly notImplemented: boolean;
}

/** 501, with an error that repeats the code; a HEAD request gets no body. */
export function saysNotImplemented(method: string, status: number, json: unknown): boolean {
  if (status !== 501) return false;
  if (method === "HEAD") return true;
  const errors = (json as Partial<Envelope> | undefined)?.errors;
  return Array.isArray(errors) && (errors[0] as { code?: unknown } | undefined)?.code === 501;
}

export function parseBody(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** The list of records in an answer, in either representation; empty if it has no list. */
export function listOf({ content }: Answer): readonly unknown[] {
  const list = Array.isArray(content)
    ? content
    : (content as Partial<Envelope> | undefined)?.resources;
  return Array.isArray(list) ? list : [];
}

interface Envelope {
  readonly resources: unknown;
  readonly errors: unknown;
}

/** The records of a response: its list, or its single record. */
export function recordsOf(answer: Answer): readonly JsonObject[] {
  const { content, status } = answer;
  const isObject = typeof content === "object" && content !== null && !Array.isArray(content);
  if (status < 300 && isObject && "id" in content && !("meta" in content)) {
    return [content as JsonObject];
  }
  return listOf(answer) as readonly JsonObject[];
}

/** The messages of an Envelope. */
export function messagesOf({ json }: Answer): readonly string[] {
  const errors = (json as Partial<Envelope> | undefined)?.errors;
  return Array.isArray(errors) ? errors.map(({ message }) => String(message)) : [];
}

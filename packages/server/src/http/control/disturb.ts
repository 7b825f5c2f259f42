import type { OutgoingHttpHeaders, ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { bytesOf } from "../responses/bytes-of.ts";

/** How a response arrives. */
export interface Disturbance {
  /** The connection closes instead of a response. */
  readonly closes: boolean;
  /** The connection closes in the middle of the body. */
  readonly truncate: boolean;
  /** The body arrives in pieces over this time. 0: at once. */
  readonly slowMilliseconds: number;
  /** Undefined: as the server sends it. */
  readonly mediaType: string | undefined;
}

const pieces = 10;

type Written = (error?: Error | null) => void;

/** Changes how one response is sent. `signal` ends all waiting. */
export function disturb(raw: ServerResponse, disturbance: Disturbance, signal: AbortSignal): void {
  const { closes, truncate, slowMilliseconds, mediaType } = disturbance;
  if (closes) return closeInstead(raw);
  if (mediaType !== undefined) replaceMediaType(raw, mediaType);
  if (truncate) sendHalf(raw);
  else if (slowMilliseconds > 0) sendSlowly(raw, slowMilliseconds, signal);
}

function closeInstead(raw: ServerResponse): void {
  const close = () => raw.destroy();
  raw.writeHead = (() => raw) as typeof raw.writeHead;
  raw.write = (() => {
    close();
    return true;
  }) as typeof raw.write;
  raw.end = (() => close()) as typeof raw.end;
}

function replaceMediaType(raw: ServerResponse, mediaType: string): void {
  const { writeHead } = raw;
  raw.writeHead = ((status: number, headers: OutgoingHttpHeaders = {}) => {
    raw.removeHeader("content-type");
    const others = Object.entries(headers).filter(
      ([name]) => name.toLowerCase() !== "content-type",
    );
    const replaced = { ...Object.fromEntries(others), "content-type": mediaType };
    return writeHead.call(raw, status, replaced);
  }) as typeof raw.writeHead;
}

/** Sends half of the first part of the body, and closes the connection. An empty body is sent as it is. */
function sendHalf(raw: ServerResponse): void {
  const { write, end } = raw;
  let isOver = false;
  const sendPart = (chunk: unknown, encoding: unknown): void => {
    if (isOver) return;
    isOver = true;
    const bytes = bytesOf(chunk, encoding);
    const half = bytes.subarray(0, Math.floor(bytes.length / 2));
    (write as (chunk: Buffer, written: Written) => boolean).call(raw, half, () => raw.destroy());
  };
  raw.write = ((chunk: unknown, encoding: unknown) => {
    sendPart(chunk, encoding);
    return true;
  }) as typeof raw.write;
  raw.end = ((chunk: unknown, encoding: unknown) => {
    if (isContent(chunk) || isOver) sendPart(chunk, encoding);
    else Reflect.apply(end, raw, []);
    return raw;
  }) as typeof raw.end;
}

/** Sends each part of the body in pieces, one after the other. */
function sendSlowly(raw: ServerResponse, milliseconds: number, signal: AbortSignal): void {
  const { write, end } = raw;
  let sent: Promise<void> = Promise.resolve();
  const sendAfter = async (earlier: Promise<void>, bytes: Buffer): Promise<void> => {
    await earlier;
    const size = Math.max(1, Math.ceil(bytes.length / pieces));
    for (let at = 0; at < bytes.length && !raw.destroyed; at += size) {
      await pause(milliseconds / pieces, undefined, { signal }).catch(() => undefined);
      (write as (chunk: Buffer) => boolean).call(raw, bytes.subarray(at, at + size));
    }
  };
  const sendPart = (chunk: unknown, encoding: unknown): void => {
    if (isContent(chunk)) sent = sendAfter(sent, bytesOf(chunk, encoding));
  };
  const endAfter = async (earlier: Promise<void>): Promise<void> => {
    await earlier;
    raw.write = write;
    Reflect.apply(end, raw, []);
  };
  raw.write = ((chunk: unknown, encoding: unknown) => {
    sendPart(chunk, encoding);
    return true;
  }) as typeof raw.write;
  raw.end = ((chunk: unknown, encoding: unknown) => {
    sendPart(chunk, encoding);
    void endAfter(sent);
    return raw;
  }) as typeof raw.end;
}

const isContent = (chunk: unknown): chunk is string | Uint8Array =>
  typeof chunk === "string" || chunk instanceof Uint8Array;

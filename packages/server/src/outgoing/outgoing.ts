import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";

export interface OutgoingQuery {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface OutgoingRequest extends OutgoingQuery {
  readonly body: string;
}

export interface OutgoingResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** A response whose content has not been read. */
export interface OutgoingDownload extends Omit<OutgoingResponse, "body"> {
  /** The caller reads it to its end, or destroys it. */
  readonly content: Readable;
}

/** The URL is refused permanently; do not retry. */
export class OutgoingRefusedError extends Error {
  override readonly name = "OutgoingRefusedError";
}

/** Requests to URLs that tenants choose. */
export interface Outgoing {
  /**
   * Why a URL is refused, or null. A name that cannot be resolved yet is not refused: every request is
   * checked again.
   */
  refusal(url: string): Promise<string | null>;
  /**
   * Sends a POST and returns the status of the response. Throws `OutgoingRefusedError`, or another error
   * where a later attempt may succeed.
   */
  post(url: string, request: OutgoingRequest): Promise<number>;
  /** Sends a GET. Throws as `post` does. */
  get(url: string, query: OutgoingQuery): Promise<OutgoingResponse>;
  /** Sends a HEAD. Throws as `post` does. */
  head(url: string, query: OutgoingQuery): Promise<OutgoingResponse>;
  /** Sends a GET for content of any size. Only a pause in it has a time limit. Throws as `post` does. */
  download(url: string, query: OutgoingQuery): Promise<OutgoingDownload>;
}

const unreachable = async (): Promise<never> => {
  throw new Error("this platform has no network");
};

/** Refuses no URL, and sends nothing. */
export const offline: Outgoing = {
  refusal: async () => null,
  post: unreachable,
  get: unreachable,
  head: unreachable,
  download: unreachable,
};

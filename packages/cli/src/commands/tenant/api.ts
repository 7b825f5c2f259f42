import { NotFoundError, type Client, type ListCall } from "@security-platform/client";
import { methodOf, type Input } from "../../calls/method-of.ts";
import { operationOf } from "../../calls/operations.ts";
import { inParts } from "../../calls/read-input.ts";

/** A record as the API returns it. */
export type ApiRecord = Readonly<Record<string, unknown>>;

/** Calls operations by their ids, until the signal aborts. */
export class Api {
  readonly #client: Client;
  readonly #signal: AbortSignal;

  constructor(client: Client, signal: AbortSignal) {
    this.#client = client;
    this.#signal = signal;
  }

  async call(operationId: string, input: Input): Promise<unknown> {
    this.#signal.throwIfAborted();
    const method = methodOf(this.#client, operationOf(operationId));
    return (await method(input, { signal: this.#signal })).data;
  }

  /** All entries of a list, or the records with these ids. Records that were just deleted are left out. */
  async list<Entry = ApiRecord>(operationId: string, input: Input = {}): Promise<Entry[]> {
    const operation = operationOf(operationId);
    const entries: unknown[] = [];
    if (operation.paging !== "none") {
      const method = methodOf(this.#client, operation);
      const call = method(input, { signal: this.#signal, readAhead: true }) as ListCall<unknown>;
      for await (const entry of call) entries.push(entry);
      return entries as Entry[];
    }
    for (const part of inParts(operation, input)) {
      const data = await this.call(operationId, part).catch((error: unknown) => {
        if (error instanceof NotFoundError) return error.found;
        throw error;
      });
      entries.push(...resourcesOf(data));
    }
    return entries as Entry[];
  }
}

/** The resources of an answer, which for some operations is the whole Envelope. */
export const resourcesOf = (data: unknown): readonly unknown[] =>
  Array.isArray(data)
    ? data
    : ((data as { readonly resources?: readonly unknown[] | null }).resources ?? []);

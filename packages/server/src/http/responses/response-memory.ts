import type { ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { errors } from "../../foundation/errors.ts";

/** The part of the memory that the responses to one tenant may use. */
const partOfTenant = 1 / 2;
const retrySeconds = 5;

/** Whether the connection has taken all of a response. Behind another response, it has no socket yet. */
const isTaken = (connection: Socket, response: ServerResponse): boolean =>
  response.socket !== null &&
  response.writableEnded &&
  connection.writableLength + response.writableLength === 0;

/**
 * The memory of responses that their callers have not taken yet. A connection takes most responses at once, and those
 * use none of it.
 */
export class ResponseMemory {
  readonly #most: number;
  #used = 0;
  readonly #ofTenants = new Map<string, number>();
  readonly #connections = new WeakMap<Socket, Set<() => void>>();

  /** `most`: in bytes. */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Throws 503 if the responses to the tenant that are not taken use its part, or if the memory is used and the tenant
   * has more of it than others. So a tenant that takes its responses is never refused.
   */
  requireRoom(tenant: string, bytes = 1): void {
    const ofTenant = this.#ofTenants.get(tenant);
    if (ofTenant === undefined) return;
    const isFull = this.#used + bytes > this.#most;
    const part = isFull ? 1 / (this.#ofTenants.size + 1) : partOfTenant;
    if (ofTenant + bytes > this.#most * part) throw errors.tooManyResponses(retrySeconds);
  }

  /** Call this when all of a response was given to its connection. */
  note(tenant: string, connection: Socket, response: ServerResponse, bytes: number): void {
    if (isTaken(connection, response)) return;
    this.#add(tenant, bytes);
    const kept = this.#keptOf(connection);
    const release = (): void => {
      if (kept.delete(release)) this.#add(tenant, -bytes);
    };
    kept.add(release);
    response.once("close", release);
  }

  #add(tenant: string, bytes: number): void {
    this.#used += bytes;
    const ofTenant = (this.#ofTenants.get(tenant) ?? 0) + bytes;
    if (ofTenant === 0) this.#ofTenants.delete(tenant);
    else this.#ofTenants.set(tenant, ofTenant);
  }

  /** What releases the responses of a connection. Those behind another one are not closed with it. */
  #keptOf(connection: Socket): Set<() => void> {
    let kept = this.#connections.get(connection);
    if (kept === undefined) {
      const all = new Set<() => void>();
      connection.once("close", () => {
        for (const release of all) release();
      });
      this.#connections.set(connection, all);
      kept = all;
    }
    return kept;
  }
}

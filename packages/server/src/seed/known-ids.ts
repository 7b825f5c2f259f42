import { createHash } from "node:crypto";
import type { Identifiers } from "../foundation/identifiers.ts";
import { uuid, type Random } from "./random.ts";

/** Translates an identifier in the examples of the document into that of the same record in a tenant. */
export type KnownId = (id: string) => string;

/** For the tenant that the examples are about. */
export const asDocumented: KnownId = (id) => id;

/** For any other tenant: other identifiers in the same forms. The first two digits decide the platform of a host. */
export const otherThanDocumented =
  (cid: string): KnownId =>
  (id) => {
    const digits = createHash("sha256").update(`${cid}/${id}`).digest("hex");
    let next = 0;
    const rest = id.slice(2).replaceAll(/[0-9a-f]/g, () => digits[next++ % digits.length] ?? "0");
    return id.slice(0, 2) + rest;
  };

/** Gives out the listed identifiers in their order, each to a record with its form, and then generated ones. */
export class ListedIdentifiers implements Identifiers {
  readonly #listed: string[];
  readonly #random: Random;

  constructor(listed: readonly string[], random: Random) {
    this.#listed = [...listed];
    this.#random = random;
  }

  hex(digits: number): string {
    return this.#take(new RegExp(`^[0-9a-f]{${digits}}$`)) ?? this.#random.hex(digits);
  }

  uuid(): string {
    return this.#take(/-/) ?? uuid(this.#random);
  }

  #take(form: RegExp): string | undefined {
    const index = this.#listed.findIndex((id) => form.test(id));
    return index === -1 ? undefined : this.#listed.splice(index, 1)[0];
  }
}

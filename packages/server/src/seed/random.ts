import { createHash } from "node:crypto";

/**
 * Reproducible random numbers (xoshiro128**). Each purpose has its own named sequence, so that one
 * more draw for one purpose does not change the others.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor(seed: number, purpose: string) {
    const digest = createHash("sha256").update(`${seed}/${purpose}`).digest();
    this.#a = digest.readUInt32LE(0);
    this.#b = digest.readUInt32LE(4);
    this.#c = digest.readUInt32LE(8);
    // An all-zero state would stay zero.
    this.#d = digest.readUInt32LE(12) | 1;
  }

  /** An integer from 0 to 2^32 - 1. */
  next(): number {
    const scrambled = Math.imul(rotate(Math.imul(this.#b, 5), 7), 9) >>> 0;
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = rotate(this.#d, 11);
    return scrambled;
  }

  /** An integer from 0 to `bound` - 1. */
  below(bound: number): number {
    return Math.floor((this.next() / 2 ** 32) * bound);
  }

  /** True in `percent` of a hundred draws. */
  chance(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<const Items extends readonly [unknown, ...unknown[]]>(items: Items): Items[number] {
    return items[this.below(items.length)] ?? items[0];
  }

  /** One item, each with the same chance. */
  some<Item>(items: readonly [Item, ...Item[]], percent = 50): [Item, ...Item[]] {
    const [first, ...others] = items.filter(() => this.chance(percent));
    return first === undefined ? [this.pick(items)] : [first, ...others];
  }

  /** Lower-case hex digits; `digits` is a multiple of 8. */
  hex(digits: number): string {
    let text = "";
    while (text.length < digits) text += this.next().toString(16).padStart(8, "0");
    return text;
  }
}

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

/** A UUID in the form of version 4. */
export const uuid = (random: Random): string =>
  random.hex(32).replace(/(.{8})(.{4}).(.{3}).(.{3})(.{12})/, "$1-$2-4$3-8$4-$5");

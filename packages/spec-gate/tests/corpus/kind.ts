import type { JsonObject } from "../../src/json.ts";
import type { Place } from "./document.ts";

/** A kind of edit, with all suitable places. */
export interface Kind {
  readonly name: string;
  readonly expected: "breaking" | "safe";
  /** Nothing at all must be reported. */
  readonly quiet?: boolean;
  /** oasdiff's name of the change, where it has one. */
  readonly oasdiff?: string;
  readonly places: () => readonly Place[];
  readonly apply: (place: Place) => JsonObject;
}

/** Pseudo-random numbers from 0 to 1. */
export function random(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A few different places of a kind, by seed. */
export function picked({ places, name }: Kind, count: number, seed: number): readonly Place[] {
  const next = random([...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), seed));
  const left = [...places()];
  const chosen: Place[] = [];
  while (chosen.length < count && left.length > 0) {
    chosen.push(...left.splice(Math.floor(next() * left.length), 1));
  }
  return chosen;
}

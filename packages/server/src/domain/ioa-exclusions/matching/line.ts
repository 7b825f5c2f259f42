import { foldProcessText } from "../expression/required.ts";

/** Length from which a line is indexed. A plain search is faster for shorter ones. */
const longLine = 2_048;
const pieceLength = 4;
const buckets = 1 << 16;

function bucketOf(text: string, at: number): number {
  let hash = 0;
  for (let next = at; next < at + pieceLength; next += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(next), 0x9e37_79b1);
  }
  return (hash >>> 16) & (buckets - 1);
}

/**
 * One line of a process, which is searched for thousands of texts. A long line has a set of its
 * four-character substrings, so that one look-up rules out most texts.
 */
export class Line {
  readonly text: string;
  readonly #folded: string;
  readonly #pieces: Uint8Array | null;

  constructor(text: string) {
    this.text = text;
    this.#folded = foldProcessText(text);
    this.#pieces = this.#folded.length < longLine ? null : piecesOf(this.#folded);
  }

  /** Whether the line contains a folded text, ignoring case. */
  contains(folded: string): boolean {
    return this.#mayContain(folded) && this.#folded.includes(folded);
  }

  #mayContain(folded: string): boolean {
    if (this.#pieces === null) return true;
    // File names mostly differ at the end, so the search starts there.
    for (let at = folded.length - pieceLength; at >= 0; at -= 1) {
      if (this.#pieces[bucketOf(folded, at)] === 0) return false;
    }
    return true;
  }
}

function piecesOf(text: string): Uint8Array {
  const pieces = new Uint8Array(buckets);
  for (let at = 0; at + pieceLength <= text.length; at += 1) pieces[bucketOf(text, at)] = 1;
  return pieces;
}

const mostPlaces = 20;
const longestPlace = 200;

/** The place of a value in a body: `body.resources[].settings`. Items of a list share one place. */
export class Place {
  readonly #outer: Place | null;
  readonly #name: string;

  constructor(outer: Place | null, name: string) {
    this.#outer = outer;
    this.#name = name;
  }

  get text(): string {
    const outer = this.#outer === null ? "body" : this.#outer.text;
    return this.#name === "[]" ? `${outer}[]` : `${outer}.${this.#name}`;
  }
}

/** The members of a request that the document does not have, for a response header. */
export class IgnoredMembers {
  readonly #places = new Set<string>();
  #isCut = false;

  add(outer: Place | null, name: string): void {
    if (this.#places.size >= mostPlaces) {
      this.#isCut = true;
      return;
    }
    this.#places.add(inHeader(new Place(outer, name).text));
  }

  /** The value of the header. Null if no member was ignored. */
  get header(): string | null {
    if (this.#places.size === 0) return null;
    return [...this.#places, ...(this.#isCut ? ["..."] : [])].join(", ");
  }
}

/** Callers choose the names, but a header consists of ASCII without commas and control characters. */
const inHeader = (text: string): string =>
  text.slice(0, longestPlace).replaceAll(/[^!#-+\--~]/gu, "?");

import type { RequestParts } from "../requests/request.ts";

/** Maximum number of checked items of a list. */
const visitedItems = 5;

/** Remembers which parameters and members of bodies were sent, by operation. */
export class SentPlaces {
  readonly #places = new Map<string, Set<string>>();

  add(operation: string, { query, path, headers, body }: RequestParts): void {
    const places = this.#places.get(operation) ?? new Set<string>();
    this.#places.set(operation, places);
    for (const name of Object.keys({ ...query, ...path, ...headers })) {
      places.add(`parameter ${name}`);
    }
    addMembers(body, "", places);
  }

  has(operation: string, place: string): boolean {
    return this.#places.get(operation)?.has(place) === true;
  }
}

function addMembers(value: unknown, path: string, places: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value.slice(0, visitedItems)) addMembers(item, `${path}[]`, places);
  } else if (value !== null && typeof value === "object") {
    for (const [name, inner] of Object.entries(value)) {
      const place = path === "" ? name : `${path}.${name}`;
      places.add(`member ${place}`);
      addMembers(inner, place, places);
    }
  }
}

import { randomUUID } from "node:crypto";
import { firstFault } from "./json-fault.ts";

/** The error of a refused JSON text, with its position. */
export class JsonTextError extends Error {
  override readonly name = "JsonTextError";
  /** Position in characters. */
  readonly offset: number;

  constructor(reason: string, offset: number) {
    super(reason);
    this.offset = offset;
  }
}

/** A place after a comma at which a JSON text can be divided. */
export interface Cut {
  /** Offset in bytes. */
  readonly offset: number;
  /** For each list or object that is open there, whether it is an object. The outermost is the first. */
  readonly open: readonly boolean[];
}

type Container = unknown[] | Record<string, unknown>;

/** Stand for what comes before and after a piece. They are random, so that no text contains them. */
const before = `before ${randomUUID()}`;
const after = `after ${randomUUID()}`;

/** Parses a JSON text in pieces. The result is the same as that of the whole text, and so are its errors. */
export class JsonPieces {
  #value: unknown;
  #kinds: Cut["open"] = [];
  /** The lists and objects that the next piece continues. */
  #open: readonly Container[] = [];
  #characters = 0;

  /** `open`: see `Cut`; empty for the last piece. Throws `JsonTextError`. */
  add(text: string, open: Cut["open"]): void {
    const start = opening(this.#kinds);
    const piece = parse(start + text + closing(open), this.#characters - start.length);
    const path = open.length === 0 ? [] : (openIn(piece) ?? []);
    if (this.#open.length === 0) {
      this.#value = piece;
      this.#open = path;
    } else {
      const continued = new Map<unknown, Container>();
      join(this.#open, piece as Container, continued);
      this.#open = path.map((each) => continued.get(each) ?? each);
    }
    this.#kinds = open;
    this.#characters += text.length;
  }

  /** The value after the last piece. */
  get value(): unknown {
    return this.#value;
  }
}

/** Opens the lists and objects that a piece continues, with something before its comma. */
function opening(kinds: Cut["open"]): string {
  const last = kinds.length - 1;
  return kinds
    .map((isObject, level) => (isObject ? `{"${before}":` : "[") + (level === last ? "0," : ""))
    .join("");
}

/** Closes the lists and objects that are open at the end of a piece, with something after its comma. */
function closing(kinds: Cut["open"]): string {
  const isObject = kinds.at(-1);
  if (isObject === undefined) return "";
  const closers = kinds.map((each) => (each ? "}" : "]")).toReversed();
  return `"${after}"${isObject ? ":0" : ""}${closers.join("")}`;
}

function parse(text: string, offset: number): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const fault = firstFault(text) ?? { reason: "invalid value", offset: 0 };
    throw new JsonTextError(fault.reason, fault.offset + offset);
  }
}

/** The lists and objects that are open at the end of a piece. Removes what stands for the rest. */
function openIn(value: unknown): readonly Container[] | null {
  if (Array.isArray(value)) {
    const last: unknown = value.at(-1);
    if (last === after) {
      value.pop();
      return [value];
    }
    const inner = openIn(last);
    return inner && [value, ...inner];
  }
  if (value === null || typeof value !== "object") return null;
  const record = value as Record<string, unknown>;
  if (Object.hasOwn(record, after)) {
    delete record[after];
    return [record];
  }
  // The open member need not be the last: its name may be a number, or occur twice.
  for (const member of Object.values(record).toReversed()) {
    const inner = openIn(member);
    if (inner !== null) return [record, ...inner];
  }
  return null;
}

/** Adds the contents of a piece to the lists and objects that it continues. */
function join(
  [to, ...others]: readonly Container[],
  from: Container,
  continued: Map<unknown, Container>,
): void {
  if (to === undefined) return;
  continued.set(from, to);
  if (Array.isArray(from)) {
    join(others, from[0] as Container, continued);
    for (let at = 1; at < from.length; at += 1) (to as unknown[]).push(from[at]);
    return;
  }
  for (const [name, value] of Object.entries(from)) {
    if (name === before) join(others, value as Container, continued);
    else set(to as Record<string, unknown>, name, value);
  }
}

function set(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== "__proto__") record[name] = value;
  else {
    Object.defineProperty(record, name, {
      value,
      configurable: true,
      enumerable: true,
      writable: true,
    });
  }
}

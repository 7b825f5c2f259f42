import { readFileSync } from "node:fs";
import type { Exchange } from "../../src/http/routes/route-parts.ts";

/**
 * What generated clients of this API decode, from their public models: for each operation the type of the
 * response, or of its `resources`, and for each type its members. `T[]` is a list, `T{}` a map with any names,
 * and `T!` a value that is neither absent nor null.
 */
interface ClientModels {
  readonly operations: Readonly<Record<string, string>>;
  readonly models: Readonly<Record<string, string>>;
}

type Members = ReadonlyMap<string, string>;

/** Models of the Go client, which require no member, and of the Rust client for case management, which require most. */
const tables = ["client-models.json", "client-models.rust.json"] as const;

/** A decoder for each client. */
export const clientDecoders = (): readonly ClientDecoder[] =>
  tables.map((table) => new ClientDecoder(table));

/** A decoder for the client that decodes cases most strictly. */
export const strictCaseDecoder = (): ClientDecoder => new ClientDecoder("client-models.rust.json");

/**
 * Finds values that a client cannot decode: a value of another JSON kind than the member of the model has, and
 * required members that are absent or null. Other absent members, null and unknown members are no problem, and
 * names of present members are compared ignoring case, as Go does.
 */
class ClientDecoder {
  readonly #operations: ReadonlyMap<string, string>;
  readonly #models: ReadonlyMap<string, Members>;
  readonly #decoded = new Set<string>();
  readonly #problems = new Set<string>();

  constructor(table: (typeof tables)[number]) {
    const file = new URL(table, import.meta.url);
    const { operations, models } = JSON.parse(readFileSync(file, "utf8")) as ClientModels;
    this.#operations = new Map(Object.entries(operations));
    this.#models = new Map(
      Object.entries(models).map(([name, members]) => [name, membersOf(members)]),
    );
  }

  get operations(): readonly string[] {
    return [...this.#operations.keys()];
  }

  /** The operations of which at least one response was decoded. */
  get decoded(): ReadonlySet<string> {
    return this.#decoded;
  }

  get problems(): readonly string[] {
    return [...this.#problems];
  }

  observe({ operation: { id }, status, headers, body }: Exchange): void {
    const type = this.#operations.get(id);
    // Clients read the plain JSON of a success only.
    const isPlain = headers["content-type"]?.startsWith("application/json") === true;
    if (type === undefined || status >= 300 || !isPlain) return;
    this.#decoded.add(id);
    const value = JSON.parse(body) as unknown;
    if (!type.startsWith(ofResources)) return this.#decode(type, value, id);
    const { resources, errors } = value as {
      readonly resources: unknown;
      readonly errors: unknown;
    };
    this.#decode(type.slice(ofResources.length), resources, `${id} .resources`);
    if (!Array.isArray(errors)) this.#report(`${id} .errors`, "list", errors);
  }

  #decode(type: string, value: unknown, place: string): void {
    if (type.endsWith(required)) {
      const inner = type.slice(0, -required.length);
      if (value === null || value === undefined) return this.#report(place, inner, value);
      return this.#decode(inner, value, place);
    }
    if (value === null || value === undefined || type === "any") return;
    const isMap = type.endsWith("{}");
    if (!isMap && !type.endsWith("[]")) return this.#decodeOne(type, value, place);
    const inner = type.slice(0, -2);
    if (isMap !== !Array.isArray(value) || typeof value !== "object") {
      return this.#report(place, type, value);
    }
    const values: readonly unknown[] = Object.values(value);
    for (const each of values) this.#decode(inner, each, `${place}${isMap ? ".*" : "[]"}`);
  }

  #decodeOne(type: string, value: unknown, place: string): void {
    const members = this.#models.get(type);
    if (members === undefined) {
      if (!isOfKind(type, value)) this.#report(place, type, value);
      return;
    }
    if (typeof value !== "object" || Array.isArray(value)) return this.#report(place, type, value);
    for (const [name, each] of Object.entries(value as object)) {
      const member = members.get(name.toLowerCase());
      if (member !== undefined) this.#decode(member, each, `${place}.${name}`);
    }
    for (const [name, member] of members) {
      if (member.endsWith(required) && !(name in (value as object))) {
        this.#decode(member, undefined, `${place}.${name}`);
      }
    }
  }

  #report(place: string, type: string, value: unknown): void {
    this.#problems.add(
      `${place}: expected ${type}, got ${String(JSON.stringify(value)).slice(0, 40)}`,
    );
  }
}

const ofResources = "resources:";
const required = "!";

const membersOf = (text: string): Members =>
  new Map(
    text.split(" ").map((member) => {
      const [name = "", type = ""] = member.split(":");
      return [name.toLowerCase(), type] as const;
    }),
  );

function isOfKind(type: string, value: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isSafeInteger(value);
    case "int32":
      return Number.isInteger(value) && Math.abs(value as number) < 2 ** 31;
    case "time":
      return typeof value === "string" && (value === "" || !Number.isNaN(Date.parse(value)));
    case "string":
    case "number":
    case "boolean":
      return typeof value === type;
    default:
      throw new Error(`the table has no type ${type}`);
  }
}

import { clientHabits, type ClientHabits, type ServedOperation } from "@security-platform/spec";
import type { ApiError } from "../../errors.ts";
import type { RawRequest } from "../validate/request.ts";
import { relax } from "./relax.ts";
import { Shape } from "./shape.ts";

/**
 * All of `serve --compat`: how requests of existing clients differ from the document, and how their
 * responses do. Only http/operation-route.ts uses it; nothing below http/ knows of the mode. Habits of
 * single operations are listed in `clientHabits`; the guide on moving existing clients has one table of
 * all differences.
 */
export class ExistingClients {
  readonly #habits: ClientHabits;
  readonly #body: Shape | null;
  readonly #query: ReadonlyMap<string, Shape>;
  /** The first page of a list with both ways of paging counts from the start, so that it has a total. */
  readonly #countsFirstPage: boolean;

  constructor(operation: ServedOperation) {
    const { parameters, requestBody, cursorParameter } = operation;
    this.#habits = clientHabits(operation);
    const schema = requestBody?.content["application/json"];
    this.#body = schema === undefined ? null : new Shape([schema]);
    this.#query = new Map(
      parameters.flatMap(({ name, in: place, schema: each }) =>
        place === "query" ? [[name, new Shape([each])] as const] : [],
      ),
    );
    this.#countsFirstPage = cursorParameter === "after" && this.#query.has("offset");
  }

  /** The request as the document describes it; not validated yet. */
  rewrite(request: RawRequest): RawRequest {
    return {
      params: request.params,
      headers: request.headers,
      query: this.#rewriteQuery(request.query as RawValues),
      body: this.#rewriteBody(request.body),
    };
  }

  /** The status of an error. A success carries the found records beside the error's entries. */
  statusOf({ status }: ApiError, successStatus: number): number {
    return status === 404 && this.#habits.missing === "success" ? successStatus : status;
  }

  #rewriteQuery(query: RawValues): RawValues {
    const entries = Object.entries(query).map(([name, value]) => {
      const shape = this.#query.get(name);
      return [name, shape === undefined ? value : relaxText(shape, value)] as const;
    });
    const rewritten = Object.fromEntries(entries);
    const startsAnywhere = "offset" in rewritten || "after" in rewritten;
    return this.#countsFirstPage && !startsAnywhere ? { ...rewritten, offset: "0" } : rewritten;
  }

  #rewriteBody(body: unknown): unknown {
    if (this.#body === null) return body;
    return relax(this.#body, unwrapped(body, this.#habits.wrapper));
  }
}

type RawValues = Readonly<Record<string, unknown>>;

/** Text of a parameter, or several; the schema tells whether it is a list. */
function relaxText(shape: Shape, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((each) => relaxText(shape, each));
  return shape.isList ? relax(shape.items, value) : relax(shape, value);
}

function unwrapped(body: unknown, wrapper: string | undefined): unknown {
  if (wrapper === undefined || body === null || typeof body !== "object") return body;
  const [name, ...others] = Object.keys(body);
  const entries = (body as RawValues)[wrapper];
  const isWrapped = name === wrapper && others.length === 0 && Array.isArray(entries);
  return isWrapped && entries.length === 1 ? (entries[0] as unknown) : body;
}

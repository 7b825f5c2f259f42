import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { canonicalInstant } from "@security-platform/fql";
import type { Contract, Schema } from "../contract.ts";
import { StrictSchemas } from "./strict-schema.ts";

/** One violation of a schema by a value. */
export interface Violation {
  /** `[3].severity`; empty for the value itself. */
  readonly place: string;
  readonly message: string;
  /** The value has an undeclared member. */
  readonly undocumented: boolean;
}

const documentId = "contract";

/** Compiles the contract's schemas in their strict form, each once on first use. */
export class Validators {
  readonly #ajv: Ajv2020;
  readonly #strict: StrictSchemas;
  readonly #compiled = new WeakMap<Schema, ValidateFunction>();
  /** Most of the thousands of schemas of headers and bodies have the same text as others. */
  readonly #byText = new Map<string, ValidateFunction>();

  constructor(contract: Contract) {
    this.#strict = new StrictSchemas(contract.schemas);
    this.#ajv = new Ajv2020({
      allErrors: true,
      strict: false,
      logger: false,
      // The document is linted elsewhere.
      validateSchema: false,
      code: { optimize: false },
    });
    // The package is CommonJS: its default export arrives wrapped in the types, but not at run
    // time.
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    this.#ajv.addFormat("date-time", (text: string) => canonicalInstant(text) !== null);
    // Ajv compiles a top-level schema once, but a part of a schema again for each schema that
    // refers to it.
    for (const [reference, schema] of this.#strict.components(documentId)) {
      this.#ajv.addSchema(schema, reference);
    }
  }

  /** Formats of the contract that would otherwise not be checked. */
  knowsFormat(format: string): boolean {
    return format in this.#ajv.formats;
  }

  violations(schema: Schema, value: unknown): readonly Violation[] {
    let validate = this.#compiled.get(schema);
    if (validate === undefined) {
      validate = this.#compile(schema);
      this.#compiled.set(schema, validate);
    }
    return validate(value) ? [] : (validate.errors ?? []).map(violation);
  }

  /** Schemas with the same text are compiled once. */
  #compile(schema: Schema): ValidateFunction {
    const text = JSON.stringify(schema);
    let validate = this.#byText.get(text);
    if (validate === undefined) {
      validate = this.#ajv.compile(this.#strict.closed(schema, documentId));
      this.#byText.set(text, validate);
    }
    return validate;
  }
}

function violation(error: ErrorObject): Violation {
  const place = placeOf(error.instancePath);
  const params = error.params as Readonly<Record<string, unknown>>;
  const extra = params["additionalProperty"] ?? params["unevaluatedProperty"];
  if (extra !== undefined) {
    const name = String(extra);
    return {
      place: `${place}.${name}`,
      message: "the document has no such field",
      undocumented: true,
    };
  }
  const allowed = params["allowedValues"] ?? params["allowedValue"];
  const detail = allowed === undefined ? "" : `: ${JSON.stringify(allowed)}`;
  return { place, message: `${error.message ?? error.keyword}${detail}`, undocumented: false };
}

/** `/indicators/3/type` becomes `.indicators[3].type`. */
const placeOf = (pointer: string): string =>
  pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join("");

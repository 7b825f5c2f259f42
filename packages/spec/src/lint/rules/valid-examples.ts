import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { Report } from "../finding.ts";
import type { Rule } from "../rule.ts";
import type { SourceFile } from "../source-file.ts";
import {
  inside,
  isObject,
  listIn,
  objectIn,
  report,
  type Specification,
  type Spot,
} from "../specification.ts";
import { schemas, walk } from "../walk.ts";

/**
 * Every body must have an example. Every example of a body, parameter, header or schema must match its
 * schema.
 */
export const validExamples: Rule = {
  name: "valid-examples",
  *check(specification) {
    const validator = new Validator(specification);
    for (const file of specification.ofKind("paths", "responses", "parameters", "headers")) {
      for (const spot of walk(file)) {
        if (!isObject(spot.value) || !isObject(spot.value["schema"])) continue;
        const schema = inside(spot, "schema");
        if (spot.pointer.at(-2) === "content") {
          yield* checkBody(specification, validator, spot);
        } else if ("example" in spot.value) {
          yield* validator.check(schema, inside(spot, "example"));
        } else {
          yield report(spot, "no example", "an example");
        }
      }
    }
    for (const schema of schemas(specification)) {
      for (const index of listIn(schema.value, "examples").keys()) {
        yield* validator.check(schema, inside(schema, "examples", index));
      }
    }
  },
};

function* checkBody(
  specification: Specification,
  validator: Validator,
  media: Spot,
): Generator<Report> {
  const names = Object.keys(objectIn(media.value, "examples"));
  if (names.length === 0) yield report(media, "a body without examples", "an example");
  for (const name of names) {
    const at = inside(media, "examples", name);
    const example = specification.resolve(at);
    if (example.file === media.file || example.file.name !== name) {
      yield report(at, `example ${name} from ${example.file.path}`, `examples/${name}.yaml`);
    }
    yield* validator.check(inside(media, "schema"), inside(example, "value"));
  }
}

class Validator {
  readonly #ajv = new Ajv2020({ allErrors: true, strict: false, code: { optimize: false } });
  readonly #compiled = new Map<unknown, ValidateFunction>();

  constructor(specification: Specification) {
    (addFormats as unknown as (ajv: Ajv2020) => void)(this.#ajv);
    const files = new Map(specification.ofKind("schemas").map((file) => [file.filePath, file]));
    for (const [path, file] of files) {
      const schema = isObject(file.value) && file.path === path ? file.value : {};
      this.#ajv.addSchema({ ...schema, ...siblingsOf(file), $id: `file:///${path}` });
    }
  }

  *check(schema: Spot, example: Spot): Generator<Report> {
    const validate = this.#compile(schema);
    if (validate(example.value)) return;
    for (const error of validate.errors ?? []) {
      const steps = error.instancePath.split("/").slice(1);
      yield report(inside(example, ...steps), this.#found(error), error.message ?? error.keyword);
    }
  }

  /**
   * An identifier based on the file's own path, so that references resolve relative to the schema's
   * file.
   */
  #compile({ file, value }: Spot): ValidateFunction {
    const cached = this.#compiled.get(value);
    if (cached !== undefined) return cached;
    const $id = `file:///${file.filePath}?${this.#compiled.size}`;
    const compiled = this.#ajv.compile({ ...value, ...siblingsOf(file), $id });
    this.#compiled.set(value, compiled);
    return compiled;
  }

  #found({ instancePath, params }: ErrorObject): string {
    return `${instancePath === "" ? "the example" : instancePath} ${JSON.stringify(params)}`;
  }
}

/** The schemas of a component's file, to which its references may point. */
const siblingsOf = ({ path, filePath, fileValue }: SourceFile): object =>
  path === filePath ? {} : { schemas: objectIn(fileValue, "schemas") };

import type { Report } from "../finding.ts";
import type { Rule } from "../rule.ts";
import { inside, report, type Specification } from "../specification.ts";
import { schemas } from "../walk.ts";

/** Summaries are headings: short, and without a full stop. All other texts are sentences. */
export const described: Rule = {
  name: "described",
  *check(specification) {
    yield* checkOperations(specification);
    for (const file of specification.ofKind("schemas", "parameters", "headers", "responses")) {
      const spot = { file, pointer: [], value: file.value as never };
      if (!isText(inside(spot, "description").value)) {
        yield report(spot, "no description", "a description");
      }
    }
    for (const spot of schemas(specification)) {
      const [keyword, name] = spot.pointer.slice(-2);
      if (keyword !== "properties" || isText(spot.value["description"])) continue;
      // The target of a reference is a schema file, which has a description of its own.
      if ("$ref" in spot.value) continue;
      yield report(spot, `${String(name)} without description`, "a description");
    }
    for (const file of specification.ofKind("examples")) {
      const spot = { file, pointer: [], value: file.value as never };
      if (!isText(inside(spot, "summary").value)) yield report(spot, "no summary", "a summary");
    }
  },
};

function* checkOperations(specification: Specification): Generator<Report> {
  for (const operation of specification.operations) {
    const { summary, description } = operation.value;
    if (!isText(summary) || summary.length > 60 || summary.endsWith(".")) {
      yield report(
        inside(operation, "summary"),
        `summary ${JSON.stringify(summary)}`,
        "up to 60 characters without a full stop",
      );
    }
    if (!isText(description) || description.length < 60) {
      yield report(
        inside(operation, "description"),
        `description ${JSON.stringify(description)}`,
        "the effect, the limits and the errors",
      );
    }
    for (const parameter of specification.parameters(operation)) {
      if (parameter.file === operation.file && !isText(parameter.value["description"])) {
        yield report(parameter, "a parameter without description", "a description");
      }
    }
  }
}

const isText = (value: unknown): value is string =>
  typeof value === "string" && value.trim() !== "";

import { operationById, operations } from "@security-platform/spec";
import { describe, expect, test } from "vitest";
import { clientVersions, otherCalls } from "./calls.ts";
import compiled from "./compiled-go.json" with { type: "json" };
import { goShape } from "./go-shapes.ts";
import { gofalconSample } from "./gofalcon-sample.ts";
import { psfalconSample } from "./psfalcon-sample.ts";

/** The shapes of the Go samples that the compiler accepted, by operation id. */
const compiledShapes: Readonly<Record<string, string>> = compiled.shapes;

const sampled = (sample: typeof gofalconSample) =>
  operations().flatMap((operation) => {
    const source = sample(operation);
    return source === null ? [] : [{ id: operation.id, source }];
  });

describe("the Go samples", () => {
  const samples = sampled(gofalconSample);

  test("exist for most operations, for the version that was compiled", () => {
    expect(samples.length).toBeGreaterThan(220);
    expect(compiled.gofalcon).toBe(clientVersions.gofalcon);
  });

  test.each(samples)(
    "of $id was compiled: scripts/other-clients/compile-go.ts",
    ({ id, source }) => {
      expect(goShape(source)).toBe(compiledShapes[id]);
    },
  );

  test("differ in shape by names and types, not by values", () => {
    const program = 'limit := int64(100)\nfilter := "a"\njson.Unmarshal([]byte(`{}`), &body)\n';
    expect(goShape(program.replace("100", "5").replace('"a"', '"b"').replace("{}", "[1]"))).toBe(
      goShape(program),
    );
    expect(goShape(program.replace("int64", "int32"))).not.toBe(goShape(program));
    expect(goShape(program.replace("&body", "&other"))).not.toBe(goShape(program));
  });
});

describe("the PowerShell samples", () => {
  const samples = sampled(psfalconSample);

  test("exist for the operations of PSFalcon", () => {
    expect(samples.length).toBeGreaterThan(60);
  });

  test.each(samples)("of $id has only names that PSFalcon has", ({ id, source }) => {
    const [, , ...lines] = source.split("\n");
    const { command, parameters = [] } = otherCalls(id).psfalcon ?? {};
    const [word, ...options] =
      lines
        .join(" ")
        .replaceAll(/'[^']*'|@\{.*\}/g, "")
        .match(/(?:^| -)\w[\w-]*/g) ?? [];
    expect(word).toBe(command);
    const parameterNames = parameters.map(({ name }) => name);
    expect(parameterNames).toEqual(
      expect.arrayContaining(options.map((option) => option.slice(2))),
    );
  });

  test("need every value of the example to have a parameter", () => {
    const operation = operationById("indicator.delete.v1");
    if (operation === undefined) throw new Error("the document has no such operation");
    expect(psfalconSample(operation)).toBeNull();
  });
});

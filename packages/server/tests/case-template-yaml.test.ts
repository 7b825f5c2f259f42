import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isScalar, parseDocument, Scalar, visit } from "yaml";
import { yamlOf } from "../src/domain/case-management/transfer/yaml-of.ts";
import { CaseConfiguration } from "./support/case-configuration.ts";
import { exportTemplates } from "./support/case-template-files.ts";
import { withPostgresAtNight } from "./support/engines.ts";
import { sharedApi } from "./support/shared-api.ts";
import { filesOf } from "./support/zip-files.ts";
import { isText } from "./support/yaml-resolvers.ts";

/** Texts that look like values of other types. */
const values = [
  "",
  "2001-12-14 21:59:43.10 -5",
  ...(
    "y Y n yes No on OFF true False ~ null Null = << 0 -1 +1 010 0o7 0x1F 0b11 1_000 1:30 190:20:30 " +
    "12:30:45.5 1.5 1. .5 1e3 1.5e+3 .inf -.INF .nan 2026-01-02 2001-12-14t21:59:43.10-05:00"
  ).split(" "),
];

/** Texts that look like other parts of YAML. */
const structures = [
  " ",
  "- a",
  "a: b",
  "a #b",
  ...`- ? : # %a @a \`a !a &a *a [a] {a} | > 'a' "a" ---`.split(" "),
];
const lookalikes = [...values, ...structures];

/** Characters with a meaning in YAML, and those that its parsers treat differently. */
const parts = fc.oneof(
  fc.constantFrom(...lookalikes),
  fc.constantFrom("a", " ", "\n", "\t", "\r", "\u0085", "\u2028", "\u007f", "\u0090", "\ufeff"),
  fc.constantFrom("\ufffe", "\u00a0", "é", "🐛", "\\", "word ".repeat(30)),
);

/** The scalars of a text as they are written. */
function scalarsOf(yaml: string): readonly Scalar[] {
  const scalars: Scalar[] = [];
  visit(parseDocument(yaml, { schema: "failsafe", keepSourceTokens: true }), (_key, node) => {
    if (isScalar(node)) scalars.push(node);
  });
  return scalars;
}

/** What is written without quotation marks. */
const plainOf = (yaml: string): readonly string[] =>
  scalarsOf(yaml)
    .filter(({ type }) => type === Scalar.PLAIN)
    .map(({ source }) => source ?? "");

describe("the rules of PyYAML", () => {
  test.each(values)("%j is a value of another type", (text) => {
    expect(isText(text)).toBe(false);
  });

  test.each(["yes or no", "on-call", "a1", "x:1", "No.", "nulls"])("%j is text", (text) => {
    expect(isText(text)).toBe(true);
  });
});

test.each(lookalikes)("%j is written as a text", (text) => {
  const yaml = yamlOf(JSON.stringify({ key: text, list: [text] }));
  expect(plainOf(yaml).filter((plain) => !isText(plain))).toEqual([]);
});

test("every text is read as it was, by parsers of YAML 1.1 and 1.2", () => {
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 6 }), (texts) => {
      const text = texts.join("");
      const yaml = yamlOf(JSON.stringify({ key: text, list: [{ key: text }] }));
      expect(plainOf(yaml).filter((plain) => !isText(plain) || plain.includes("\t"))).toEqual([]);
      // Such characters are line breaks or errors in YAML 1.1.
      expect(yaml).not.toMatch(/[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/);
      for (const version of ["1.1", "1.2"] as const) {
        const read = parseDocument(yaml, { version });
        expect([...read.errors, ...read.warnings]).toEqual([]);
        expect(read.toJS()).toEqual({ key: text, list: [{ key: text }] });
      }
    }),
    {
      examples: [
        [[" ", "\n"]],
        [["\n", " ", "\n", "a"]],
        [[" ", "word ".repeat(30), "\n"]],
        [["\n", "\t", "a", "\n", "word ".repeat(30)]],
      ],
    },
  );
});

test("numbers and booleans are not in quotation marks", () => {
  expect(yamlOf('{"format":1,"required":true,"name":"plain words"}')).toBe(
    "format: 1\nrequired: true\nname: plain words\n",
  );
});

withPostgresAtNight((engine) => {
  const { open } = sharedApi(engine);

  test("an exported template has no text that another parser reads differently", async () => {
    const configuration = new CaseConfiguration(await open());
    const options = lookalikes.filter((text) => text.trim() !== "").map((value) => ({ value }));
    await configuration.created("templates/v1", {
      name: "on",
      description: "1:30",
      fields: [{ name: "no", data_type: "string", input_type: "dropdown", options }],
    });
    const archive = await exportTemplates(configuration);
    const yaml = (await filesOf(archive)).get("on.yaml") ?? "";
    const others = ["0", "1", "true", "false"];
    expect(plainOf(yaml).filter((plain) => !isText(plain) && !others.includes(plain))).toEqual([]);
    const read = parseDocument(yaml, { version: "1.1" }).toJS() as {
      template: { name: unknown; fields: { options: unknown }[] };
    };
    expect(read.template.name).toBe("on");
    expect(read.template.fields[0]?.options).toMatchObject(options);
  });
});

import { describe, expect, test } from "vitest";
import { parseText } from "../src/read/parse.ts";
import { project } from "./settings-project.ts";

const document = (schema: string) =>
  `{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{"/a":{"get":{"parameters":[{"name":"q","in":"query","schema":${schema}}],"responses":{"204":{"description":"Done."}}}}}}`;

describe("integers that a double cannot hold", () => {
  test.each([
    [
      "maximum",
      '{"type":"integer","maximum":9007199254740993}',
      '{"type":"integer","maximum":9007199254740992}',
    ],
    ["enum", '{"enum":[9007199254740993,9007199254740992]}', '{"enum":[9007199254740992]}'],
    ["const", '{"const":9007199254740993}', '{"const":9007199254740992}'],
  ])("stay exact in JSON and YAML: %s", async (_, wide, narrow) => {
    const files = {
      "a.json": document(wide),
      "b.json": document(narrow),
      "a.yaml": `# YAML\n${document(wide)}`,
      "b.yaml": `# YAML\n${document(narrow)}`,
    };
    const { report } = project(files);
    for (const type of ["json", "yaml"]) {
      const { verdict, changes } = await report(`a.${type}`, `b.${type}`);
      expect([verdict, JSON.stringify(changes)]).toEqual([
        "major",
        expect.stringContaining("9007199254740993"),
      ]);
    }
    expect((await report("a.json", "a.yaml")).verdict).toBe("none");
  });

  test.each([
    "9007199254740993.0",
    "9007199254740993.00",
    "9007199254740993e0",
    "9.007199254740993e15",
    "9007199254740993000e-3",
  ])("are the same with a fraction of zero or an exponent: %s", async (number) => {
    const files = Object.fromEntries(
      ["9007199254740993", "9007199254740992", number].flatMap((each, index) => {
        const text = document(`{"type":"integer","maximum":${each},"enum":[1,${each}]}`);
        return [
          [`${index}.json`, text],
          [`${index}.yaml`, `# YAML\n${text}`],
        ];
      }),
    );
    const { report } = project(files);
    for (const type of ["json", "yaml"]) {
      expect((await report(`0.${type}`, `2.${type}`)).changes).toEqual([]);
      expect((await report(`2.${type}`, `1.${type}`)).verdict).toBe("major");
    }
    expect((await report("2.json", "2.yaml")).changes).toEqual([]);
  });

  test.each([
    '{"a": 9007199254740993, "9007199254740993": "9007199254740993, 9007199254740993]"}',
    '{"a": [-9007199254740993,1], "b": "\\"9007199254740993", "c": 1.9007199254740993, "d": 9007199254740993e2}',
    "[12345678901234567890, 0.12345678901234567890, 1234567890123456, 9007199254740991]",
  ])("are read like other numbers: %s", (text) => {
    const written = (value: unknown): unknown =>
      JSON.parse(
        JSON.stringify(value, (_, each: unknown) =>
          typeof each === "bigint" ? Number(each) : each,
        ),
      );
    const read = parseText(text, "test.json");
    expect(written(read)).toEqual(JSON.parse(text));
    expect(parseText(`# YAML\n${text}`, "test.yaml")).toEqual(read);
  });
});

import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { CommandError } from "../terminal/exit-codes.ts";
import { printerOf, type PrintOptions } from "./printer.ts";

const records = [
  { id: "a", name: "=1+1", tags: ["x", "y"], metadata: { size: 2 } },
  { id: "b", name: 'say "hi"', tags: [], metadata: { size: -1 }, extra: true },
];

async function printed(
  options: PrintOptions,
  pages: readonly (readonly unknown[])[],
  terminal: { readonly isTTY?: boolean; readonly columns?: number } = {},
): Promise<string> {
  let text = "";
  const printer = await printerOf(options, {
    ...terminal,
    write: (part) => (text += String(part)),
  });
  for (const page of pages) await printer.items(page);
  await printer.end();
  return text;
}

test("a list is the same value in one part and in several", async () => {
  for (const format of ["json", "ndjson", "yaml", "csv"] as const) {
    const parts = await printed({ format }, [records.slice(0, 1), [], records.slice(1)]);
    expect(parts).toBe(await printed({ format }, [records]));
  }
  expect(JSON.parse(await printed({ format: "json" }, [records]))).toEqual(records);
  expect(await printed({ format: "json" }, [[]])).toBe("[]\n");
  expect(await printed({ format: "yaml" }, [[]])).toBe("[]\n");
  expect(await printed({ format: "csv" }, [[]])).toBe("");
  expect(await printed({ format: "yaml" }, [["a"], ["b"]])).toBe("- a\n- b\n");
});

test("every text is read from YAML as it was", async () => {
  const character = fc.constantFrom(
    " ",
    "\n",
    "\t",
    "a",
    "- ",
    "#",
    '"',
    "é",
    "\ufeff",
    "word ".repeat(30),
  );
  const text = fc.array(character, { maxLength: 6 }).map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(text, async (value) => {
      const list = [value, { [value]: [value] }];
      expect(parse(await printed({ format: "yaml" }, [list]))).toEqual(list);
      let alone = "";
      const printer = await printerOf(
        { format: "yaml" },
        { write: (part) => (alone += String(part)) },
      );
      await printer.value(value);
      expect(parse(alone)).toBe(value);
    }),
    { examples: [[" \n"], ["  a\n  b"], [` ${"word ".repeat(30)}\n`]] },
  );
});

test("parsers of YAML 1.1 read the same texts", async () => {
  const list = ["on", "1:30", "=", "<<", "a\tb", "a\u0085b", "\u2028", "\u007f", "plain"];
  const text = await printed({ format: "yaml" }, [list]);
  expect(text).toBe(
    '- "on"\n- "1:30"\n- "="\n- "<<"\n- "a\\tb"\n- "a\\u0085b"\n- "\\u2028"\n- "\\u007f"\n- plain\n',
  );
  expect(parse(text)).toEqual(list);
});

test("each item of JSON has lines of its own", async () => {
  const lines = (await printed({ format: "json" }, [records])).split("\n");
  expect(lines.map((line) => line[0])).toEqual(["[", "{", "{", "]", undefined]);
});

test("CSV has the members of all records, and no formulas", async () => {
  expect(await printed({ format: "csv" }, [records])).toBe(
    [
      "id,name,tags,metadata,extra",
      `a,'=1+1,x;y,"{""size"":2}",`,
      `b,"say ""hi""",,"{""size"":-1}",true`,
      "",
    ].join("\r\n"),
  );
  const options = { format: "csv", fields: ["metadata.size"] } as const;
  expect(await printed(options, [records])).toBe("metadata.size\r\n2\r\n-1\r\n");
});

test.each(["=", "+", "-", "@", "＝", "＋", "－", "＠"])(
  "a spreadsheet does not take a text of CSV that starts with %s as a formula",
  async (sign) => {
    const text = await printed({ format: "csv" }, [[{ name: `${sign}1`, other: `1${sign}` }]]);
    expect(text).toBe(`name,other\r\n'${sign}1,1${sign}\r\n`);
  },
);

test.each(["\t", "\r"])("a blank before a formula in CSV does not help: %j", async (blank) => {
  const text = await printed({ format: "csv" }, [[{ name: `${blank}=1` }]]);
  expect(text).toMatch(/^name\r\n"?'/);
});

test("fields select members of every format", async () => {
  const fields = ["id", "metadata.size"];
  expect(await printed({ format: "ndjson", fields }, [records])).toBe(
    '{"id":"a","metadata.size":2}\n{"id":"b","metadata.size":-1}\n',
  );
  expect(await printed({ format: "table", fields }, [records])).toBe(
    "ID  METADATA.SIZE\na   2\nb   -1\n",
  );
  const wrong = printed({ format: "table", fields: ["nam"] }, [records]);
  await expect(wrong).rejects.toThrow("--fields: no record has nam. Did you mean name?");
  await expect(wrong).rejects.toThrow(CommandError);
});

test("a query sees the whole list", async () => {
  const options = { format: "json", query: "[?metadata.size > `0`].id | [0]" } as const;
  expect(await printed(options, [records.slice(1), records.slice(0, 1)])).toBe('"a"\n');
  expect(await printed({ format: "table", query: "length(@)" }, [records])).toBe("2\n");
  expect(await printed({ format: "table", query: "[].{id: id}" }, [records])).toBe("ID\na\nb\n");
  await expect(printed({ format: "json", query: "[?" }, [])).rejects.toThrow(
    /^--query: .*column 2/,
  );
  await expect(printed({ format: "json", query: "abs(@)" }, [records])).rejects.toThrow(
    "--query: ",
  );
});

test("a table omits nested members, and escapes control characters", async () => {
  expect(
    await printed({ format: "table" }, [[{ id: "a", inner: { b: 1 }, text: "\u001b[2J" }]]),
  ).toBe("ID  TEXT\na   \\u001b[2J\n");
  expect(await printed({ format: "table" }, [["a\nb", "c"]])).toBe("a\\u000ab\nc\n");
});

test.each([20, 40, 60])("a table fits a terminal of %i columns", async (columns) => {
  const wide = Array.from({ length: 3 }, (_, index) => ({
    id: `${index}`.repeat(32),
    name: "a name of some length",
    description: "x".repeat(100),
    platform: "linux",
    state: "ok",
  }));
  const text = await printed({ format: "table" }, [wide], { isTTY: true, columns });
  const lengths = text.split("\n").map((line) => line.length);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(columns);
  expect(text).toMatch(/^ID/);
  expect(text).toContain("…");
});

test("only a terminal gets colours", async () => {
  const options = { format: "table", colour: true } as const;
  const bold = "\u001b[1mID\u001b[22m\na\n";
  expect(await printed(options, [[{ id: "a" }]], { isTTY: true })).toBe(bold);
  expect(await printed(options, [[{ id: "a" }]])).toBe("ID\na\n");
  const none = { ...options, colour: false };
  expect(await printed(none, [[{ id: "a" }]], { isTTY: true })).toBe("ID\na\n");
});

test("one value is printed as itself", async () => {
  let text = "";
  const output = { write: (part: string | Uint8Array) => (text += String(part)) };
  await (await printerOf({ format: "table" }, output)).value({ id: "a", inner: { b: 1 } });
  await (await printerOf({ format: "json" }, output)).value({ id: "a" });
  expect(text).toBe('id     a\ninner  {"b":1}\n{"id":"a"}\n');
});

test("lists that a query makes are lines of CSV without a header", async () => {
  const query = "[].[id, name, tags]";
  expect(await printed({ format: "csv", query }, [records])).toBe(
    'a,\'=1+1,x;y\r\nb,"say ""hi""",\r\n',
  );
  expect(await printed({ format: "csv", query: "[].id" }, [records])).toBe("value\r\na\r\nb\r\n");
});

test("a table says which columns with values it does not show", async () => {
  const notes = async (options: Partial<PrintOptions>, terminal: object = {}) => {
    const said: string[] = [];
    const output = { ...terminal, write: () => true };
    const printer = await printerOf({ format: "table", ...options }, output, (text) =>
      said.push(text),
    );
    await printer.items([{ ...records[0], empty: null }, records[1]]);
    await printer.end();
    return said;
  };
  expect(await notes({})).toEqual([
    "columns that are not shown: metadata; choose some with --fields, or use --output json",
  ]);
  const wide = Array.from({ length: 6 }, (_, at) => `f${at}`);
  const narrow = async (fields?: readonly string[]) => {
    const said: string[] = [];
    const output = { isTTY: true, columns: 20, write: () => true };
    const options: PrintOptions = { format: "table", fields };
    const printer = await printerOf(options, output, (text) => said.push(text));
    await printer.items([Object.fromEntries(wide.map((name) => [name, "long value"]))]);
    await printer.end();
    return said.join();
  };
  expect(await narrow()).toContain("not shown: f1, f2, f3, f4, f5;");
  expect(await narrow(wide)).toContain("not shown: f1, f2, f3, f4, f5;");
  expect(await narrow(["f0"])).toBe("");
  expect(await notes({ format: "csv" })).toEqual([]);
});

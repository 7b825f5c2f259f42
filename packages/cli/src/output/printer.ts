import type { Output } from "../terminal/cli-context.ts";
import { formatFacts, tableOf, type Table } from "../terminal/table.ts";
import { printable } from "../terminal/printable.ts";
import { csvLine } from "./csv.ts";
import { requireFields, rowOf, withFields } from "./select.ts";

export const formats = ["table", "json", "ndjson", "yaml", "csv"] as const;
export type Format = (typeof formats)[number];

export interface PrintOptions {
  readonly format: Format;
  /** Paths of the members to print. */
  readonly fields?: readonly string[] | undefined;
  /** Whether a terminal gets colours. */
  readonly colour?: boolean;
  /** A JMESPath expression, applied to the whole result. */
  readonly query?: string | undefined;
}

/** Prints a result: one value, or a list in parts. */
export interface Printer {
  value(value: unknown): Promise<void>;
  items(items: readonly unknown[]): Promise<void>;
  /** Completes a list. */
  end(): Promise<void>;
}

/** Prints in lines that are whole, so that an interrupted list ends after a record. */
export async function printerOf(
  options: PrintOptions,
  output: Output,
  note: (text: string) => void = () => {},
): Promise<Printer> {
  const { fields, query } = options;
  const plain = await formatPrinter(options, output, note);
  const printer = fields === undefined ? plain : onlyFields(plain, fields);
  return query === undefined ? printer : queried(printer, query);
}

async function formatPrinter(
  { format, fields, colour = false }: PrintOptions,
  output: Output,
  note: (text: string) => void,
): Promise<Printer> {
  switch (format) {
    case "json":
      return jsonPrinter(output);
    case "ndjson":
      return ndjsonPrinter(output);
    case "yaml":
      return yamlPrinter(output, (await import("./yaml-text.ts")).yamlText);
    case "csv":
      return csvPrinter(output, fields);
    case "table":
      return tablePrinter(output, fields, colour && output.isTTY === true ? bold : plain, note);
  }
}

function onlyFields(printer: Printer, fields: readonly string[]): Printer {
  let checked = false;
  const select = (items: readonly unknown[]): readonly unknown[] => {
    if (!checked) requireFields(fields, items);
    checked ||= items.length > 0;
    return items.map((item) => withFields(item, fields));
  };
  return {
    value: (value) => printer.value(select([value])[0]),
    items: (items) => printer.items(select(items)),
    end: () => printer.end(),
  };
}

/** The expression sees the whole list, so nothing is printed before its end. */
async function queried(printer: Printer, expression: string): Promise<Printer> {
  const { evaluate } = await import("./jmespath.ts");
  const search = evaluate(expression);
  const collected: unknown[] = [];
  const print = async (result: unknown): Promise<void> => {
    if (!Array.isArray(result)) return printer.value(result);
    await printer.items(result);
    return printer.end();
  };
  return {
    value: (value) => print(search(value)),
    items: async (items) => void collected.push(...items),
    end: () => print(search(collected)),
  };
}

/** A list has one item a line. */
function jsonPrinter(output: Output): Printer {
  // People read the members below each other.
  const indent = output.isTTY === true ? 2 : 0;
  const text = (value: unknown): string => JSON.stringify(value ?? null, null, indent);
  let count = 0;
  return {
    value: async (value) => void output.write(`${text(value)}\n`),
    items: async (items) => {
      if (items.length === 0) return;
      output.write(`${count === 0 ? "[\n" : ",\n"}${items.map(text).join(",\n")}`);
      count += items.length;
    },
    end: async () => void output.write(count === 0 ? "[]\n" : "\n]\n"),
  };
}

function ndjsonPrinter(output: Output): Printer {
  const line = (value: unknown): string => `${JSON.stringify(value ?? null)}\n`;
  return {
    value: async (value) => void output.write(line(value)),
    items: async (items) => void output.write(items.map(line).join("")),
    end: async () => undefined,
  };
}

function yamlPrinter(output: Output, yamlText: (value: unknown) => string): Printer {
  const text = (value: unknown): string => yamlText(value ?? null);
  let count = 0;
  return {
    value: async (value) => void output.write(text(value)),
    items: async (items) => {
      if (items.length > 0) output.write(text(items));
      count += items.length;
    },
    end: async () => {
      if (count === 0) output.write("[]\n");
    },
  };
}

/**
 * Without `fields`, the columns are the members of all records, so the records are collected first. A list, such as one
 * that `--query` makes, is a line of its own.
 */
function csvPrinter(output: Output, fields: readonly string[] | undefined): Printer {
  const collected: unknown[] = [];
  let hasHeader = false;
  const write = (columns: readonly string[], items: readonly unknown[]): void => {
    // The entries of a list have no names.
    if (!hasHeader && !items.every(Array.isArray)) output.write(csvLine(columns));
    hasHeader = true;
    output.write(
      items
        .map((item) => {
          if (Array.isArray(item)) return csvLine(item);
          const row = rowOf(item);
          return csvLine(columns.map((column) => row[column]));
        })
        .join(""),
    );
  };
  const columnsOf = (items: readonly unknown[]): readonly string[] => [
    ...new Set(items.flatMap((item) => Object.keys(rowOf(item)))),
  ];
  return {
    value: async (value) => write(fields ?? columnsOf([value]), [value]),
    items: async (items) => {
      if (fields === undefined) collected.push(...items);
      else write(fields, items);
    },
    end: async () => {
      if (fields === undefined && collected.length > 0) write(columnsOf(collected), collected);
    },
  };
}

/** Columns and widths are those of the first part of a list. */
function tablePrinter(
  output: Output,
  fields: readonly string[] | undefined,
  highlight: (line: string) => string,
  note: (text: string) => void,
): Printer {
  let table: Table | undefined;
  let hidden: readonly string[] = [];
  return {
    value: async (value) => {
      if (value === undefined) return;
      if (typeof value !== "object" || value === null)
        output.write(`${printable(String(value))}\n`);
      else
        output.write(formatFacts(Object.entries(value).map(([name, each]) => [name, cell(each)])));
    },
    items: async (items) => {
      if (items.length === 0) return;
      if (items.every((item) => typeof item !== "object" || item === null)) {
        output.write(items.map((item) => `${printable(String(item))}\n`).join(""));
        return;
      }
      const rows = items.map(rowOf).map((row) => mapValues(row, cell));
      if (table === undefined) {
        const columns = fields ?? columnsFor(items.map(rowOf));
        table = tableOf(columns, rows, output);
        hidden = namesOf(items.map(rowOf)).filter((name) =>
          fields === undefined
            ? !table?.columns.includes(name)
            : columns.indexOf(name) >= (table?.columns.length ?? 0),
        );
        output.write(highlight(table.header));
      }
      const { line } = table;
      output.write(rows.map((row) => line(row)).join(""));
    },
    end: async () => {
      if (hidden.length === 0) return;
      note(
        `columns that are not shown: ${hidden.join(", ")}; choose some with --fields, or use --output json`,
      );
    },
  };
}

const bold = (line: string): string => `\u001b[1m${line.trimEnd()}\u001b[22m\n`;
const plain = (line: string): string => line;

/** The members that have a value in at least one record. */
const namesOf = (rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] => [
  ...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => !isEmpty(row[name])))),
];

/** The members that fit into a cell: scalars and lists of scalars, in at least one record. */
function columnsFor(rows: readonly Readonly<Record<string, unknown>>[]): readonly string[] {
  const fitting = namesOf(rows).filter((name) =>
    rows.every((row) => isEmpty(row[name]) || isShort(row[name])),
  );
  return fitting.length > 0 ? fitting : [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

const isEmpty = (value: unknown): boolean =>
  value === null ||
  value === undefined ||
  value === "" ||
  (Array.isArray(value) && value.length === 0);

const isShort = (value: unknown): boolean =>
  typeof value !== "object" ||
  (Array.isArray(value) && value.every((item) => typeof item !== "object"));

/** Objects appear as JSON. */
const cell = (value: unknown): unknown =>
  isShort(value) || value === null ? value : JSON.stringify(value);

const mapValues = (row: Readonly<Record<string, unknown>>, map: (value: unknown) => unknown) =>
  Object.fromEntries(Object.entries(row).map(([name, value]) => [name, map(value)]));

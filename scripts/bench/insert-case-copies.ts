import { randomBytes, randomUUID } from "node:crypto";
import { connected } from "./postgres.ts";

type Row = Record<string, string | number | null>;

const table = "case_management_cases";
/** Types of the columns of elements, in their order. */
const elementTypes = {
  cid: "text",
  row: "bigint",
  valid_from: "bigint",
  field: "text",
  value: "text",
  number: "double precision",
  fold: "text",
  text: "text",
  long: "text",
} as const;

/**
 * PostgreSQL's own durable inserts: copies of the rows of the last case in all its tables, one case a
 * transaction, which is sent at once and waits for the disk. Returns cases a second.
 */
export async function insertCaseCopies(url: string, seconds: number): Promise<number> {
  const client = await connected(url);
  const rowsOf = async (name: string, row: Row[string]): Promise<readonly Row[]> =>
    (await client.query<Row>(`select * from ${name} where "row" = $1`, [row])).rows;
  const { rows } = await client.query<Row>(`select * from ${table} order by "row" desc limit 1`);
  const sample = rows[0] ?? {};
  const elements = await rowsOf(`${table}__values`, sample["row"] ?? null);
  const [words = {}] = await rowsOf(`${table}__words`, sample["row"] ?? null);
  const insert = (name: string, row: Row) => {
    const columns = Object.keys(row);
    const places = columns.map((_, at) => `$${at + 1}`);
    return client.query({
      name,
      text: `insert into ${name} (${columns.map((column) => `"${column}"`).join(", ")})
        values (${places.join(", ")})`,
      values: Object.values(row),
    });
  };
  const names = Object.keys(elementTypes);
  const lists = Object.values(elementTypes).map((type, at) => `$${at + 1}::${type}[]`);
  const insertElements = (row: number) =>
    client.query({
      name: "elements",
      text: `insert into ${table}__values (${names.map((name) => `"${name}"`).join(", ")})
        select * from unnest(${lists.join(", ")})`,
      values: names.map((name) =>
        elements.map((element) => (name === "row" ? row : (element[name] ?? null))),
      ),
    });
  const began = performance.now();
  let records = 0;
  for (; performance.now() - began < seconds * 1_000; records += 1) {
    const row = 1e12 + records;
    const id = randomUUID();
    const unique_key = randomBytes(12).toString("hex");
    await Promise.all([
      client.query("begin"),
      insert(table, { ...sample, row, id, unique_key }),
      insertElements(row),
      insert(`${table}__words`, { ...words, row }),
      client.query("commit"),
    ]);
  }
  const rate = records / ((performance.now() - began) / 1_000);
  await client.end();
  return rate;
}

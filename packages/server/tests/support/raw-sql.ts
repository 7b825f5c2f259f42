import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";

/** Runs SQL past the store, as its owner. Gives the rows of the last statement. */
export async function administer(url: string, script: string): Promise<readonly unknown[]> {
  if (url.startsWith("sqlite:")) {
    const database = new DatabaseSync(url.slice("sqlite:".length));
    try {
      const statements = script.split(";");
      for (const statement of statements.slice(0, -1)) database.exec(statement);
      return database.prepare(statements.at(-1) ?? "").all();
    } finally {
      database.close();
    }
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const results = await client.query(script);
    return (Array.isArray(results) ? results.at(-1) : results).rows as unknown[];
  } finally {
    await client.end();
  }
}

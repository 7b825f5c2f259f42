import { DatabaseSync } from "node:sqlite";
import { Client } from "pg";

/** Runs SQL directly on the database, as its owner. Returns the rows of the last statement. */
export async function administer(url: string, script: string): Promise<readonly unknown[]> {
  if (url.startsWith("sqlite:")) {
    const database = new DatabaseSync(fileOf(url));
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

const fileOf = (url: string): string => url.slice("sqlite:".length);

export interface OwnerConnection {
  run(script: string): Promise<void>;
  close(): Promise<void>;
}

/** For tests that run many scripts directly on the database, as its owner. */
export async function connectAsOwner(url: string): Promise<OwnerConnection> {
  if (url.startsWith("sqlite:")) {
    const database = new DatabaseSync(fileOf(url));
    return {
      run: async (script) => database.exec(script),
      close: async () => database.close(),
    };
  }
  const client = new Client({ connectionString: url });
  await client.connect();
  return {
    run: async (script) => void (await client.query(script)),
    close: () => client.end(),
  };
}

import { Client, type ClientBase, type Pool } from "pg";

type Administrator = Pick<ClientBase | Pool, "query">;

/** Removes the prepared databases of earlier runs, whose tables may be others. */
export async function useCluster(url: string) {
  await connected(url, (client) => dropOnNodes(client, ["tables", "unfinished", "platform"]));
  return { url, stop: async () => undefined };
}

/** Creates an empty database on all nodes. */
export async function createOnNodes(
  client: Administrator,
  name: string,
  url: string,
): Promise<void> {
  await onEachNode(client, `create database "${name}" template template0`);
  await client.query("create extension if not exists dblink");
  await onWorkers(
    client,
    `select dblink_exec(format('dbname=${name} port=%s host=%s', current_setting('port'),
      split_part(current_setting('unix_socket_directories'), ',', 1)), 'create extension citus')`,
  );
  const { rows: nodes } = await client.query<{ groupid: number; host: string; port: number }>(
    "select groupid, nodename as host, nodeport as port from pg_dist_node order by groupid",
  );
  await connected(url, async (created) => {
    await created.query("create extension citus");
    for (const { groupid, host, port } of nodes) {
      const add = groupid === 0 ? "citus_set_coordinator_host" : "citus_add_node";
      await created.query(`select ${add}($1, $2)`, [host, port]);
    }
    // A test has few tenants.
    await created.query(`alter database "${name}" set citus.shard_count = 4`);
  });
}

/** A copy of a database has the same nodes and shards, because a node of it is a copy of a node. */
export async function copyOnNodes(
  client: Administrator,
  name: string,
  template: string,
): Promise<void> {
  await disconnect(client, template);
  await onEachNode(client, `create database "${name}" template "${template}" strategy file_copy`);
  await client.query(`alter database "${name}" set citus.shard_count = 4`);
}

export async function renameOnNodes(
  client: Administrator,
  from: string,
  to: string,
): Promise<void> {
  await disconnect(client, from);
  await onEachNode(client, `alter database "${from}" rename to "${to}"`);
}

export async function dropOnNodes(client: Administrator, names: readonly string[]): Promise<void> {
  for (const name of names) {
    await onEachNode(client, `drop database if exists "${name}" with (force)`);
  }
}

/** The extension has a process of its own in each database, which would come back. */
async function disconnect(client: Administrator, name: string): Promise<void> {
  await onEachNode(client, `alter database "${name}" allow_connections false`);
  await onEachNode(
    client,
    `select count(pg_terminate_backend(pid, 5000)) from pg_stat_activity where datname = '${name}'`,
  );
}

async function onEachNode(client: Administrator, statement: string): Promise<void> {
  await client.query(statement);
  await onWorkers(client, statement);
}

async function onWorkers(client: Administrator, statement: string): Promise<void> {
  const { rows } = await client.query<{ success: boolean; result: string }>(
    "select success, result from run_command_on_workers($1)",
    [statement],
  );
  const failed = rows.find(({ success }) => !success);
  if (failed !== undefined) throw new Error(`${statement}: ${failed.result}`);
}

async function connected(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

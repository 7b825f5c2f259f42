import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "./start-postgres.ts";
import type { Pooler } from "./pooler.ts";

/** The first version that keeps the prepared statements of its clients apart. */
const oldest = [1, 21] as const;

/** Whether a PgBouncer that can be used in transaction mode is installed. */
export function hasPgBouncer(): boolean {
  try {
    const text = execFileSync("pgbouncer", ["--version"], { encoding: "utf8" });
    const [major = 0, minor = 0] = (/ (\d+)\.(\d+)/.exec(text) ?? []).slice(1).map(Number);
    return major > oldest[0] || (major === oldest[0] && minor >= oldest[1]);
  } catch {
    return false;
  }
}

/** Starts PgBouncer in transaction mode in front of a database. */
export async function startPgBouncer(url: string): Promise<Pick<Pooler, "url" | "close">> {
  const { hostname, port, username, password, pathname } = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), "secplat-pgbouncer-"));
  chmodSync(folder, 0o755);
  const listenPort = await freePort();
  const file = join(folder, "pgbouncer.ini");
  writeFileSync(
    file,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listenPort}
unix_socket_dir =
auth_type = any
pool_mode = transaction
max_prepared_statements = 200
default_pool_size = 5
server_round_robin = 1
`,
  );
  // It refuses to run as root; the tests' PostgreSQL runs as this user then.
  const user = userInfo().uid === 0 ? ["-u", "postgres"] : [];
  const server = spawn("pgbouncer", [...user, file], { stdio: ["ignore", "ignore", "pipe"] });
  const ended = once(server, "exit");
  const lines = createInterface(server.stderr);
  const started = new Promise<void>((resolve, reject) => {
    lines.on("line", (line) => {
      if (line.includes("process up")) resolve();
    });
    server.once("error", reject);
    void ended.then(() => reject(new Error("PgBouncer did not start")));
  });
  await started;
  return {
    url: `postgres://${username}:${password}@127.0.0.1:${listenPort}${pathname}`,
    close: async () => {
      server.kill("SIGKILL");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

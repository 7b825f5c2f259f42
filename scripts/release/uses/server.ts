import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { npm, run, stranger, type Place } from "../commands.ts";
import type { Report } from "../report.ts";

const program = `import { serve } from "@security-platform/server";

const server = await serve({ database: "sqlite:platform.sqlite" });
const { clientId, clientSecret } = await server.newCredentials();
const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
const { status } = await fetch(server.url + "/oauth2/token", { method: "POST", body });
await server.close();
console.log(status);
`;

/** Embeds the server in a program. */
export async function useServer(place: Place, report: Report): Promise<void> {
  await report("server: a program embeds it", async () => {
    const who = stranger(place);
    writeFileSync(join(who.folder, "main.mjs"), program);
    await run(npm("install", "@security-platform/server"), who);
    const { stdout } = await run([process.execPath, "main.mjs"], who);
    if (stdout !== "201\n") throw new Error(`printed ${stdout}`);
  });
}

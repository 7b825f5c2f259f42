import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { npm, run, stranger, type Place } from "../commands.ts";
import type { Report } from "../report.ts";

const program = `import { createPlatform, FixedKeys, openStoreAt, resources, systemClock } from "@security-platform/server";

const store = await openStoreAt({ url: "sqlite::memory:", clock: systemClock, resources, keys: new FixedKeys() });
const platform = await createPlatform({ store });
const { status } = await platform.fetch(new Request("http://platform.test/healthz"));
await platform.stop();
await store.close();
console.log(status);
`;

/** Embeds the server in a program. */
export async function useServer(place: Place, report: Report): Promise<void> {
  await report("server: a program embeds it", async () => {
    const who = stranger(place);
    writeFileSync(join(who.folder, "main.mjs"), program);
    await run(npm("install", "@security-platform/server"), who);
    const { stdout } = await run([process.execPath, "main.mjs"], who);
    if (stdout !== "200\n") throw new Error(`printed ${stdout}`);
  });
}

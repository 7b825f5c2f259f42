import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodeVersions, npm, run, stranger, type Place } from "../commands.ts";
import type { Report } from "../report.ts";

const operation = { responses: { 200: { description: "Fine." } } };
const document = (paths: object): string =>
  JSON.stringify({ openapi: "3.1.0", info: { title: "Things", version: "1.0.0" }, paths });

/** Compares two documents with the command, on the oldest Node.js, and with the steps of the action. */
export async function useGate(place: Place, version: string, report: Report): Promise<void> {
  const gate = `@security-platform/spec-gate@${version}`;
  const [oldest] = nodeVersions();
  await report(`spec-gate: npx compares two documents on ${oldest?.name}`, async () => {
    const who = stranger(place, oldest?.folder);
    writeFileSync(join(who.folder, "old.json"), document({ "/a": { get: operation } }));
    writeFileSync(join(who.folder, "new.json"), document({}));
    await run(npm("exec", "--yes", "--", gate, "old.json", "old.json"), who, 0);
    await run(npm("exec", "--yes", "--", gate, "old.json", "new.json"), who, 1);
  });
  await report("spec-gate: the step of the action fails a breaking commit", async () => {
    const who = stranger(place);
    const git = (...words: readonly string[]) =>
      run(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", ...words], who);
    const path = join(who.folder, "openapi.json");
    await git("init", "--quiet");
    writeFileSync(path, document({ "/a": { get: operation } }));
    await git("add", "openapi.json");
    await git("commit", "--quiet", "--message", "Add /a");
    writeFileSync(path, document({}));
    await git("commit", "--quiet", "--all", "--message", "Remove /a");
    const action = join(import.meta.dirname, "../../../packages/spec-gate/action");
    const outputs = join(place.root, "action-outputs");
    const environment = {
      ...who.environment,
      GATE_DOCUMENT: "openapi.json",
      GATE_COMMAND: `npx --yes ${gate}`,
      GITHUB_OUTPUT: outputs,
      RUNNER_TEMP: place.root,
    };
    const compared = await run(["bash", join(action, "compare.sh")], { ...who, environment }, 1);
    const text = readFileSync(outputs, "utf8");
    if (!text.startsWith("verdict=major\n")) {
      throw new Error(`expected verdict=major: ${text}${compared.stdout}${compared.stderr}`);
    }
  });
}

import { nodeVersions, npm, run, stranger, type Place } from "../commands.ts";
import type { Report } from "../report.ts";
import type { Served } from "../served.ts";

/** Runs the contract tests of one collection against the served platform, on the oldest Node.js. */
export async function useContractTests(
  place: Place,
  version: string,
  served: Served,
  report: Report,
): Promise<void> {
  const [oldest] = nodeVersions();
  await report(`contract-tests: the cases of one collection pass on ${oldest?.name}`, async () => {
    const who = stranger(place, oldest?.folder);
    const environment = {
      ...who.environment,
      CONTRACT_TESTS_CLIENT_ID: served.clientId,
      CONTRACT_TESTS_CLIENT_SECRET: served.clientSecret,
    };
    const words = ["--base-url", served.url, "--include", "ioc", "--allow-writes"];
    const command = npm("exec", "--yes", "--", `@security-platform/contract-tests@${version}`);
    const { stdout } = await run([...command, ...words], { ...who, environment });
    return /\d+ passed/.exec(stdout)?.[0];
  });
}

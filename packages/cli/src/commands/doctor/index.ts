import { statSync } from "node:fs";
import { Option, type Command } from "commander";
import { trust } from "../../api/connection.ts";
import { currentName, findProfile, profileNames, profilesPath } from "../../api/profiles.ts";
import { findServer } from "../../api/running-server.ts";
import { addDatabaseOptions, type DatabaseOptions } from "../../database/options.ts";
import { dataFolder } from "../../database/url.ts";
import { examples } from "../../options/examples.ts";
import { readInteger } from "../../options/read-integer.ts";
import { readText } from "../../options/read-text.ts";
import { jsonOption } from "../../options/shared.ts";
import { reportProblems } from "../../settings/apply-settings.ts";
import type { SettingProblem } from "../../settings/read-settings.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import { describeError } from "../../terminal/describe-error.ts";
import { exitCodes, SilentExit } from "../../terminal/exit-codes.ts";
import { printable } from "../../terminal/printable.ts";
import { argumentWord } from "../../terminal/shell-word.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { packedDocs } from "../../places.ts";
import { version } from "../../version.ts";
import { checkDatabase, checkFolder, checkSecrets, checkPort } from "./check-data.ts";
import { checkDocs } from "./check-docs.ts";
import { checkServer } from "./check-server.ts";
import { fail, ok, warn, type Finding } from "./finding.ts";

interface DoctorOptions extends DatabaseOptions, ResultOptions {
  readonly url?: string;
  readonly port: number;
}

export function addDoctorCommand(program: Command, context: CliContext): void {
  const command = program
    .command("doctor")
    .description(
      "Check the versions, the documentation, the data folder, the database, the port, the stored profiles, and the server with its " +
        "storage, clock and certificate. Changes nothing. The exit code is 1 if a check fails.",
    )
    .addOption(
      new Option(
        "--url <url>",
        "URL of the server to check (default: a running server on this machine, else that of the current profile)",
      )
        .env("SECPLAT_URL")
        .argParser(readText("a URL such as https://api.example.com")),
    )
    .addOption(
      new Option("--port <number>", "port that a server is to listen on")
        .env("SECPLAT_PORT")
        .argParser(readInteger(0, 65_535))
        .default(8080),
    )
    .addOption(jsonOption())
    .addHelpText(
      "after",
      examples("secplat doctor", "secplat doctor --url https://api.example.com --json"),
    );
  const problems = reportProblems(command, "file");
  addDatabaseOptions(command).action(async (options: DoctorOptions) => {
    const checks = [...problems.map(settingsFinding), ...(await examine(options, context))];
    const healthy = checks.every(({ status }) => status !== "fail");
    printResult(context, options, { ok: healthy, checks }, () => checks.map(printFinding).join(""));
    if (!healthy) throw new SilentExit(exitCodes.failure);
  });
}

const settingsFinding = ({ message }: SettingProblem): Finding =>
  fail("settings", message, "correct the file; until then, the checks use the other settings");

async function examine(options: DoctorOptions, context: CliContext): Promise<readonly Finding[]> {
  const running = findServer(dataFolder(options, context));
  const profiles = checkProfiles(context);
  const profile = usualProfile(context);
  const url = options.url ?? running?.url ?? profile?.url;
  const connection = [running, profile].find((each) => each?.url === url);
  const caFile = connection?.ca_file ?? null;
  const trusted = caFile === null ? [] : checkTrust(caFile, context);
  return [
    ok("versions", `secplat ${version()}, Node.js ${process.versions.node}, ${process.platform}`),
    await checkDocs(packedDocs),
    ...trusted,
    checkFolder(options, context),
    checkSecrets(options, context),
    await checkDatabase(options, context),
    await checkPort(options.port, running),
    profiles,
    ...(url === undefined
      ? [
          warn(
            "server",
            "no server runs on this data folder",
            "start one with secplat serve, or name it with --url",
          ),
        ]
      : await checkUrl(url, caFile)),
  ];
}

/** Trusts the certificate for the other checks; reports if it cannot. */
function checkTrust(
  caFile: string,
  { environment }: Pick<CliContext, "environment">,
): readonly Finding[] {
  try {
    trust(caFile, environment);
    return [];
  } catch (error) {
    return [
      fail("certificates", describeError(error), "until then, the checks of this server fail"),
    ];
  }
}

const checkUrl = async (url: string, caFile: string | null): Promise<readonly Finding[]> =>
  /^https?:\/\//.test(url) && URL.canParse(url)
    ? checkServer({ url, caFile })
    : [fail("server", `"${url}" is no URL`, "expected a URL such as https://api.example.com")];

/** Broken profiles are reported by their own check. */
function usualProfile(context: CliContext): ReturnType<typeof findProfile> {
  try {
    return findProfile(currentName(context), context);
  } catch {
    return undefined;
  }
}

/** Checks that all profiles can be used, and that only this user can read them. */
function checkProfiles(context: CliContext): Finding {
  const name = "profiles";
  const file = profilesPath(context);
  try {
    currentName(context);
    const names = profileNames(context);
    for (const each of names) findProfile(each, context);
    if (names.length === 0) return ok(name, "none are stored");
    if (process.platform !== "win32" && (statSync(file).mode & 0o077) !== 0) {
      return warn(name, `other users can read ${file}`, `chmod 600 ${argumentWord(file)}`);
    }
    return ok(name, `${names.length} in ${file}`);
  } catch (error) {
    return fail(
      name,
      describeError(error),
      "correct the file, or store the profile with secplat login",
    );
  }
}

const printFinding = ({ status, name, detail, remedy }: Finding): string =>
  `${status.padEnd(4)}  ${name.padEnd(11)}  ${printable(detail)}\n` +
  (remedy === null ? "" : `${" ".repeat(19)}→ ${printable(remedy)}\n`);

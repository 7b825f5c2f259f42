import type { Command } from "commander";
import {
  changeProfiles,
  currentName,
  findProfile,
  profileNames,
  requireProfile,
} from "../../api/profiles.ts";
import { confirm } from "../../calls/confirm.ts";
import { examples } from "../../options/examples.ts";
import { didYouMean } from "../../options/read-choice.ts";
import { readStoredProfile } from "../../api/read-profile-name.ts";
import { jsonOption } from "../../options/shared.ts";
import { printResult, type ResultOptions } from "../../terminal/print-result.ts";
import { describeError } from "../../terminal/describe-error.ts";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import type { CliContext } from "../../terminal/cli-context.ts";
import { formatTable } from "../../terminal/table.ts";

interface RemoveOptions extends ResultOptions {
  readonly yes?: boolean;
}

export function addProfileCommand(program: Command, context: CliContext): void {
  const profile = program
    .command("profile")
    .description("List, choose and remove the profiles that `secplat login` stored.");
  addListCommand(profile, context);
  addUseCommand(profile, context);
  addRemoveCommand(profile, context);
}

function addListCommand(profile: Command, context: CliContext): void {
  profile
    .command("list")
    .summary("list the profiles")
    .description(
      "List the profiles, without their secrets. A broken profile is listed with its problem.",
    )
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat profile list"))
    .action((options: ResultOptions) => {
      const current = currentName(context);
      const rows = profileNames(context).map((name) => ({
        name,
        current: name === current,
        ...describeProfile(name, context),
      }));
      printResult(context, options, rows, () =>
        rows.length === 0
          ? "there are no profiles; store one with secplat login\n"
          : formatTable(
              ["name", "current", "url", "client_id", "member_cid", "problem"],
              rows.map((row) => ({ ...row, current: row.current ? "yes" : "" })),
            ),
      );
    });
}

function describeProfile(name: string, context: CliContext) {
  try {
    const stored = findProfile(name, context);
    const { url = null, client_id = null, member_cid = null } = stored ?? {};
    return { url, client_id, member_cid, problem: null };
  } catch (error) {
    return { url: null, client_id: null, member_cid: null, problem: describeError(error) };
  }
}

function addUseCommand(profile: Command, context: CliContext): void {
  profile
    .command("use")
    .argument("<name>", "name of the profile", readStoredProfile)
    .summary("choose the current profile")
    .description("Choose the profile that commands and clients use unless they name another one.")
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat profile use staging"))
    .action((name: string, options: ResultOptions) => {
      requireProfile(name, context);
      changeProfiles(context, ({ profiles }) => ({ profiles, current: name }));
      printResult(context, options, { current: name }, () => `The current profile is ${name}.\n`);
    });
}

function addRemoveCommand(profile: Command, context: CliContext): void {
  profile
    .command("remove")
    .argument("<name>", "name of the profile", readStoredProfile)
    .summary("remove a profile")
    .description("Remove a profile with its secret. The API client on the server remains.")
    .option("--yes", "do not ask")
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat profile remove staging --yes"))
    .action(async (name: string, { yes = false, ...options }: RemoveOptions) => {
      const names = profileNames(context);
      if (!names.includes(name)) {
        throw new CommandError(
          `there is no profile ${name}.${didYouMean(name, names)}`,
          exitCodes.usage,
        );
      }
      if (!yes) await confirm(`Remove the profile ${name} with its secret?`, context);
      changeProfiles(context, ({ profiles, current }) => ({
        profiles: Object.fromEntries(Object.entries(profiles).filter(([each]) => each !== name)),
        current: current === name ? "default" : current,
      }));
      printResult(context, options, { removed: name }, () => `Removed the profile ${name}.\n`);
    });
}

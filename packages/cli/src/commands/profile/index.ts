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
import { answer, type AnswerOptions } from "../../terminal/answer.ts";
import { describeError } from "../../terminal/describe-error.ts";
import { CommandError, exitCodes } from "../../terminal/exit-codes.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import { formatTable } from "../../terminal/table.ts";

interface RemoveOptions extends AnswerOptions {
  readonly yes?: boolean;
}

export function addProfileCommand(program: Command, surroundings: Surroundings): void {
  const profile = program
    .command("profile")
    .description("List, choose and remove the profiles that `secplat login` stored.");
  addListCommand(profile, surroundings);
  addUseCommand(profile, surroundings);
  addRemoveCommand(profile, surroundings);
}

function addListCommand(profile: Command, surroundings: Surroundings): void {
  profile
    .command("list")
    .summary("list the profiles")
    .description(
      "List the profiles, without their secrets. A broken profile is listed with its problem.",
    )
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat profile list"))
    .action((options: AnswerOptions) => {
      const current = currentName(surroundings);
      const rows = profileNames(surroundings).map((name) => ({
        name,
        current: name === current,
        ...describeProfile(name, surroundings),
      }));
      answer(surroundings, options, rows, () =>
        rows.length === 0
          ? "there are no profiles; store one with secplat login\n"
          : formatTable(
              ["name", "current", "url", "client_id", "member_cid", "problem"],
              rows.map((row) => ({ ...row, current: row.current ? "yes" : "" })),
            ),
      );
    });
}

function describeProfile(name: string, surroundings: Surroundings) {
  try {
    const stored = findProfile(name, surroundings);
    const { url = null, client_id = null, member_cid = null } = stored ?? {};
    return { url, client_id, member_cid, problem: null };
  } catch (error) {
    return { url: null, client_id: null, member_cid: null, problem: describeError(error) };
  }
}

function addUseCommand(profile: Command, surroundings: Surroundings): void {
  profile
    .command("use")
    .argument("<name>", "name of the profile", readStoredProfile)
    .summary("choose the current profile")
    .description("Choose the profile that commands and clients use unless they name another one.")
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat profile use staging"))
    .action((name: string, options: AnswerOptions) => {
      requireProfile(name, surroundings);
      changeProfiles(surroundings, ({ profiles }) => ({ profiles, current: name }));
      answer(surroundings, options, { current: name }, () => `The current profile is ${name}.\n`);
    });
}

function addRemoveCommand(profile: Command, surroundings: Surroundings): void {
  profile
    .command("remove")
    .argument("<name>", "name of the profile", readStoredProfile)
    .summary("remove a profile")
    .description("Remove a profile with its secret. The API client on the server remains.")
    .option("--yes", "do not ask")
    .addOption(jsonOption())
    .addHelpText("after", examples("secplat profile remove staging --yes"))
    .action(async (name: string, { yes = false, ...options }: RemoveOptions) => {
      const names = profileNames(surroundings);
      if (!names.includes(name)) {
        throw new CommandError(
          `there is no profile ${name}.${didYouMean(name, names)}`,
          exitCodes.usage,
        );
      }
      if (!yes) await confirm(`Remove the profile ${name} with its secret?`, surroundings);
      changeProfiles(surroundings, ({ profiles, current }) => ({
        profiles: Object.fromEntries(Object.entries(profiles).filter(([each]) => each !== name)),
        current: current === name ? "default" : current,
      }));
      answer(surroundings, options, { removed: name }, () => `Removed the profile ${name}.\n`);
    });
}

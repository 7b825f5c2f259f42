import { mkdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import {
  currentProfile,
  parseProfile,
  parseProfiles,
  printProfiles,
  profilesFile,
  type Profile,
} from "@security-platform/client/profiles";
import { didYouMean } from "../options/read-choice.ts";
import { describeError, systemCode } from "../terminal/describe-error.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import { replaceFile } from "../terminal/replace-file.ts";
import type { CliContext } from "../terminal/cli-context.ts";

type Environment = Pick<CliContext, "environment">;

/** The file with the user's profiles, which may not exist. */
export const profilesPath = ({ environment }: Environment): string =>
  profilesFile((name) => environment[name] || undefined);

/** The profile `name`; undefined if there is none. */
export function findProfile(name: string, context: Environment): Profile | undefined {
  const file = profilesPath(context);
  const text = readText(file);
  return text === undefined ? undefined : explained(() => parseProfile(file, text, name));
}

/** The profile `name`; the error suggests the nearest name. */
export function requireProfile(name: string, context: Environment): Profile {
  const profile = findProfile(name, context);
  if (profile !== undefined) return profile;
  const near = didYouMean(name, profileNames(context));
  throw new CommandError(
    `there is no profile ${name} in ${profilesPath(context)}.${near}`,
    exitCodes.usage,
  );
}

/** The names of all profiles, in the order of their file. */
export function profileNames(context: Environment): readonly string[] {
  const file = profilesPath(context);
  const text = readText(file);
  return text === undefined ? [] : Object.keys(explained(() => parseProfiles(file, text)));
}

/** The name of the profile that commands use unless another one is chosen. */
export function currentName(context: Environment): string {
  const file = profilesPath(context);
  const text = readText(file);
  return text === undefined ? "default" : explained(() => currentProfile(file, text));
}

/** All profiles and the name of the current one. Profiles that are broken are kept as they are. */
interface StoredProfiles {
  readonly profiles: Readonly<Record<string, unknown>>;
  readonly current: string;
}

/**
 * Changes the file with the profiles, which only this user can read. It is replaced in one step. A file that
 * is not JSON is an error, so that nothing is lost.
 */
export function changeProfiles(
  context: Environment,
  change: (stored: StoredProfiles) => StoredProfiles,
): void {
  const file = profilesPath(context);
  const text = readText(file);
  const { profiles, current } = change({
    profiles: text === undefined ? {} : explained(() => parseProfiles(file, text)),
    current: currentName(context),
  });
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new CommandError(`cannot write ${file}: ${describeError(error)}`);
  }
  replaceFile(file, printProfiles(profiles, current));
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes(systemCode(error) ?? "")) return undefined;
    throw new CommandError(`cannot read ${file}: ${describeError(error)}`);
  }
}

function explained<Value>(parse: () => Value): Value {
  try {
    return parse();
  } catch (error) {
    throw new CommandError(describeError(error), exitCodes.usage);
  }
}

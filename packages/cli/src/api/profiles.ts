import { readFileSync } from "node:fs";
import {
  parseProfile,
  parseProfiles,
  profilesFile,
  type Profile,
} from "@security-platform/client/profiles";
import { didYouMean } from "../options/read-choice.ts";
import { describeError, systemCode } from "../terminal/describe-error.ts";
import { CommandError, exitCodes } from "../terminal/exit-codes.ts";
import type { Surroundings } from "../terminal/surroundings.ts";

type Environment = Pick<Surroundings, "environment">;

/** The file with the user's profiles, which may not exist. */
export const profilesPath = ({ environment }: Environment): string =>
  profilesFile((name) => environment[name] || undefined);

/** The profile `name`; undefined if there is none. */
export function findProfile(name: string, surroundings: Environment): Profile | undefined {
  const file = profilesPath(surroundings);
  const text = readText(file);
  return text === undefined ? undefined : explained(() => parseProfile(file, text, name));
}

/** The profile `name`; the error suggests the nearest name. */
export function requireProfile(name: string, surroundings: Environment): Profile {
  const profile = findProfile(name, surroundings);
  if (profile !== undefined) return profile;
  const near = didYouMean(name, profileNames(surroundings));
  throw new CommandError(
    `there is no profile ${name} in ${profilesPath(surroundings)}.${near}`,
    exitCodes.usage,
  );
}

/** The names of all profiles, in the order of their file. */
export function profileNames(surroundings: Environment): readonly string[] {
  const file = profilesPath(surroundings);
  const text = readText(file);
  return text === undefined ? [] : Object.keys(explained(() => parseProfiles(file, text)));
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

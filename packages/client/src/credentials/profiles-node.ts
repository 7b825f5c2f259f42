/** Profiles of Node.js, Bun and Deno; bundlers for browsers and workers do not use this file. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { environmentVariable } from "./environment.ts";
import { currentProfile, parseProfile, type Profiles } from "./profiles.ts";

/**
 * `SECPLAT_PROFILES`, or `secplat/profiles.json` in the user's folder of configuration files. `variable`
 * reads the environment.
 */
export const profilesFile = (variable = environmentVariable): string =>
  variable("SECPLAT_PROFILES") ??
  join(variable("XDG_CONFIG_HOME") ?? join(homedir(), ".config"), "secplat", "profiles.json");

export const profiles: Profiles = {
  get file() {
    return profilesFile();
  },
  read: (name) => {
    let file = "the profiles file";
    let text: string;
    try {
      // Deno requires permissions for this, and its error names them.
      file = profilesFile();
      text = readFileSync(file, "utf8");
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      throw new TypeError(`cannot read ${file}: ${code ?? message}`, { cause: error });
    }
    return parseProfile(file, text, name ?? currentProfile(file, text));
  },
};

/** The only file that uses Node.js modules. Bun and Deno use it, too; bundlers for browsers and workers do not. */
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { environmentVariable } from "./environment.ts";
import { parseProfile, type Profiles } from "./profiles.ts";

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
    const file = profilesFile();
    let text: string;
    try {
      text = readFileSync(file, "utf8");
    } catch (error) {
      const { code } = error as { readonly code?: string };
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      throw new TypeError(`cannot read ${file}: ${String(code)}`, { cause: error });
    }
    return parseProfile(file, text, name);
  },
};

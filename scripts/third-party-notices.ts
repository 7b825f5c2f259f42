import plugin, { type Dependency } from "rollup-plugin-license";

// Its types claim a module with a member `default`; it is the function itself.
const license = plugin as unknown as typeof plugin.default;

/** Licences that allow us to distribute code under Apache-2.0 with the notices alone. */
export const allowedLicenses: readonly string[] = [
  "0BSD",
  "Apache-2.0",
  "BlueOak-1.0.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "ISC",
  "MIT",
  "MIT-0",
];

/**
 * Writes the licences of all bundled packages to a file, which must accompany their code. The build fails if a
 * package has no licence, or one that is not allowed.
 */
export function thirdPartyNotices(file: string): unknown {
  return license({
    thirdParty: {
      multipleVersions: true,
      allow: {
        test: `(${allowedLicenses.join(" OR ")})`,
        failOnUnlicensed: true,
        failOnViolation: true,
      },
      output: {
        file,
        template: (dependencies) =>
          dependencies.filter(isForeign).map(notice).toSorted().join(line),
      },
    },
  });
}

const isForeign = ({ name }: Dependency): boolean =>
  name?.startsWith("@security-platform/") !== true;

const line = `\n${"-".repeat(80)}\n\n`;

function notice({ name, version, license: terms, licenseText, noticeText }: Dependency): string {
  const texts = [licenseText, noticeText].filter((text) => text !== null && text !== undefined);
  const heading = `${name} ${version}, license: ${terms}`;
  return `${[heading, ...texts.map((text) => text.trim())].join("\n\n")}\n`;
}

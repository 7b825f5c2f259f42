/** The changelog of a package. */
export interface Changelog {
  readonly name: string;
  readonly text: string;
}

/**
 * The notes of a release: what the changelogs of the packages say about a version, each change once, with the
 * packages that it concerns. Throws if a changelog does not have the version.
 */
export function releaseNotes(changelogs: readonly Changelog[], version: string): string {
  const kinds = new Map<string, Map<string, string[]>>();
  for (const { name, text } of changelogs) {
    for (const { kind, change } of changesOf(text, version, name)) {
      const changes = kinds.get(kind) ?? new Map<string, string[]>();
      changes.set(change, [...(changes.get(change) ?? []), name]);
      kinds.set(kind, changes);
    }
  }
  const sections = ["Major Changes", "Minor Changes", "Patch Changes"].flatMap((kind) => {
    const changes = kinds.get(kind);
    if (changes === undefined) return [];
    const lines = [...changes].map(
      ([change, names]) => `- ${names.map((name) => `\`${name}\``).join(", ")}: ${change}`,
    );
    return [`## ${kind}\n\n${lines.join("\n")}`];
  });
  return `${sections.join("\n\n")}\n`;
}

/** The lines for dependencies, of packages that were released together with them. */
const raisesDependencies = /^(?:Updated dependencies|(?:@security-platform\/|secplat@)\S+$)/;

interface Change {
  readonly kind: string;
  readonly change: string;
}

function changesOf(text: string, version: string, name: string): readonly Change[] {
  const section = text.split(/^## /m).find((each) => each.startsWith(`${version}\n`));
  if (section === undefined) throw new Error(`the changelog of ${name} does not have ${version}`);
  return section
    .split(/^### /m)
    .slice(1)
    .flatMap((part) => {
      const [kind = "", ...lines] = part.split("\n");
      const changes = lines.join("\n").split(/^- /m).slice(1);
      return changes
        .map((change) => ({ kind, change: change.trim().replace(/^[0-9a-f]{7,40}: /, "") }))
        .filter(({ change }) => !raisesDependencies.test(change));
    });
}

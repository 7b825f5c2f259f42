import { readChangesets as read } from "@changesets/read";

const packageName = "@security-platform/spec";
const bumps = ["none", "patch", "minor", "major"] as const;
export type Bump = (typeof bumps)[number];

export const isBump = (text: string): text is Bump => bumps.includes(text as Bump);

interface Changeset {
  readonly id: string;
  readonly releases: readonly { readonly name: string; readonly type: Bump }[];
  readonly summary: string;
}

/**
 * Whether the changesets announce what the gate says about a change of the document. Returns what to do, or null.
 *
 * @param verdict The verdict of the gate. `major` demands a major changeset: also an approved breaking change
 * breaks those who did not approve it.
 */
export function missingChangeset(
  verdict: Bump,
  changesets: readonly Pick<Changeset, "releases">[],
): string | null {
  const announced = changesets
    .flatMap(({ releases }) => releases.filter(({ name }) => name === packageName))
    .map(({ type }) => type);
  const highest = Math.max(0, ...announced.map((type) => bumps.indexOf(type)));
  if (highest >= bumps.indexOf(verdict)) return null;
  const present = highest === 0 ? "there is none" : `there is only a ${bumps[highest]} one`;
  return (
    `the change of spec/ is ${verdict}, so it needs a ${verdict} changeset for ${packageName}, and ${present}; ` +
    `add it: npx changeset --${verdict} ${packageName} -m "What changes for users"`
  );
}

/** The changesets of a folder: those since a Git revision, or all. */
export const readChangesets = (folder: string, since?: string): Promise<readonly Changeset[]> =>
  read(folder, since);

/** The members that are not `undefined`: a change that leaves a member out keeps it. */
export const defined = <Members extends object>(
  members: Members,
): { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    readonly [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };

/** As `defined`, with null as `undefined`: a change to null clears the member. */
export const cleared = <Members extends object>(
  members: Members,
): { readonly [Name in keyof Members]?: Exclude<Members[Name], null> | undefined } =>
  Object.fromEntries(
    Object.entries(defined(members)).map(([name, value]) => [name, value ?? undefined]),
  ) as { readonly [Name in keyof Members]?: Exclude<Members[Name], null> | undefined };

/** A record of which some members may have been cleared. */
export type Clearable<Record, Names extends keyof Record> = Omit<Record, Names> & {
  readonly [Name in Names]?: Record[Name] | undefined;
};

/** The members that are not `undefined`. A change that omits a member keeps its value. */
export const defined = <Members extends object>(
  members: Members,
): { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    readonly [Name in keyof Members]?: Exclude<Members[Name], undefined>;
  };

/** Like `defined`, but null becomes `undefined`: a change to null clears the member. */
export const cleared = <Members extends object>(
  members: Members,
): { readonly [Name in keyof Members]?: Exclude<Members[Name], null> | undefined } =>
  Object.fromEntries(
    Object.entries(defined(members)).map(([name, value]) => [name, value ?? undefined]),
  ) as { readonly [Name in keyof Members]?: Exclude<Members[Name], null> | undefined };

/** A record in which these members may have been cleared. */
export type Clearable<Record, Names extends keyof Record> = Omit<Record, Names> & {
  readonly [Name in Names]?: Record[Name] | undefined;
};

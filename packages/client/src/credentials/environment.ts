/** A variable of the environment; undefined where the runtime has none. */
export function environmentVariable(name: string): string | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  const value = process?.env?.[name];
  return value === "" ? undefined : value;
}

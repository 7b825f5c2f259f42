/** A variable of the environment; undefined where the runtime has none, or does not permit to read it. */
export function environmentVariable(name: string): string | undefined {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  try {
    return process?.env?.[name] || undefined;
  } catch {
    // Deno without the permission to read this variable.
    return undefined;
  }
}

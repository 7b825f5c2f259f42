/** Replaces each `{name}` in a text by its value. Throws for a name without one. */
export const fillIn = (
  text: string,
  values: Readonly<Record<string, string | undefined>>,
): string =>
  text.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`no value for {${name}} in ${text}`);
    return value;
  });

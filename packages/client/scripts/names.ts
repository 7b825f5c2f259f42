/** `user-management` → `userManagement`: the name of the client's property for a collection. */
export const camelCase = (text: string): string =>
  text.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

export const pascalCase = (text: string): string => camelCase(`-${text.replaceAll(".", "-")}`);

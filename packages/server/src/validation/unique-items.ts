import type { Ajv2020 } from "ajv/dist/2020.js";

/** Ajv compares each item with each other one, which takes a second for the longest lists of the document. */
export function replaceUniqueItems(instance: Ajv2020): void {
  instance.removeKeyword("uniqueItems").addKeyword({
    keyword: "uniqueItems",
    type: "array",
    schemaType: "boolean",
    errors: false,
    compile: (isRequired: boolean) => (items: readonly unknown[]) =>
      !isRequired || areDifferent(items),
  });
}

/** Whether no two JSON values are equal. The order of an object's members does not matter. */
export function areDifferent(items: readonly unknown[]): boolean {
  const plain = new Set<unknown>();
  const texts = new Set<string>();
  for (const item of items) {
    if (typeof item !== "object" || item === null) {
      if (plain.size === plain.add(item).size) return false;
    } else if (texts.size === texts.add(JSON.stringify(item, inOrder)).size) return false;
  }
  return true;
}

const inOrder = (_name: string, value: unknown): unknown =>
  typeof value !== "object" || value === null || Array.isArray(value)
    ? value
    : Object.fromEntries(
        Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1)),
      );

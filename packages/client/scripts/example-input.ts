import type { Operation } from "@security-platform/spec";

/** Whether the body is a form with files. */
export const isUpload = ({ requestBody }: Operation): boolean =>
  requestBody?.content["multipart/form-data"] !== undefined;

/** The required inputs of an operation by name, from its examples; the body as `body`. */
export function exampleInput(operation: Operation): Readonly<Record<string, unknown>> {
  const required = operation.parameters.filter((each) => each.required);
  const [content] = Object.values(operation.requestBody?.content ?? {});
  const [example] = Object.values(content?.examples ?? {});
  return {
    ...Object.fromEntries(required.map(({ name, example: value }) => [name, value])),
    ...(example === undefined ? {} : { body: example.value }),
  };
}

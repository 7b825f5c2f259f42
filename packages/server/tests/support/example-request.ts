import type { Operation } from "@security-platform/spec";

/** A valid request of an operation, built from the examples in the document. */
export function exampleRequest(operation: Operation): {
  readonly address: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | undefined;
} {
  const required = operation.parameters.filter((parameter) => parameter.required);
  const inPlace = (place: string) => required.filter((parameter) => parameter.in === place);
  const path = inPlace("path").reduce(
    (text, { name, example }) => text.replace(`{${name}}`, encodeURIComponent(String(example))),
    operation.path,
  );
  const query = inPlace("query").flatMap(({ name, example }) =>
    [example].flat().map((value): [string, string] => [name, String(value)]),
  );
  const [mediaType, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const [example] = Object.values(content?.examples ?? {});
  return {
    address: `${path}?${new URLSearchParams(query).toString()}`,
    headers: {
      ...Object.fromEntries(
        inPlace("header").map(({ name, example: value }) => [name, String(value)]),
      ),
      ...(mediaType === "application/json" ? { "content-type": mediaType } : {}),
    },
    body:
      mediaType === undefined
        ? undefined
        : mediaType === "multipart/form-data"
          ? form(example?.value)
          : JSON.stringify(example?.value),
  };
}

function form(value: unknown): FormData {
  const data = new FormData();
  for (const [name, member] of Object.entries(value as object)) {
    if (name === "file") data.set(name, new Blob([String(member)]), "example.txt");
    else data.set(name, String(member));
  }
  return data;
}

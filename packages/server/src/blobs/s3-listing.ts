export interface S3Object {
  readonly key: string;
  readonly bytes: number;
  readonly modified: Date;
}

/** Objects of a ListObjectsV2 response, and the token of the next page. */
export function listedObjects(xml: string): {
  readonly objects: readonly S3Object[];
  readonly next: string | undefined;
} {
  const objects = xml
    .split("<Contents>")
    .slice(1)
    .map((object) => ({
      key: member(object, "Key") ?? "",
      bytes: Number(member(object, "Size")),
      modified: new Date(member(object, "LastModified") ?? 0),
    }));
  const truncated = member(xml, "IsTruncated") === "true";
  return { objects, next: truncated ? member(xml, "NextContinuationToken") : undefined };
}

function member(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
  return text?.replaceAll(
    /&(amp|lt|gt|quot|apos);/g,
    (_, entity: string) => entities[entity] ?? "",
  );
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
};

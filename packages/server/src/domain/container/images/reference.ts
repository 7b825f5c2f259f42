export interface ImageReference {
  /** The registry; empty if the name has none. */
  readonly registry: string;
  readonly repository: string;
  readonly tag: string;
}

/** The parts of `registry.example.com/shop/checkout:4.2.0@sha256:…`. The tag is `latest` if there is none. */
export function parseReference(name: string): ImageReference {
  const [path = "", digest] = name.split("@");
  const slash = path.indexOf("/");
  const first = slash < 0 ? "" : path.slice(0, slash);
  // Docker distinguishes a host from the first part of a path in the same way.
  const registry = /[.:]/.test(first) || first === "localhost" ? first : "";
  const rest = registry === "" ? path : path.slice(slash + 1);
  const colon = rest.lastIndexOf(":");
  const implied = digest === undefined ? "latest" : "";
  return colon < 0
    ? { registry, repository: rest, tag: implied }
    : { registry, repository: rest.slice(0, colon), tag: rest.slice(colon + 1) };
}

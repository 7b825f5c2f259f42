/** A bill of materials as CycloneDX, of what a package brings with it. */
export interface BillOfMaterials {
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly Dependencies[];
  readonly [member: string]: unknown;
}

interface Component {
  readonly "bom-ref": string;
  readonly name: string;
  readonly purl: string;
  readonly [member: string]: unknown;
}

interface Dependencies {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

export interface Contents {
  readonly depends?: readonly string[];
  readonly bundles?: readonly string[];
}

/**
 * The part of the bill of the whole repository that belongs to one package. `npm sbom --workspace` would miss each
 * dependency that the root has for its development.
 *
 * @param whole The output of `npm sbom --sbom-format cyclonedx` at the root.
 * @param reference The package, such as `secplat@0.1.0`.
 * @param contents What it depends on, and all that it bundles: `name@version`.
 */
export function billOf(
  whole: BillOfMaterials,
  reference: string,
  { depends = [], bundles = [] }: Contents,
): BillOfMaterials {
  const edges = new Map(whole.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
  // Packages of the project have bills of their own.
  const next = (ref: string): readonly string[] => (isOwn(ref) ? [] : (edges.get(ref) ?? []));
  const contained = new Set(depends);
  // A set also iterates over what is added meanwhile.
  for (const ref of contained) for (const each of next(ref)) contained.add(each);
  for (const each of bundles) contained.add(each);
  const componentsByRef = new Map(whole.components.map((each) => [each["bom-ref"], each]));
  const component = (ref: string): Component => {
    const listed = componentsByRef.get(ref);
    if (listed === undefined) throw new Error(`npm sbom does not list ${ref}`);
    return { ...listed, name: nameOf(listed) };
  };
  const refs = [...contained].toSorted();
  return {
    ...whole,
    metadata: { ...whole.metadata, component: component(reference) },
    components: refs.map(component),
    dependencies: [
      { ref: reference, dependsOn: [...depends, ...bundles].toSorted() },
      ...refs.map((ref) => ({ ref, dependsOn: next(ref).filter((each) => contained.has(each)) })),
    ],
  };
}

const isOwn = (ref: string): boolean => /^(?:@security-platform\/|secplat@)/.test(ref);

/** npm names packages of the workspace by their folder. */
const nameOf = ({ purl }: Component): string =>
  decodeURIComponent(purl.replace(/^pkg:npm\/(.*)@[^@]*$/, "$1"));

/** The packages whose terms are in a file with the notices of bundled packages: `name@version`. */
export const packagesOf = (notices: string): readonly string[] =>
  [...notices.matchAll(/^(\S+) (\S+), license: /gm)].map(
    ([, name, version]) => `${name}@${version}`,
  );

import { readFileSync } from "node:fs";
import type { OpenApiDocument } from "@security-platform/spec";
import { code, joinBlocks, table } from "./reference/markdown.ts";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly node: string };
}

const names = [
  "cli",
  "client",
  "server",
  "testing",
  "contract-tests",
  "spec-gate",
  "spec",
  "fql",
] as const;
const manifestOf = (name: (typeof names)[number]): Manifest =>
  JSON.parse(
    readFileSync(new URL(`../../packages/${name}/package.json`, import.meta.url), "utf8"),
  ) as Manifest;

/** The page with the versions of this release, and which versions work together. */
export function versionsPage(document: OpenApiDocument, companion: OpenApiDocument): string {
  const manifests = names.map((name) => manifestOf(name));
  const versions = new Set(manifests.map(({ version }) => version));
  if (versions.size !== 1) throw new Error(`expected one version, got ${[...versions].join(", ")}`);
  return joinBlocks([
    "# Versions",
    "These are the versions of the release that this page belongs to. The page of an earlier release comes with its " +
      "package: `npx secplat@<version> serve` shows it under `/docs`.",
    table(
      ["", "Version"],
      [
        ["The document, `openapi.json`", document.info.version],
        ["The companion document, `companion.json`", companion.info.version],
        ...manifests.map(({ name, version }) => [code(name), version]),
      ],
    ),
    "## What works together",
    "All packages have the same version and are released together, so each release is one combination that was " +
      "tested. The document has a version of its own, because it says what changes for clients of any language.",
    table(
      ["Pair", "Works if"],
      [
        [
          "The packages in one program",
          "They have the same version. Packages depend on each other by the exact version, so npm cannot mix them.",
        ],
        [
          "A client and a server over HTTP",
          "The server's document is compatible with the client's: the same major version, and the same minor version " +
            "or a later one. Before 1.0, a new minor version may break clients; its notes say how.",
        ],
        [
          "`contract-tests` and a server",
          "They have the same document. Otherwise the cases of what was added fail.",
        ],
        [
          "A server and its database",
          "The database was written by the same version or an earlier one. The start upgrades it; an earlier version " +
            "then refuses to open it.",
        ],
        [
          "Several servers of a database",
          "They have the same version. Stop the earlier ones before the first later one starts.",
        ],
        ["`spec-gate` and a document", "Always: the gate reads OpenAPI 3.0, 3.1 and 3.2."],
      ],
    ),
    "## Node.js",
    table(
      ["Package", "Needs"],
      manifests.map(({ name, engines }) => [code(name), code(engines.node)]),
    ),
    "## What a version says",
    "Packages follow [semantic versioning](https://semver.org). A change of the document that the " +
      "[gate](/guides/gate) calls breaking needs a major version of the packages, also if the change was approved, and " +
      "one that adds to it a minor version; CI fails without a changeset that says so. What changed: [in the document](/reference/changelog), [in the packages](/guides/changes).",
    "Pre-releases of the current state are published under the tag `next`: `npx secplat@next serve`. They have " +
      "versions such as `0.2.0-next.20260302081530`, and nothing is promised between them.",
    "Each release has its tarballs, checksums (`SHA256SUMS`) and bills of materials (CycloneDX, `.cdx.json`). Packages " +
      "carry a provenance statement, which `npm audit signatures` verifies.",
  ]);
}

/** Files outside of the manifests that contain the version of the packages, with the text around it. */
export const versionPlaces: readonly { readonly file: string; readonly pattern: RegExp }[] = [
  {
    file: "packages/spec-gate/action.yml",
    pattern: /(?<=@security-platform\/spec-gate@)\d+\.\d+\.\d+[-.\w]*/,
  },
  {
    file: ".github/actions/setup-secplat/action.yml",
    pattern: /(?<=default: )\d+\.\d+\.\d+[-.\w]*/,
  },
  { file: "packages/cli/deploy/compose.yaml", pattern: /(?<=SECPLAT_VERSION:-)[^}]*/ },
  { file: "packages/cli/deploy/chart/Chart.yaml", pattern: /(?<=^version: ).*/m },
  { file: "packages/cli/deploy/chart/Chart.yaml", pattern: /(?<=^appVersion: ).*/m },
  { file: "packages/cli/deploy/Dockerfile", pattern: /(?<=VERSION=)\d\S*/ },
  { file: ".github/ISSUE_TEMPLATE/bug.yml", pattern: /(?<=secplat )\d+\.\d+\.\d+[-.\w]*/ },
];

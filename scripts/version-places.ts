/** Files outside of the manifests that contain the version of the packages, with the text around it. */
export const versionPlaces: readonly { readonly file: string; readonly pattern: RegExp }[] = [
  {
    file: "packages/spec-gate/action.yml",
    pattern: /(?<=@security-platform\/spec-gate@)\d+\.\d+\.\d+[-.\w]*/,
  },
  { file: ".github/ISSUE_TEMPLATE/bug.yml", pattern: /(?<=secplat )\d+\.\d+\.\d+[-.\w]*/ },
];

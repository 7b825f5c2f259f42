type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The command that starts this program again from the same folder: npm scripts and npx have no
 * `secplat` on the path.
 */
export function calledAs(environment: Environment): string {
  if (environment["npm_lifecycle_event"] === "npx") return "npx secplat";
  if (environment["npm_package_name"] === "security-platform-api") return "npm run -s secplat --";
  return "secplat";
}

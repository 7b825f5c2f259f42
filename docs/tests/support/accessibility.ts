import axe from "axe-core";
import type { Page } from "playwright-core";

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

/** Colours are all that differs between the themes, so one theme is examined for the other rules. */
export const themes = [
  { theme: "light", rules: undefined },
  { theme: "dark", rules: ["color-contrast"] },
] as const;

/**
 * What breaks a rule of accessibility on a page as it is shown now, by axe-core: `rule: element`.
 * Without `rules`, for all rules.
 */
export async function accessibilityViolations(
  page: Page,
  rules?: readonly string[],
): Promise<readonly string[]> {
  await page.addScriptTag({ content: axe.source });
  const options = {
    // The description of elements that break no rule takes time.
    resultTypes: ["violations"],
    ...(rules !== undefined && { runOnly: rules }),
  };
  const violations = await page.evaluate<readonly Violation[]>(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(" ")}`),
  );
}

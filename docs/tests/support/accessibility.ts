import axe from "axe-core";
import type { Page } from "playwright-core";

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

/** What breaks a rule of accessibility on a page as it is shown now: `rule: element`, by axe-core. */
export async function accessibilityViolations(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ content: axe.source });
  const { violations } = await page.evaluate<{ violations: Violation[] }>("axe.run()");
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${id}: ${target.join(" ")}`),
  );
}

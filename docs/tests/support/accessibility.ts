import axe from "axe-core";
import type { Page } from "playwright-core";

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly target: readonly string[] }[];
}

/**
 * What breaks a rule of accessibility on a page as it is shown now, in both themes, by axe-core: `theme: rule: element`.
 * Colours are all that differs between the themes, so one theme is examined for the other rules.
 */
export async function accessibilityViolations(page: Page): Promise<readonly string[]> {
  await page.addScriptTag({ content: axe.source });
  return [
    ...(await violationsIn(page, "light")),
    ...(await violationsIn(page, "dark", ["color-contrast"])),
  ];
}

async function violationsIn(
  page: Page,
  theme: "light" | "dark",
  rules?: readonly string[],
): Promise<readonly string[]> {
  await page.emulateMedia({ colorScheme: theme });
  const options = {
    // The description of elements that break no rule takes time.
    resultTypes: ["violations"],
    ...(rules !== undefined && { runOnly: rules }),
  };
  const violations = await page.evaluate<readonly Violation[]>(`(async () => {
    // Colours change gradually; text that pulses for ever keeps its colour.
    const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition);
    await Promise.allSettled(transitions.map(({ finished }) => finished));
    return (await axe.run(${JSON.stringify(options)})).violations;
  })()`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target }) => `${theme}: ${id}: ${target.join(" ")}`),
  );
}

import { pause } from "../../../foundation/work-turns.ts";
import type { RecordText } from "../../../store/index.ts";
import { canSee, withAccess } from "../access-tags/has-access.ts";
import { heldAccessTags } from "../access-tags/reader.ts";
import type { CaseTemplate } from "../kinds/templates.ts";

/** The templates as the caller sees them, with `has_access`. */
export async function shownTemplates(
  call: Parameters<typeof heldAccessTags>[0],
  texts: readonly RecordText[],
): Promise<readonly RecordText[]> {
  const held = await heldAccessTags(call);
  const shown: RecordText[] = [];
  for (const text of texts) {
    // A template has up to 4 MB.
    await pause();
    shown.push(JSON.stringify(shownTemplate(JSON.parse(text) as CaseTemplate, held)));
  }
  return shown;
}

/** The template for somebody who holds the access tags `held`. */
export const shownTemplate = (template: CaseTemplate, held: ReadonlySet<string>): object =>
  withAccess(template, "workflows", canSee(template, held));

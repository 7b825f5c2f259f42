import { HighlightStyle } from "@codemirror/language";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Colours of code by classes, which `console.css` defines for both themes. */
export const codeClasses = HighlightStyle.define([
  { tag: tags.propertyName, class: "code-name" },
  { tag: [tags.string, tags.special(tags.string)], class: "code-text" },
  { tag: tags.number, class: "code-number" },
  { tag: [tags.bool, tags.null, tags.keyword], class: "code-constant" },
  { tag: [tags.variableName, tags.special(tags.name)], class: "code-number" },
  { tag: [tags.operator, tags.punctuation, tags.comment], class: "code-operator" },
  { tag: tags.invalid, class: "code-invalid" },
]);

/** Sizes and colours of the editor itself, with the tokens of the site. */
export const editorTheme = EditorView.theme({
  "&": { backgroundColor: "var(--vp-c-bg)", color: "var(--vp-c-text-1)", fontSize: "0.8125rem" },
  "&.cm-focused": { outline: "2px solid var(--vp-c-brand-1)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--vp-font-family-mono)", lineHeight: "1.55" },
  ".cm-content": { caretColor: "var(--vp-c-text-1)", padding: "7px 0" },
  ".cm-line": { padding: "0 10px" },
  ".cm-cursor": { borderLeftColor: "var(--vp-c-text-1)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { backgroundColor: "var(--vp-c-brand-soft)" },
  ".cm-gutters": {
    backgroundColor: "var(--vp-c-bg)",
    color: "var(--vp-c-text-2)",
    borderRight: "1px solid var(--vp-c-divider)",
  },
  ".cm-tooltip": {
    backgroundColor: "var(--vp-c-bg-elv)",
    color: "var(--vp-c-text-1)",
    border: "1px solid var(--vp-c-divider)",
    borderRadius: "4px",
    maxWidth: "min(480px, 90vw)",
  },
  ".cm-tooltip-autocomplete > ul": { fontFamily: "var(--vp-font-family-mono)" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--vp-c-brand-soft)",
    color: "var(--vp-c-text-1)",
  },
  ".cm-completionDetail": { color: "var(--vp-c-text-2)", fontStyle: "normal" },
  ".cm-completionInfo": { fontFamily: "var(--vp-font-family-base)", padding: "8px 12px" },
  ".cm-diagnostic": { borderLeftColor: "var(--method-delete)" },
});

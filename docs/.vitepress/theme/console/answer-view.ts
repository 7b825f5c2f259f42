import { jsonLanguage } from "@codemirror/lang-json";
import { highlightCode } from "@lezer/highlight";
import { defineComponent, h, type PropType, type VNode } from "vue";
import { codeClasses } from "./code-theme.ts";
import type { Answer } from "./send.ts";
import { formatBytes, formatTime } from "./units.ts";

/** Maximum length of a coloured body. Longer ones are shown without colours, so that the page stays fast. */
const longestColoured = 200_000;
const longestShown = 1_000_000;

/** An answer: status, time, body and headers. */
export const AnswerView = defineComponent({
  name: "AnswerView",
  props: { answer: { type: Object as PropType<Answer>, required: true } },
  setup: (props) => () => {
    const { status, statusText, milliseconds, bytes, headers, server, note } = props.answer;
    const kind = status < 300 ? "good" : "bad";
    return h("div", { class: "console-answer" }, [
      h("p", { class: "console-status", role: "status" }, [
        h("strong", { class: `console-${kind}` }, `${status} ${statusText}`),
        h("span", ` ${formatTime(milliseconds)}, ${formatBytes(bytes)}, from ${server}`),
      ]),
      note === "" ? null : h("p", { class: "console-note" }, note),
      bodyOf(props.answer),
      h("details", { class: "console-headers" }, [
        h("summary", `Headers (${headers.length})`),
        h(
          "dl",
          headers.flatMap(([name, value]) => [h("dt", name), h("dd", value)]),
        ),
      ]),
    ]);
  },
});

function bodyOf({ text, content, mediaType, bytes }: Answer): VNode {
  if (bytes === 0) return h("p", { class: "console-empty" }, "The response has no body.");
  if (text === null) {
    return h("p", [
      `A file of the type ${mediaType}. `,
      h(
        "button",
        { type: "button", class: "console-link", onClick: () => download(content) },
        "Save the file",
      ),
    ]);
  }
  const shown = mediaType.includes("json") ? indented(text) : text;
  const attributes = {
    class: "console-body",
    tabindex: 0,
    role: "region",
    "aria-label": "Response body",
  };
  if (shown.length > longestShown) {
    const part = shown.slice(0, longestShown);
    return h("div", [
      h("pre", attributes, part),
      h("p", `The first ${formatBytes(longestShown)} of ${formatBytes(shown.length)}. `),
      h(
        "button",
        { type: "button", class: "console-link", onClick: () => download(content) },
        "Save all of it",
      ),
    ]);
  }
  const isPlain = !mediaType.includes("json") || shown.length > longestColoured;
  return h("pre", attributes, isPlain ? shown : coloured(shown));
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

function coloured(text: string): (VNode | string)[] {
  const parts: (VNode | string)[] = [];
  highlightCode(
    text,
    jsonLanguage.parser.parse(text),
    codeClasses,
    (part, classes) => void parts.push(classes === "" ? part : h("span", { class: classes }, part)),
    () => void parts.push("\n"),
  );
  return parts;
}

function download(content: Blob): void {
  const url = URL.createObjectURL(content);
  Object.assign(document.createElement("a"), { href: url, download: "response" }).click();
  URL.revokeObjectURL(url);
}

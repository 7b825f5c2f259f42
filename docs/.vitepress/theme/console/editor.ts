import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, syntaxHighlighting } from "@codemirror/language";
import { lintKeymap } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import {
  defineComponent,
  h,
  onBeforeUnmount,
  onMounted,
  shallowRef,
  watch,
  type PropType,
} from "vue";
import { codeClasses, editorTheme } from "./code-theme.ts";

/**
 * An editor for code. Tab leaves it, as it leaves every other field. `extensions` are read once; they have the
 * language with its completion and its problems.
 */
export const Editor = defineComponent({
  name: "CodeEditor",
  props: {
    modelValue: { type: String, required: true },
    label: { type: String, required: true },
    describedBy: { type: String, default: "" },
    extensions: { type: Array as PropType<readonly Extension[]>, required: true },
  },
  emits: { "update:modelValue": (_text: string) => true, ready: (_view: EditorView) => true },
  setup(props, { emit }) {
    const place = shallowRef<HTMLElement>();
    let view: EditorView | undefined;
    onMounted(() => {
      const described: Record<string, string> =
        props.describedBy === "" ? {} : { "aria-describedby": props.describedBy };
      view = new EditorView({
        ...(place.value !== undefined && { parent: place.value }),
        state: EditorState.create({
          doc: props.modelValue,
          extensions: [
            history(),
            bracketMatching(),
            closeBrackets(),
            autocompletion({ icons: false }),
            syntaxHighlighting(codeClasses),
            editorTheme,
            EditorView.lineWrapping,
            EditorView.contentAttributes.of({
              "aria-label": props.label,
              tabindex: "0",
              ...described,
            }),
            keymap.of([
              ...closeBracketsKeymap,
              ...completionKeymap,
              ...lintKeymap,
              ...historyKeymap,
              // Sends the request, without a new line.
              ...defaultKeymap.filter(({ key }) => key !== "Mod-Enter"),
            ]),
            EditorView.updateListener.of((update) => {
              if (update.docChanged) emit("update:modelValue", update.state.doc.toString());
            }),
            ...props.extensions,
          ],
        }),
      });
      emit("ready", view);
    });
    watch(
      () => props.modelValue,
      (text) => {
        if (view === undefined || text === view.state.doc.toString()) return;
        view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
      },
    );
    onBeforeUnmount(() => view?.destroy());
    return () => h("div", { class: "code-editor", ref: place });
  },
});

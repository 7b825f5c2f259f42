import type { Fields } from "@security-platform/fql";
import { explainFilter, parseFilter } from "@security-platform/fql";
import { computed, defineComponent, h, onMounted, shallowRef } from "vue";
import { loadFields } from "../playground/filter-data.ts";
import { fqlOf, issuesOf, issueText } from "../playground/fql-language.ts";
import { sentenceOf } from "../playground/sentence.ts";
import { Editor } from "./editor.ts";

/** A filter parameter: an editor with completion, and what the filter means, or what is wrong with it. */
export const FilterField = defineComponent({
  name: "FilterField",
  props: {
    modelValue: { type: String, required: true },
    label: { type: String, required: true },
    describedBy: { type: String, required: true },
    /** The table of fields. */
    resource: { type: String, required: true },
  },
  emits: { "update:modelValue": (_text: string) => true },
  setup(props, { emit }) {
    const fields = shallowRef<Fields>();
    onMounted(async () => {
      // Without its fields a filter is checked by the server only.
      fields.value = await loadFields(props.resource).catch(() => undefined);
    });
    const issues = computed(() =>
      fields.value === undefined ? [] : issuesOf(props.modelValue, fields.value),
    );
    const meaning = computed(() => {
      if (fields.value === undefined || props.modelValue.trim() === "" || issues.value.length > 0) {
        return "";
      }
      return sentenceOf(explainFilter(parseFilter(props.modelValue), fields.value));
    });
    const extensions = computed(() => (fields.value === undefined ? [] : fqlOf(fields.value)));
    return () =>
      h("div", { class: "console-filter" }, [
        h(Editor, {
          // The editor reads its language once.
          key: String(fields.value === undefined),
          label: props.label,
          describedBy: props.describedBy,
          extensions: extensions.value,
          modelValue: props.modelValue,
          "onUpdate:modelValue": (text: string) => emit("update:modelValue", text),
        }),
        h("div", { class: "console-help", "aria-live": "polite" }, [
          ...issues.value.map((issue) =>
            h("p", { class: "console-problem" }, `Offset ${issue.offset}: ${issueText(issue)}`),
          ),
          meaning.value === "" ? null : h("p", meaning.value),
        ]),
      ]);
  },
});

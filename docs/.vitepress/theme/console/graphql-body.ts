import { json } from "@codemirror/lang-json";
import { linter, type Diagnostic } from "@codemirror/lint";
import type { Extension } from "@codemirror/state";
import { completion, graphqlLanguageSupport, stateExtensions } from "cm6-graphql";
import { computed, defineComponent, h, ref, watch } from "vue";
import { Editor } from "./editor.ts";
import { pretty } from "./form.ts";
import { queryProblems, schemaOf } from "./graphql-check.ts";

/** The body of a GraphQL request: an editor for the query, and one for its variables. */
export const GraphqlBody = defineComponent({
  name: "GraphqlBody",
  props: {
    /** The body, JSON. */
    modelValue: { type: String, required: true },
    /** SDL. */
    schema: { type: String, required: true },
    describedBy: { type: String, required: true },
  },
  emits: {
    "update:modelValue": (_text: string) => true,
    problems: (_texts: readonly string[]) => true,
  },
  setup(props, { emit }) {
    const schema = schemaOf(props.schema);
    const query = ref("");
    const variables = ref("");
    const problems = computed(() => queryProblems(schema, query.value, variables.value));

    const read = (text: string): void => {
      if (text === bodyOf(query.value, variables.value)) return;
      const body = JSON.parse(text) as { readonly query: string; readonly variables?: unknown };
      query.value = body.query;
      variables.value = pretty(body.variables);
    };
    watch(() => props.modelValue, read, { immediate: true });
    watch([query, variables], () => {
      emit("update:modelValue", bodyOf(query.value, variables.value));
    });
    watch(
      problems,
      (found) => {
        emit(
          "problems",
          found.map(({ text }) => text),
        );
      },
      { immediate: true },
    );

    const marks = (): Diagnostic[] =>
      problems.value.flatMap(({ text, mark }) =>
        mark === null ? [] : [{ ...mark, severity: "error" as const, message: text }],
      );
    const queryLanguage: readonly Extension[] = [
      graphqlLanguageSupport(),
      completion,
      stateExtensions(schema),
      linter(marks, { delay: 200 }),
    ];
    return () => [
      h(Editor, {
        label: "Query, GraphQL",
        describedBy: props.describedBy,
        extensions: queryLanguage,
        modelValue: query.value,
        "onUpdate:modelValue": (text: string) => (query.value = text),
      }),
      h("h3", { class: "console-title" }, "Variables"),
      h(Editor, {
        class: "console-variables",
        label: "Variables, JSON",
        describedBy: props.describedBy,
        extensions: [json()],
        modelValue: variables.value,
        "onUpdate:modelValue": (text: string) => (variables.value = text),
      }),
    ];
  },
});

/** The body as it is sent. Variables are sent as they are typed, also if they are not JSON. */
const bodyOf = (query: string, variables: string): string => {
  const members = [
    `"query": ${JSON.stringify(query)}`,
    ...(variables.trim() === "" ? [] : [`"variables": ${variables}`]),
  ];
  return `{\n  ${members.join(",\n  ")}\n}`;
};

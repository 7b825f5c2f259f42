import type { Extension } from "@codemirror/state";
import {
  computed,
  defineAsyncComponent,
  defineComponent,
  h,
  nextTick,
  onMounted,
  ref,
  shallowRef,
  type PropType,
  type VNode,
} from "vue";
import { withBase } from "vitepress";
import { AnswerView } from "./answer-view.ts";
import { copiesOf } from "./copies.ts";
import { ExistingIds } from "./existing-ids.ts";
import { fieldOf } from "./fields.ts";
import { formOf, pretty, type Form, type FormProblem } from "./form.ts";
import { exchanges, remember, type Exchange } from "./history.ts";
import { jsonOf } from "./json-language.ts";
import { loadOperation, type BodyData, type OperationData } from "./operation-data.ts";
import { send, type Answer } from "./send.ts";
import { loadingPlatform } from "./loading-platform.ts";
import { TargetChoice } from "./target-choice.ts";
import { choice } from "./targets.ts";
import { formatTime } from "./units.ts";
import { lookForServer } from "../served-here.ts";
import "./console.css";

const Editor = defineAsyncComponent(async () => (await import("./editor.ts")).Editor);
const GraphqlBody = defineAsyncComponent(
  async () => (await import("./graphql-body.ts")).GraphqlBody,
);

/** The console of an operation, when its data is there. */
export const ConsolePanel = defineComponent({
  name: "ConsolePanel",
  props: { operation: { type: String, required: true } },
  setup(props) {
    const data = shallowRef<OperationData>();
    const problem = ref("");
    const load = async (): Promise<void> => {
      problem.value = "";
      data.value = await loadOperation(props.operation).catch((error: unknown) => {
        problem.value = (error as Error).message;
        return undefined;
      });
    };
    onMounted(() => Promise.all([load(), lookForServer()]));
    return () => {
      if (data.value !== undefined) return h(OperationForm, { operation: data.value });
      if (problem.value === "") return h("p", { role: "status" }, "Loading the form …");
      return h("div", [
        h("p", { role: "alert", class: "console-problem" }, problem.value),
        h("button", { type: "button", class: "console-button", onClick: load }, "Try again"),
      ]);
    };
  },
});

const OperationForm = defineComponent({
  name: "OperationForm",
  props: { operation: { type: Object as PropType<OperationData>, required: true } },
  setup({ operation }) {
    const form = formOf(operation);
    const isSending = ref(false);
    const failure = ref("");
    const shown = shallowRef<Answer>();
    const copied = ref("");
    const results = shallowRef<HTMLElement>();
    const problems = form.problems;
    const bodyProblems = computed(() => problems.value.filter(({ field }) => field === null));

    const submit = async (): Promise<void> => {
      if (isSending.value) return;
      isSending.value = true;
      failure.value = "";
      try {
        const answer = await send(operation, form.request.value);
        shown.value = answer;
        const { id: operationId, collection, method } = operation;
        remember({ operationId, collection, method, answer });
      } catch (error) {
        shown.value = undefined;
        failure.value = (error as Error).message;
      } finally {
        isSending.value = false;
        await nextTick();
        results.value?.scrollIntoView({ block: "nearest" });
      }
    };

    const copy = async (language: string, text: () => string): Promise<void> => {
      copied.value = await navigator.clipboard.writeText(text()).then(
        () => `Copied as ${language}.`,
        () => "The browser refuses to copy.",
      );
    };

    const editorExtensions: readonly Extension[] =
      operation.body === null || operation.body.graphql !== undefined
        ? []
        : jsonOf(operation.body.schema, operation.components, () =>
            bodyProblems.value.flatMap(({ path, text }) =>
              path === undefined ? [] : [{ path, message: text }],
            ),
          );

    return () =>
      h("div", { class: "console-columns" }, [
        h(
          "form",
          {
            class: "console-form",
            novalidate: true,
            onSubmit: (event: Event) => {
              event.preventDefault();
              void submit();
            },
            onKeydown: (event: KeyboardEvent) => {
              if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
              event.preventDefault();
              void submit();
            },
          },
          [
            h(TargetChoice),
            operation.listOfIds === undefined
              ? null
              : h(ExistingIds, { operation, form, list: operation.listOfIds }),
            inputs(operation, form),
            bodyPart(operation.body, form, bodyProblems.value, editorExtensions),
            h("div", { class: "console-actions" }, [
              h(
                "button",
                { type: "submit", class: "console-send", "aria-disabled": isSending.value },
                isSending.value ? "Sending …" : problems.value.length > 0 ? "Send anyway" : "Send",
              ),
              h("span", { class: "console-count", role: "status" }, countText(problems.value)),
              isSending.value && choice.kind === "page" ? loadingPlatform() : null,
              h("span", { class: "console-copies" }, [
                "Copy as ",
                ...copiesOf(operation, form.request.value.input).map(([language, text]) =>
                  h(
                    "button",
                    {
                      type: "button",
                      class: "console-button",
                      onClick: () => void copy(language, text),
                    },
                    language,
                  ),
                ),
                h("span", { role: "status" }, copied.value),
              ]),
            ]),
          ],
        ),
        h("div", { class: "console-results", ref: results }, [
          h("h2", { class: "console-title" }, "Response"),
          failure.value === ""
            ? null
            : h("p", { role: "alert", class: "console-problem" }, failure.value),
          shown.value === undefined
            ? failure.value === ""
              ? h("p", { class: "console-empty" }, "Nothing was sent yet.")
              : null
            : h(AnswerView, { answer: shown.value }),
          historyPart(operation.id, (exchange) => {
            failure.value = "";
            shown.value = exchange.answer;
          }),
        ]),
      ]);
  },
});

const countText = ({ length }: readonly FormProblem[]): string =>
  length === 0 ? "" : length === 1 ? "1 problem" : `${length} problems`;

function inputs(operation: OperationData, form: Form): VNode {
  const problems = form.problems.value;
  const fields = [...form.parameters, ...form.members];
  const required = fields.filter((field) => field.required);
  const optional = fields.filter((field) => !field.required);
  const all = (part: typeof fields): VNode[] =>
    part.map((field) => fieldOf({ operation, form, field, problems }));
  if (required.length === 0 && operation.body === null) {
    return h("div", { class: "console-fields" }, all(optional));
  }
  return h("div", [
    required.length === 0 ? null : h("div", { class: "console-fields" }, all(required)),
    optional.length === 0
      ? null
      : h("details", [
          h("summary", `Optional parameters (${optional.length})`),
          h("div", { class: "console-fields" }, all(optional)),
        ]),
  ]);
}

function bodyPart(
  body: BodyData | null,
  form: Form,
  problems: readonly FormProblem[],
  extensions: readonly Extension[],
): VNode | null {
  const { json } = form;
  if (body === null || json === null) return null;
  const help = "console-body-help";
  return h("div", { class: "console-json" }, [
    h("div", { class: "console-json-head" }, [
      h("h2", { class: "console-title" }, body.graphql === undefined ? "Body" : "Query"),
      body.examples.length < 2
        ? null
        : h("label", [
            "Example ",
            h(
              "select",
              {
                onChange: (event: Event) => {
                  const index = Number((event.target as HTMLSelectElement).value);
                  json.value = pretty(body.examples[index]?.value);
                },
              },
              body.examples.map(({ title }, index) => h("option", { value: index }, title)),
            ),
          ]),
    ]),
    body.graphql === undefined
      ? h(Editor, {
          label: "Body, JSON",
          describedBy: help,
          extensions,
          modelValue: json.value,
          "onUpdate:modelValue": (text: string) => (json.value = text),
        })
      : h(GraphqlBody, {
          schema: body.graphql,
          describedBy: help,
          modelValue: json.value,
          "onUpdate:modelValue": (text: string) => (json.value = text),
          onProblems: (texts: readonly string[]) => {
            form.queryProblems.value = texts.map((text) => ({ field: null, text }));
          },
        }),
    h("div", { id: help, class: "console-help", "aria-live": "polite" }, [
      ...problems.slice(0, 5).map(({ text }) => h("p", { class: "console-problem" }, text)),
      problems.length > 5 ? h("p", `and ${problems.length - 5} more`) : null,
      problems.length === 0
        ? h("p", ["Ctrl-Space completes names and values; Ctrl-Enter sends."])
        : null,
    ]),
  ]);
}

function historyPart(current: string, show: (exchange: Exchange) => void): VNode | null {
  if (exchanges.length === 0) return null;
  return h("details", { class: "console-history" }, [
    h("summary", `Sent since this page was loaded (${exchanges.length})`),
    h(
      "ol",
      exchanges.map((exchange) =>
        h("li", { key: exchange.number }, [
          h(
            "button",
            { type: "button", class: "console-link", onClick: () => show(exchange) },
            `${exchange.answer.status}, ${formatTime(exchange.answer.milliseconds)}: ${exchange.method.toUpperCase()} ${decodeURI(exchange.answer.address)}, to ${exchange.answer.server}`,
          ),
          exchange.operationId === current
            ? null
            : h(
                "a",
                {
                  href: withBase(`/reference/${exchange.collection}/${exchange.operationId}.html`),
                },
                exchange.operationId,
              ),
        ]),
      ),
    ),
  ]);
}

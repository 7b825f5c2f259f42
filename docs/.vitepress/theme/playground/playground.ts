import {
  explainFilter,
  parseFilter,
  printFilter,
  type Explanation,
  type Fields,
  type Filter,
} from "@security-platform/fql";
import {
  computed,
  defineAsyncComponent,
  defineComponent,
  h,
  onBeforeUnmount,
  onMounted,
  ref,
  shallowRef,
  watch,
  type VNode,
} from "vue";
import { withBase } from "vitepress";
import { platformState } from "../console/platform.ts";
import { builderCode } from "./builder-code.ts";
import { countMatches } from "./count.ts";
import { loadFields, loadFilters, type FilteredOperation } from "./filter-data.ts";
import { fqlOf, issuesOf, issueText } from "./fql-language.ts";
import { sentenceOf } from "./sentence.ts";
import "../console/console.css";
import "./playground.css";

const Editor = defineAsyncComponent(async () => (await import("../console/editor.ts")).Editor);

/** Milliseconds without typing after which the platform counts. */
const pause = 400;

const usualOperation = "indicator.combined.v1";
const usualFilter = "type:['domain','ipv4']+severity:'high'";

/** A filter that is checked, explained and counted while it is typed. */
export const Playground = defineComponent({
  name: "FilterPlayground",
  props: {
    /** Keeps the filter in the URL, so that it can be shared. */
    isShared: { type: Boolean, default: false },
  },
  setup(props) {
    const operations = shallowRef<readonly FilteredOperation[]>([]);
    const chosen = ref(usualOperation);
    const text = ref(usualFilter);
    const fields = shallowRef<Fields>();
    /** The resource of these fields. */
    const shown = ref("");
    const problem = ref("");
    const count = ref<number>();
    const isCounting = ref(false);

    const operation = computed(() => operations.value.find(({ id }) => id === chosen.value));
    const issues = computed(() =>
      fields.value === undefined ? [] : issuesOf(text.value, fields.value),
    );
    const filter = computed((): Filter | null => {
      if (issues.value.length > 0 || fields.value === undefined) return null;
      return parseFilter(text.value);
    });

    const hash = computed(
      () => `#${new URLSearchParams({ operation: chosen.value, filter: text.value }).toString()}`,
    );

    const showProblem = (error: unknown): void => {
      problem.value = (error as Error).message;
    };

    const chooseFields = async (): Promise<void> => {
      const { resource } = operation.value ?? {};
      if (resource === undefined) return;
      problem.value = "";
      try {
        fields.value = await loadFields(resource);
        shown.value = resource;
      } catch (error) {
        showProblem(error);
      }
    };

    const readAddress = (): void => {
      if (!props.isShared) return;
      const shared = new URLSearchParams(location.hash.slice(1));
      const id = shared.get("operation");
      if (operations.value.some((each) => each.id === id)) chosen.value = id ?? usualOperation;
      text.value = shared.get("filter") ?? text.value;
    };

    const writeAddress = (): void => {
      if (!props.isShared) return;
      // The router of the site keeps its own state with each address.
      history.replaceState(history.state, "", hash.value);
    };

    const runCount = async (): Promise<void> => {
      if (filter.value === null) return;
      const asked = text.value;
      isCounting.value = true;
      problem.value = "";
      try {
        const matches = await countMatches(chosen.value, asked);
        if (asked === text.value) count.value = matches;
      } catch (error) {
        showProblem(error);
      } finally {
        isCounting.value = false;
      }
    };

    onMounted(async () => {
      addEventListener("hashchange", readAddress);
      await loadFilters().then((loaded) => (operations.value = loaded), showProblem);
      readAddress();
      await chooseFields();
    });

    let timer: ReturnType<typeof setTimeout> | undefined;
    onBeforeUnmount(() => {
      removeEventListener("hashchange", readAddress);
      clearTimeout(timer);
    });

    watch(chosen, chooseFields);
    watch([chosen, text], () => {
      count.value = undefined;
      writeAddress();
    });
    watch(filter, () => {
      clearTimeout(timer);
      if (filter.value === null || platformState.phase !== "ready") return;
      timer = setTimeout(() => void runCount(), pause);
    });

    const shareButton = (): VNode | null =>
      props.isShared
        ? h(
            "button",
            {
              type: "button",
              class: "console-button",
              "data-copy": `${location.origin}${location.pathname}${hash.value}`,
            },
            "Copy the link",
          )
        : null;

    const extensions = computed(() => (fields.value === undefined ? [] : fqlOf(fields.value)));
    return () =>
      h("div", { class: "playground" }, [
        operationChoice(operations.value, chosen.value, (id) => (chosen.value = id)),
        h(Editor, {
          // The editor reads its language once.
          key: shown.value,
          label: "Filter",
          describedBy: "playground-issues",
          extensions: extensions.value,
          modelValue: text.value,
          "onUpdate:modelValue": (typed: string) => (text.value = typed),
        }),
        h(
          "div",
          { id: "playground-issues", "aria-live": "polite" },
          issues.value.map((issue) =>
            h("div", { class: "playground-issue" }, [
              h("p", { class: "console-problem" }, `Offset ${issue.offset}: ${issueText(issue)}`),
              h("pre", { class: "playground-caret" }, issue.excerpt),
            ]),
          ),
        ),
        problem.value === ""
          ? null
          : h("p", { role: "alert", class: "console-problem" }, problem.value),
        countPart({
          count: count.value,
          isBusy: isCounting.value,
          isPossible: filter.value !== null,
          run: () => void runCount(),
          share: shareButton(),
        }),
        filter.value === null || fields.value === undefined || operation.value === undefined
          ? null
          : meaningPart(filter.value, fields.value, operation.value),
      ]);
  },
});

function operationChoice(
  operations: readonly FilteredOperation[],
  chosen: string,
  choose: (id: string) => void,
): VNode {
  const groups = Map.groupBy(operations, ({ tag }) => tag);
  return h("div", { class: "console-field" }, [
    h("label", { for: "playground-operation" }, "Fields of"),
    h(
      "select",
      {
        id: "playground-operation",
        value: chosen,
        onChange: (event: Event) => choose((event.target as HTMLSelectElement).value),
      },
      [...groups].map(([tag, members]) =>
        h(
          "optgroup",
          { label: tag },
          members.map(({ id, title }) =>
            h("option", { value: id, selected: id === chosen }, title),
          ),
        ),
      ),
    ),
  ]);
}

function countPart({
  count,
  isBusy,
  isPossible,
  run,
  share,
}: {
  readonly count: number | undefined;
  readonly isBusy: boolean;
  readonly isPossible: boolean;
  readonly run: () => void;
  readonly share: VNode | null;
}): VNode {
  const { phase } = platformState;
  const progress =
    phase === "loading"
      ? "Loading the platform …"
      : phase === "starting"
        ? "Starting the platform …"
        : "Counting …";
  const result =
    count === undefined
      ? ""
      : count === 1
        ? "1 record of the demo matches."
        : `${count} records of the demo match.`;
  return h("div", { class: "playground-count" }, [
    h(
      "button",
      {
        type: "button",
        class: "console-button",
        "aria-disabled": isBusy || !isPossible,
        onClick: run,
      },
      "Count in the demo",
    ),
    h("span", { role: "status" }, isBusy ? progress : result),
    share,
  ]);
}

function meaningPart(filter: Filter, fields: Fields, operation: FilteredOperation): VNode {
  const explanation = explainFilter(filter, fields);
  return h("div", { class: "playground-meaning" }, [
    h("h2", { class: "console-title" }, "In words"),
    h("p", { class: "playground-sentence" }, sentenceOf(explanation)),
    h("h2", { class: "console-title" }, "As a tree"),
    h("ul", { class: "playground-tree" }, [treeOf(explanation)]),
    h("h2", { class: "console-title" }, "In its shortest form"),
    h(
      "pre",
      { class: "console-body", tabindex: 0, role: "region", "aria-label": "Shortest form" },
      printFilter(filter) || "(no filter)",
    ),
    h("h2", { class: "console-title" }, "With the client"),
    h(
      "pre",
      { class: "console-body", tabindex: 0, role: "region", "aria-label": "TypeScript" },
      builderCode(filter, operation.resource, fields),
    ),
    h("p", { class: "console-help" }, [
      "The fields are those of ",
      h(
        "a",
        { href: withBase(`/reference/${operation.collection}/${operation.id}.html`) },
        operation.title,
      ),
      ".",
    ]),
  ]);
}

const headings = { and: "all of these are true", or: "at least one of these is true" };

function treeOf(explanation: Explanation): VNode {
  if (explanation.kind === "condition") return h("li", explanation.text);
  if (explanation.parts.length === 0) return h("li", "all records");
  return h("li", [h("strong", headings[explanation.kind]), h("ul", explanation.parts.map(treeOf))]);
}

import { defineAsyncComponent, defineComponent, h, ref } from "vue";

const ConsolePanel = defineAsyncComponent(
  async () => (await import("./console-panel.ts")).ConsolePanel,
);

/** Whether the console is open. It stays so on the pages of other operations. */
const isOpen = ref(false);

/** The console of an operation: a button until it is used, so that pages stay small. */
export const OperationConsole = defineComponent({
  name: "OperationConsole",
  props: { operation: { type: String, required: true } },
  setup: (props) => () =>
    h("section", { class: "console", "aria-label": "Try it" }, [
      h("div", { class: "console-head" }, [
        h(
          "button",
          {
            type: "button",
            class: "console-open",
            "aria-expanded": isOpen.value,
            onClick: () => (isOpen.value = !isOpen.value),
          },
          isOpen.value ? "Close the console" : "Try it",
        ),
        isOpen.value ? null : h("span", "in this page, or on your own server"),
      ]),
      isOpen.value ? h(ConsolePanel, { operation: props.operation, key: props.operation }) : null,
    ]),
});

import { defineAsyncComponent, defineComponent, h, onMounted, ref } from "vue";

const Playground = defineAsyncComponent(async () => (await import("./playground.ts")).Playground);

/** The playground for filters. On its own page it is there at once, elsewhere a button opens it. */
export const FilterPlayground = defineComponent({
  name: "FilterPlaygroundPlace",
  props: { isShared: { type: Boolean, default: false } },
  setup(props) {
    const isOpen = ref(false);
    // Not while the page is rendered for the server, because the editor needs a browser.
    onMounted(() => {
      isOpen.value = props.isShared;
    });
    return () =>
      h(
        "section",
        {
          class: ["console", { "console-reserved": props.isShared }],
          "aria-label": "Filter playground",
        },
        [
          isOpen.value
            ? h(Playground, { isShared: props.isShared })
            : h("div", { class: "console-head" }, [
                h(
                  "button",
                  { type: "button", class: "console-open", onClick: () => (isOpen.value = true) },
                  "Try a filter",
                ),
                h("span", "explained while you type"),
              ]),
        ],
      );
  },
});

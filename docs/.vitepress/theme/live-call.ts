import { computed, defineAsyncComponent, defineComponent, h, ref, shallowRef } from "vue";
import { loadingPlatform } from "./console/loading-platform.ts";
import type { Answer } from "./console/send.ts";

const AnswerView = defineAsyncComponent(
  async () => (await import("./console/answer-view.ts")).AnswerView,
);

interface Call {
  readonly title: string;
  readonly operation: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | number>>;
}

/** What a reader can send from the home page. Each is a read, and the last one has a mistake. */
export const liveCalls: readonly [Call, ...Call[]] = [
  {
    title: "Indicators that block",
    operation: "indicator.combined.v1",
    path: "/iocs/combined/indicator/v1",
    query: { limit: 2, filter: "action:'prevent'+expired:false" },
  },
  {
    title: "Hosts with Windows",
    operation: "queryCombinedGroupMembers",
    path: "/devices/combined/host-group-members/v1",
    query: { limit: 2, filter: "platform_name:'Windows'" },
  },
  {
    title: "Prevention policies",
    operation: "queryCombinedPreventionPolicies",
    path: "/policy/combined/prevention/v1",
    query: { limit: 1 },
  },
  {
    title: "A filter with a mistake",
    operation: "indicator.combined.v1",
    path: "/iocs/combined/indicator/v1",
    query: { filter: "severty:'high'" },
  },
];

const textOf = ({ path, query }: Call): string =>
  `GET ${path}?${Object.entries(query)
    .map(([name, value]) => `${name}=${value}`)
    .join("&")}`;

/** A call to the platform in the page. Nothing is loaded before the reader sends it. */
export const LiveCall = defineComponent({
  name: "LiveCall",
  setup() {
    const chosen = ref(0);
    const call = computed(() => liveCalls[chosen.value] ?? liveCalls[0]);
    const isSending = ref(false);
    const problem = ref("");
    const answer = shallowRef<Answer>();
    const send = async (): Promise<void> => {
      if (isSending.value) return;
      isSending.value = true;
      problem.value = "";
      try {
        const { sendCall } = await import("./live-call-send.ts");
        answer.value = await sendCall(call.value.operation, call.value.query);
      } catch (error) {
        answer.value = undefined;
        problem.value = (error as Error).message;
      } finally {
        isSending.value = false;
      }
    };
    return () =>
      h("section", { class: "live-call", "aria-label": "A live call" }, [
        h("div", { class: "live-call-head" }, [
          h("label", [
            h("span", { class: "visually-hidden" }, "Call to send"),
            h(
              "select",
              {
                value: chosen.value,
                onChange: (event: Event) => {
                  chosen.value = Number((event.target as HTMLSelectElement).value);
                  answer.value = undefined;
                },
              },
              liveCalls.map(({ title }, index) => h("option", { value: index }, title)),
            ),
          ]),
          h(
            "button",
            {
              type: "button",
              class: "live-call-send",
              "aria-disabled": isSending.value,
              onClick: send,
            },
            isSending.value ? "Sending …" : "Send it",
          ),
        ]),
        h("pre", { class: "live-call-request", tabindex: 0 }, h("code", textOf(call.value))),
        h("div", { class: "live-call-answer", "aria-live": "polite" }, [
          problem.value === ""
            ? null
            : h("p", { role: "alert", class: "console-problem" }, problem.value),
          isSending.value ? loadingPlatform() : null,
          answer.value === undefined
            ? problem.value === "" && !isSending.value
              ? h(
                  "p",
                  "The real server answers in this page: it is loaded with the first call (1.3 MB). Nothing leaves your browser.",
                )
              : null
            : h(AnswerView, { answer: answer.value }),
        ]),
      ]);
  },
});

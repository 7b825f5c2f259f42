import { defineComponent, h, ref, type VNode } from "vue";
import { loadingPlatform } from "./loading-platform.ts";
import { platformInPage, platformState, resetPlatform } from "./platform.ts";
import { forgetTokens } from "./send.ts";
import { allowsOtherServers, demoClient, isServedHere, type DemoClient } from "../served-here.ts";
import { choice, type TargetKind } from "./targets.ts";

const labels: Readonly<Record<TargetKind, string>> = {
  page: "The platform in this page",
  here: "This server",
  other: "Another server",
};

/** Where requests go to, with the state of the platform in the page or the credentials of a server. */
export const TargetChoice = defineComponent({
  name: "TargetChoice",
  setup() {
    const message = ref("");
    const reset = async (): Promise<void> => {
      message.value = "";
      try {
        await resetPlatform();
        forgetTokens();
        message.value = "The records are those of the demo again.";
      } catch {
        // The state of the platform says why.
      }
    };
    const kinds = (): readonly TargetKind[] => [
      "page",
      ...(isServedHere.value ? (["here"] as const) : []),
      ...(allowsOtherServers.value ? (["other"] as const) : []),
    ];
    return () =>
      h("fieldset", { class: "console-target" }, [
        h("legend", "Send to"),
        h(
          "div",
          { class: "console-choices" },
          kinds().map((kind) =>
            h("label", { key: kind }, [
              h("input", {
                type: "radio",
                name: "console-target",
                value: kind,
                checked: choice.kind === kind,
                onChange: () => (choice.kind = kind),
              }),
              ` ${labels[kind]}`,
            ]),
          ),
        ),
        choice.kind === "page" ? platformLine(reset, message.value) : credentialFields(choice.kind),
      ]);
  },
});

function platformLine(reset: () => Promise<void>, message: string): VNode {
  const { phase, problem } = platformState;
  const button = (text: string, onClick: () => void): VNode =>
    h("button", { type: "button", class: "console-button", onClick }, text);
  const start = (): void => void platformInPage().catch(() => undefined);
  switch (phase) {
    case "absent":
      return h("div", { class: "console-platform" }, [
        h(
          "p",
          { role: "status" },
          "It starts with the first request, with the records of the demo. Nothing leaves this page.",
        ),
        button("Start it now", start),
      ]);
    case "loading":
    case "starting":
      return h("div", { class: "console-platform" }, [loadingPlatform()]);
    case "failed":
      return h("div", { class: "console-platform" }, [
        h("p", { role: "alert", class: "console-problem" }, problem),
        button("Try again", start),
      ]);
    case "ready":
      return h("div", { class: "console-platform" }, [
        h(
          "p",
          { role: "status" },
          message ||
            "Running in this page, with the records of the demo. Reloading the page discards changes.",
        ),
        button("Reset the records", () => void reset()),
      ]);
  }
}

const demoButton = ({ clientId, clientSecret }: DemoClient): VNode =>
  h(
    "button",
    {
      type: "button",
      class: "console-button",
      onClick: () => Object.assign(choice.here, { clientId, clientSecret }),
    },
    "Use the demo client",
  );

function credentialFields(kind: "here" | "other"): VNode {
  const target = choice[kind];
  const field = (
    label: string,
    name: keyof typeof target | "baseUrl",
    attributes: Readonly<Record<string, unknown>>,
  ): VNode => {
    const id = `console-target-${name}`;
    const values = target as Record<string, string>;
    return h("div", { class: "console-field" }, [
      h("label", { for: id }, label),
      h("input", {
        id,
        autocomplete: "off",
        autocapitalize: "off",
        spellcheck: false,
        value: values[name],
        onInput: (event: Event) => (values[name] = (event.target as HTMLInputElement).value),
        ...attributes,
      }),
    ]);
  };
  return h("div", { class: "console-credentials" }, [
    kind === "here" && demoClient.value !== null ? demoButton(demoClient.value) : null,
    kind === "other"
      ? field("Base URL", "baseUrl", { type: "url", placeholder: "http://localhost:8080" })
      : null,
    field("Client id", "clientId", { type: "text" }),
    field("Client secret", "clientSecret", { type: "password" }),
    h(
      "p",
      { class: "console-help" },
      `The secret stays in the memory of this page, and is sent to ${kind === "here" ? location.origin : "this server"} only.`,
    ),
  ]);
}

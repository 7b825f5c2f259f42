/// <reference types="vitepress/client" />
import { h } from "vue";
import type { Theme } from "vitepress";
import Default from "vitepress/theme-without-fonts";
import { pageTop } from "./page-top.ts";
import { OperationConsole } from "./console/operation-console.ts";
import { copyOnClick } from "./copy-button.ts";
import { logo } from "./logo.ts";
import { DemoVariables } from "./demo-variables.ts";
import { FilterPlayground } from "./playground/filter-playground.ts";
import { LiveCall } from "./live-call.ts";
import { NotFound } from "./not-found.ts";
import { openTarget } from "./open-target.ts";
import { rememberSamples } from "./remember-samples.ts";
import { showThisServer } from "./this-server.ts";
import "../../generated/code-colors.css";
import "./style.css";

/** The default theme with system fonts, because the original loads a font from another host. */
const theme: Theme = {
  extends: Default,
  Layout: () =>
    h(Default.Layout, null, {
      "nav-bar-title-before": logo,
      "doc-before": () => h(pageTop),
      "not-found": () => h(NotFound),
    }),
  enhanceApp({ app }) {
    app.component("OperationConsole", OperationConsole);
    app.component("FilterPlayground", FilterPlayground);
    app.component("DemoVariables", DemoVariables);
    app.component("LiveCall", LiveCall);
  },
  setup() {
    copyOnClick();
    openTarget();
    rememberSamples();
    showThisServer();
  },
};

export default theme;

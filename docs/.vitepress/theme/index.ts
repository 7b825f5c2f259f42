/// <reference types="vitepress/client" />
import Theme from "vitepress/theme-without-fonts";
import type { Theme as VitePressTheme } from "vitepress";
import { copyOnClick } from "./copy-button.ts";
import { rememberSamples } from "./remember-samples.ts";
// oxlint-disable-next-line import/no-unassigned-import -- a style sheet has no value
import "./style.css";

/** The default theme with system fonts, because the original loads a font from another host. */
const theme: VitePressTheme = {
  extends: Theme,
  enhanceApp({ router }) {
    if (typeof document === "undefined") return;
    copyOnClick();
    rememberSamples(router);
  },
};

export default theme;

import { defineComponent, h, onMounted } from "vue";
import { demoClient, lookForServer, serverHere } from "./served-here.ts";

/** The variables of the samples for the demo of the server that serves this page, to be copied. Nothing without one. */
export const DemoVariables = defineComponent({
  name: "DemoVariables",
  setup() {
    onMounted(lookForServer);
    return () => {
      if (demoClient.value === null) return null;
      const { clientId, clientSecret } = demoClient.value;
      const lines = [
        `export BASE_URL=${serverHere()}`,
        `export CLIENT_ID=${clientId}`,
        `export CLIENT_SECRET=${clientSecret}`,
        "export TOKEN=$(curl -s $BASE_URL/oauth2/token -d client_id=$CLIENT_ID -d client_secret=$CLIENT_SECRET |",
        `  sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
      ].join("\n");
      return h("details", { class: "demo-variables" }, [
        h("summary", "The variables for the demo of this server"),
        h("pre", { tabindex: 0 }, h("code", lines)),
        h("button", { type: "button", class: "copy-button", "data-copy": lines }, "Copy"),
      ]);
    };
  },
});

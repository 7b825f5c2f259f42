/** A module that is compiled to CommonJS. */
import client = require("@security-platform/client");
import ioc = require("@security-platform/client/ioc");

const connection = client.createClient();
connection.ioc
  .listIndicators({ limit: 2 })
  .then(({ data }: { readonly data: readonly ioc.Indicator[] }) => {
    console.log("indicators:", data.length);
    return connection.close();
  })
  .catch((error: unknown) => {
    console.log(error instanceof client.ClientError, error);
  });

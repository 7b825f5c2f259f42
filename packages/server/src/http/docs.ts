import helmet from "@fastify/helmet";
import staticFiles from "@fastify/static";
import type { FastifyInstance } from "fastify";

/** Serves the built documentation site under `/docs`; its pages may load nothing from elsewhere. */
export async function serveDocs(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(async (docs) => {
    await docs.register(helmet, {
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          // The site generator writes small inline scripts and styles into its pages.
          scriptSrc: ["'self'", "'unsafe-inline'"],
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", "data:"],
          workerSrc: ["'self'", "blob:"],
          frameAncestors: ["'none'"],
        },
      },
      // The site is served over plain HTTP on a laptop, so HSTS has no use.
      strictTransportSecurity: false,
    });
    await docs.register(staticFiles, { root: folder, prefix: "/docs/", redirect: true });
    docs.get("/docs", (_request, reply) => reply.redirect("/docs/"));
    docs.get("/", (_request, reply) => reply.redirect("/docs/"));
  });
}

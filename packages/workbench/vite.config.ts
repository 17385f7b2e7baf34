import react from "@vitejs/plugin-react"
import { defineConfig, type Plugin } from "vite"

export default defineConfig({
  plugins: [react(), withoutWork()],
  // The page is built from the sources of the other packages, as tests are.
  resolve: { conditions: ["haft-source", "module", "browser", "production"] },
  // The server puts a fresh value in its place for every response.
  html: { cspNonce: "__NONCE__" },
  build: {
    target: "es2023",
    outDir: "dist",
    emptyOutDir: true,
    // A data: address would be one more kind of source in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // For the notices of the installed package.
    license: true,
  },
})

/**
 * Leaves out what the page never runs: the work of tools, which they import at a call, and the validator of the form
 * library, which makes code from strings.
 */
function withoutWork(): Plugin {
  const nothing = "\0nothing"
  const isWork = (id: string, importer = "") =>
    /\/(execute|preview)\.js$/.test(id) && /packages\/(tools|dialects)\//.test(importer)
  const packages = ["@rjsf/validator-ajv8", "iconv-lite", "jschardet"]
  return {
    name: "haft-without-work",
    enforce: "pre",
    resolveId: (id, importer) => (isWork(id, importer) || packages.includes(id) ? nothing : undefined),
    load: (id) => (id === nothing ? "export default {}" : undefined),
  }
}

import { ToolError } from "@haft/contract"
import type { ProcessPorts } from "./process-ports.js"

/** Loads the process ports when the first process is wanted: most calls start none, and every run pays for what it loads. */
export function lazyProcessPorts(load: () => Promise<ProcessPorts>): ProcessPorts {
  let loading: Promise<ProcessPorts> | undefined
  let loaded: ProcessPorts | undefined
  let isClosed = false
  // Whoever kept a port of a session starts nothing after its end, when nobody is left to stop it.
  const assertOpen = () => {
    if (!isClosed) return
    throw new ToolError("cancelled", "Cannot start a process: the session is closed; open another one")
  }
  const ports = async (): Promise<ProcessPorts> => {
    assertOpen()
    loading ??= load()
    loaded = await loading
    assertOpen()
    return loaded
  }
  return {
    commands: (call) => ({
      run: async (request) => (await ports()).commands(call).run(request),
      find: async (program) => (await ports()).commands(call).find(program),
      obtain: async (program) => (await ports()).commands(call).obtain?.(program),
      denies: (kind, path) => call.grant.denies(kind, path),
    }),
    jobs: (call) => ({
      start: async (request) => (await ports()).jobs(call).start(request),
      output: async (id, options) => (await ports()).jobs(call).output(id, options),
      input: async (id, text) => (await ports()).jobs(call).input(id, text),
      stop: async (id) => (await ports()).jobs(call).stop(id),
      list: () => loaded?.jobs(call).list() ?? [],
    }),
    repl: (call) => ({ evaluate: async (request) => (await ports()).repl(call).evaluate(request) }),
    box: (call) => ({ run: async (request) => (await ports()).box(call).run(request) }),
    languages: (call) => ({
      ask: async (request) => (await ports()).languages(call).ask(request),
      // A server that was never asked for is not running.
      afterWrite: async (path) => loaded?.languages(call).afterWrite(path),
    }),
    maskCoverage: async (rules) => (await ports()).maskCoverage(rules),
    // Before the first process there is none that could be too free. One that is about to start knows its own moment.
    rulesChanged: async (rules) => (await loading)?.rulesChanged(rules) ?? [],
    watched: (files) => loaded?.watched(files) ?? files,
    async close() {
      isClosed = true
      await (await loading)?.close()
    },
  }
}

import {
  bestEffort,
  type CallScope,
  type Clipboard,
  type Compute,
  defaultWebSearchSettings,
  type LauncherIndex,
  type SessionPorts,
  type Settings,
  type Skills,
  ToolError,
  type WebSearchSettings,
} from "@haft/contract"
import type { NetworkOptions } from "./network/index.js"

/** The ports beside files and processes. */
export type ServicePorts = Pick<
  SessionPorts,
  "network" | "compute" | "clipboard" | "index" | "settings" | "skills" | "webSearchSettings"
> & {
  close(): Promise<void>
}

/** What the ports beside files and processes need. */
export interface ServiceOptions {
  readonly network: NetworkOptions
  /** Starts what does heavy work apart, when a call first has some. */
  readonly compute: () => Promise<OpenCompute>
  /** Opens the clipboard when a call first asks for it. */
  readonly clipboard: () => Promise<OpenClipboard>
  /** Opens the launcher's index when a call first asks for it; skills are among the things that it finds. */
  readonly launcher: (skills: Skills["list"]) => Promise<OpenIndex>
  /** Looks for skills when they are first asked for. */
  readonly skills: () => Promise<Skills>
  readonly webSearch?: WebSearchSettings
  /** The configuration as tools may see it; its files are not this package's concern. */
  readonly settings: (call: CallScope) => Settings
}

/** The heavy work of a session. */
export interface OpenCompute extends Compute {
  close(): Promise<void>
}

/** The clipboard of a session. */
export interface OpenClipboard {
  read(signal: AbortSignal): ReturnType<Clipboard["read"]>
  write(text: string, signal: AbortSignal): ReturnType<Clipboard["write"]>
}

/** The launcher's index of a session. */
export interface OpenIndex {
  /** The index inside the grant of one call. */
  index(call: CallScope): LauncherIndex
  close(): Promise<void>
}

/** Makes the ports beside files and processes. Each is loaded when a call first asks for it: most calls ask for none. */
export function createServicePorts(options: ServiceOptions): ServicePorts {
  const network = once(async () => (await import("./network/index.js")).createNetwork(options.network))
  const compute = once(options.compute)
  const clipboard = once(options.clipboard)
  const skills = once(options.skills)
  const launcher = once(() => options.launcher(async () => (await skills.get()).list()))
  return {
    network: (call) => ({
      fetch: async (request) => (await network.get()).network(call).fetch(request),
      open: async (request) => (await network.get()).network(call).open(request),
    }),
    compute: {
      pdfText: async (...given) => (await compute.get()).pdfText(...given),
      fitImage: async (...given) => (await compute.get()).fitImage(...given),
      convertHtml: async (...given) => (await compute.get()).convertHtml(...given),
      selectHtml: async (...given) => (await compute.get()).selectHtml(...given),
      calculate: async (...given) => (await compute.get()).calculate(...given),
      analyzeBash: async (...given) => (await compute.get()).analyzeBash?.(...given),
    },
    clipboard: ({ signal }) => ({
      read: async () => (await clipboard.get()).read(signal),
      write: async (text) => (await clipboard.get()).write(text, signal),
    }),
    index: (call) => ({
      search: async (query, how) => (await launcher.get()).index(call).search(query, how),
      recordUse: async (id) => (await launcher.get()).index(call).recordUse(id),
    }),
    settings: options.settings,
    webSearchSettings: options.webSearch ?? defaultWebSearchSettings,
    skills: {
      list: async () => (await skills.get()).list(),
      load: async (name) => (await skills.get()).load(name),
    },
    async close() {
      await (await network.started())?.close()
      await (await launcher.started())?.close()
      await (await compute.started())?.close()
    },
  }
}

/** The ports of a session that reaches nothing but files and processes. */
export const noServicePorts: ServicePorts = {
  network: () => ({ fetch: refuse, open: refuse }),
  compute: { pdfText: refuse, fitImage: refuse, convertHtml: refuse, selectHtml: refuse, calculate: refuse },
  clipboard: () => ({ read: refuse, write: refuse }),
  index: () => ({ search: refuse, recordUse: refuse }),
  settings: () => ({ get: refuse, set: refuse }),
  skills: { list: async () => [], load: refuse },
  webSearchSettings: defaultWebSearchSettings,
  close: async () => undefined,
}

async function refuse(): Promise<never> {
  throw new ToolError("not_configured", "Cannot reach it: this session was opened with files and processes alone", {
    fix: "Open the session with service options",
  })
}

/** Something that is made at its first use, once. */
function once<Value>(make: () => Promise<Value>): {
  get(): Promise<Value>
  /** Undefined when it was never asked for. */
  started(): Promise<Value | undefined>
} {
  let making: Promise<Value> | undefined
  return {
    get: () => {
      making ??= make()
      return making
    },
    started: async () => making && bestEffort("what could not be made needs no closing", making),
  }
}

import type {
  ApiAnswerRequest,
  ApiAnswerResult,
  ApiCallRequest,
  ApiCallResult,
  ApiChain,
  ApiCheck,
  ApiExplanation,
  ApiFileAtMoment,
  ApiFilesAtMoment,
  ApiMessageResult,
  ApiRecordedCall,
  ApiRuleSave,
  ApiRuleSaved,
  ApiRules,
  ApiRuleTests,
  ApiRuleTried,
  ApiRuleTry,
  ApiSearch,
  ApiServer,
  ApiServerLook,
  ApiSession,
  ApiSessionMade,
  ApiSetting,
  ApiSkills,
  ApiTimeline,
  ApiTool,
  ApiToolDetail,
  ApiTour,
  ApiUndoResult,
  ApiWorkspace,
  Locale,
} from "@haft/contract"
import { visibleText } from "@haft/faces"
import { request, send } from "./request.js"
import { SharedStreams } from "./shared-streams.js"

const of = (...parts: readonly string[]) => `/api/${parts.map(encodeURIComponent).join("/")}`
const get = <Result>(path: string, signal?: AbortSignal) => request<Result>("GET", path, { ...(signal && { signal }) })
/** The same for what is listed: names and sentences of others, in which nothing may hide or turn the text around. */
const list = async <Result>(path: string, signal?: AbortSignal): Promise<Result> => {
  const response = await send("GET", path, { ...(signal && { signal }) })
  const shown = (key: string, value: unknown) =>
    typeof value === "string" && ["title", "description", "subject", "reason"].includes(key)
      ? visibleText(value)
      : value
  return JSON.parse(await response.text(), shown) as Result
}
const post = <Result>(path: string, body: unknown = {}, signal?: AbortSignal) =>
  request<Result>("POST", path, { body, ...(signal && { signal }) })

/** Everything that the page asks the server. */
export const api = {
  workspace: (signal?: AbortSignal) => get<ApiWorkspace>(of("workspace"), signal),
  tools: (signal?: AbortSignal) => list<readonly ApiTool[]>(of("tools"), signal),
  tool: (id: string, signal?: AbortSignal) => list<ApiToolDetail>(of("tools", id), signal),
  search: (text: string, signal?: AbortSignal) =>
    list<ApiSearch>(`${of("search")}?q=${encodeURIComponent(text)}`, signal),

  sessions: (signal?: AbortSignal) => list<readonly ApiSession[]>(of("sessions"), signal),
  session: (id: string, signal?: AbortSignal) => list<ApiSession>(of("sessions", id), signal),
  openSession: () => post<ApiSessionMade>(of("sessions")),
  timeline: (id: string, from: string | undefined, signal?: AbortSignal) =>
    list<ApiTimeline>(`${of("sessions", id, "timeline")}${from ? `?from=${encodeURIComponent(from)}` : ""}`, signal),
  recorded: (id: string, call: string, signal?: AbortSignal) =>
    get<ApiRecordedCall>(of("sessions", id, "calls", call), signal),
  chain: (id: string, signal?: AbortSignal) => get<ApiChain>(of("sessions", id, "chain"), signal),
  files: (id: string, call: string, signal?: AbortSignal) =>
    get<ApiFilesAtMoment>(`${of("sessions", id, "files")}?at=${encodeURIComponent(call)}`, signal),
  file: (id: string, call: string, path: string, signal?: AbortSignal) =>
    get<ApiFileAtMoment>(
      `${of("sessions", id, "file")}?at=${encodeURIComponent(call)}&path=${encodeURIComponent(path)}`,
      signal,
    ),
  fork: (id: string, callId?: string) =>
    post<ApiSessionMade>(of("sessions", id, "fork"), callId === undefined ? {} : { callId }),
  exportSession: async (id: string) => (await send("GET", of("sessions", id, "export"))).blob(),
  importSession: (jsonl: string) => post<ApiSessionMade>(of("sessions", "import"), { jsonl }),
  abort: (id: string, what: { readonly turnId?: string; readonly callId?: string } = {}) =>
    post(of("sessions", id, "abort"), what),
  undo: (id: string, callId?: string) =>
    post<ApiUndoResult>(of("sessions", id, "undo"), callId === undefined ? {} : { callId }),
  message: (id: string, text: string) => post<ApiMessageResult>(of("sessions", id, "messages"), { text }),
  tour: (language: Locale) => post<ApiTour>(of("tour"), { language }),

  explain: (id: string, call: ApiCallRequest, signal?: AbortSignal) =>
    post<ApiExplanation>(of("sessions", id, "explain"), call, signal),
  call: (id: string, call: ApiCallRequest, signal?: AbortSignal) =>
    withCallSlot(() => post<ApiCallResult>(of("sessions", id, "calls"), { ...call, detail: true }, signal), signal),
  answer: (ask: string, answer: ApiAnswerRequest) =>
    post<ApiAnswerResult>(of("asks", ask), { ...answer, from: "the page" }),

  rules: (signal?: AbortSignal) => get<ApiRules>(of("rules"), signal),
  tryRules: (draft: ApiRuleTry, signal?: AbortSignal) => post<ApiRuleTried>(of("rules", "try"), draft, signal),
  testRules: () => post<ApiRuleTests>(of("rules", "test")),
  saveRule: (rule: ApiRuleSave) => post<ApiRuleSaved>(of("rules"), rule),

  servers: (signal?: AbortSignal) => list<readonly ApiServer[]>(of("servers"), signal),
  testServer: (name: string, entry: string) => post<ApiServerLook>(of("servers", name, "test"), { entry }),
  trustServer: (name: string, digest: string) => post(of("servers", name, "trust"), { digest }),
  skills: (signal?: AbortSignal) => list<ApiSkills>(of("skills"), signal),
  settings: (signal?: AbortSignal) => get<readonly ApiSetting[]>(of("settings"), signal),
  probe: () => post<readonly ApiCheck[]>(of("sandbox", "probe")),
  doctor: () => post<readonly ApiCheck[]>(of("doctor")),
}

/** The event streams, shared with the other tabs. */
export const streams = new SharedStreams()

/** The stream of what waits for the person, over all sessions. */
export const overviewTopic = of("events")

/** The stream of one session. */
export function sessionTopic(id: string): string {
  return of("sessions", id, "events")
}

// A call that asks keeps its connection until somebody answers, and the answer needs a connection too.
const slots = 2

/** Runs the work while one of the few connections for calls is ours, over all tabs of the browser. */
async function withCallSlot<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result> {
  for (let slot = 0; slot < slots; slot++) {
    const taken = await navigator.locks.request(`haft.call.${slot}`, { ifAvailable: true }, async (lock) =>
      lock ? { result: await work() } : undefined,
    )
    if (taken) return taken.result
  }
  const last = `haft.call.${Math.floor(Math.random() * slots)}`
  return navigator.locks.request(last, { ...(signal && { signal }) }, work)
}

import { defaultWebSearchSettings, ToolError } from "@haft/contract"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { providerIds } from "../shared/search/provider-id.js"
import { chooseProvider } from "./choose-provider.js"

const settings = defaultWebSearchSettings
const chosenBy = (sessions: readonly string[], used = settings) =>
  new Set(sessions.map((session) => chooseProvider(used, session).id))
const sessions = Array.from({ length: 1000 }, (_, index) => `ses_${index}`)

test("[C2-41] every call of a session gets the same provider", () => {
  fc.assert(
    fc.property(fc.string(), fc.subarray([...providerIds]), (session, ids) => {
      const endpoints = Object.fromEntries(ids.map((id) => [id, "http://127.0.0.1:1"]))
      const used = { ...settings, endpoints, keys: { tavily: "k", google: "k", baidu: "k" } }
      expect(chooseProvider(used, session).id).toBe(chooseProvider({ ...used }, session).id)
    }),
  )
})

test("[C2-41] sessions are spread over the providers that can be asked", () => {
  expect(chosenBy(sessions)).toEqual(new Set(["ddg", "wiki"]))
  expect(sessions.filter((session) => chooseProvider(settings, session).id === "ddg").length).toBeGreaterThan(400)
  expect(sessions.filter((session) => chooseProvider(settings, session).id === "wiki").length).toBeGreaterThan(400)
  const all = {
    ...settings,
    endpoints: { searxng: "http://x", sogou: "http://x", so360: "http://x", google: "http://x" },
    keys: { tavily: "k", brave: "k", google: "k", baidu: "k" },
  }
  expect(chosenBy(sessions, all)).toEqual(new Set(providerIds))
})

test("[C2-41] one provider more moves only the sessions that it takes", () => {
  const more = { ...settings, keys: { tavily: "k" } }
  const moved = sessions.filter((session) => chooseProvider(settings, session).id !== chooseProvider(more, session).id)
  expect(new Set(moved.map((session) => chooseProvider(more, session).id))).toEqual(new Set(["tavily"]))
})

test("what lacks its setting is not chosen", () => {
  const half = { ...settings, endpoints: { tavily: "http://x", searxng: " " }, keys: { searxng: "k", tavily: "" } }
  expect(chosenBy(sessions, half)).toEqual(new Set(["ddg", "wiki"]))
})

test("the configured provider wins, under each of its names", () => {
  expect(chosenBy(sessions, { ...settings, provider: "360" })).toEqual(new Set(["so360"]))
  expect(chosenBy(sessions, { ...settings, provider: "Tavily" })).toEqual(new Set(["tavily"]))
  expect(() => chooseProvider({ ...settings, provider: "constructor" }, "x")).toThrow(ToolError)
})

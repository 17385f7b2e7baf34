import { expect, test } from "vitest"
import { readManifest } from "./manifest.js"

const whole = {
  id: "sample",
  name: "Sample",
  version: "1.0.0",
  permissions: ["tools:register"],
  worker: "worker.mjs",
  tools: [
    {
      id: "hello",
      name: "Hello",
      description: "Says hello to somebody.",
      parameters: { type: "object", properties: {} },
    },
  ],
}

test("a whole manifest is read", () => {
  expect(readManifest(JSON.stringify(whole))).toMatchObject({ id: "sample", tools: [{ id: "hello" }] })
})

test.each([
  [{ ...whole, id: undefined }, '"id" is missing: a string'],
  [{ ...whole, permissions: "tools:register" }, '"permissions" must be a list, not "tools:register"'],
  [{ ...whole, workers: "x" }, '"workers" is not known'],
  [[], "it must be an object, not a list"],
])("what is wrong is said in our words: %#", (manifest, words) => {
  expect(() => readManifest(JSON.stringify(manifest))).toThrow(`Cannot use the extension: ${words}`)
})

import { ToolError } from "@haft/contract"
import { expect, test } from "vitest"
import { staticExecutor } from "./static-executor.js"

test("registered tools are chained and run on their JSON text", async () => {
  const executor = staticExecutor()
    .register("add", (input) => String(JSON.parse(input).a + JSON.parse(input).b))
    .register("echo", async (input) => input)
  expect(await executor.execute("add", '{"a":1,"b":2}')).toBe("3")
  expect(await executor.execute("echo", "{}")).toBe("{}")
})

test("an unknown name is not_found and names near ones", async () => {
  const executor = staticExecutor().register("read_file", () => "")
  await expect(executor.execute("read_fil", "{}")).rejects.toMatchObject({
    name: "ToolError",
    code: "not_found",
    hint: 'Did you mean "read_file"?',
  })
})

test("what a handler throws arrives as a ToolError", async () => {
  const executor = staticExecutor()
    .register("typed", () => {
      throw new ToolError("conflict", "no")
    })
    .register("plain", () => {
      throw new Error("boom")
    })
  await expect(executor.execute("typed", "{}")).rejects.toMatchObject({ code: "conflict" })
  await expect(executor.execute("plain", "{}")).rejects.toMatchObject({
    code: "internal",
    message: expect.stringContaining("boom"),
  })
})

test("a name is registered once", () => {
  expect(() =>
    staticExecutor()
      .register("a", () => "")
      .register("a", () => ""),
  ).toThrow("already taken")
})

import { join } from "node:path"
import { fakeConversation } from "@haft/testkit"
import { afterEach, expect, test } from "vitest"
import { failure } from "../../test/failure.js"
import { openBench, type ToolBench } from "../../test/tool-bench.js"
import { sendUserMessage } from "./send-user-message.js"

let bench: ToolBench
afterEach(() => bench?.close())

test("the person gets message, status and the facts about each file", async () => {
  bench = await openBench({ "a.txt": "four", "sub/Chart.PNG": "x" })
  const conversation = fakeConversation()
  const input = { message: "Done", status: "proactive", attachments: ["a.txt", "sub/Chart.PNG"] }
  const { data, text } = await bench.run(sendUserMessage, input, { conversation })
  const attachments = [
    { path: join(bench.workspace.path, "a.txt"), size: 4, is_image: false },
    { path: join(bench.workspace.path, "sub/Chart.PNG"), size: 1, is_image: true },
  ]
  expect(conversation.messages).toEqual([{ message: "Done", status: "proactive", attachments }])
  expect(data).toEqual({ sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/), attachments })
  expect(text).toBe("Message sent with 2 files")
})

test("it needs nobody to answer and works headless", async () => {
  bench = await openBench()
  const conversation = fakeConversation()
  expect(conversation.hasPerson).toBe(false)
  const { text } = await bench.run(sendUserMessage, { message: "m", status: "normal" }, { conversation })
  expect(text).toBe("Message sent")
  expect(conversation.messages).toHaveLength(1)
})

test("one file that is missing or no file keeps the whole message back", async () => {
  bench = await openBench({ "a.txt": "", "d/x": "" })
  const conversation = fakeConversation()
  const send = (...attachments: readonly string[]) =>
    failure(bench.run(sendUserMessage, { message: "m", status: "normal", attachments }, { conversation }))
  expect((await send("a.txt", "b.txt")).code).toBe("not_found")
  expect((await send("d")).code).toBe("unsupported")
  expect((await send("../../etc/passwd")).code).toBe("denied")
  expect(conversation.messages).toEqual([])
})

test("attachments are reads of those paths, so the rules for files hold for them", () => {
  const { manifest } = sendUserMessage
  const input = manifest.input.parse({ message: "m", status: "normal", attachments: ["a", ".env"] })
  expect(manifest.effects(input)).toEqual([
    { kind: "fs.read", path: "a" },
    { kind: "fs.read", path: ".env" },
  ])
})

test.each([{ message: "", status: "normal" }, { message: "m" }, { message: "m", status: "urgent" }])(
  "[C2-7] %j is not valid",
  (input) => {
    expect(sendUserMessage.manifest.input.safeParse(input).success).toBe(false)
  },
)

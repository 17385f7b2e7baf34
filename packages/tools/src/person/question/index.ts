import { defineTool, type Present, type ToolMessages, text } from "@haft/contract"
import { manifest } from "./manifest.js"

/** The answers by number: the model knows its questions. */
const present: Present<typeof manifest> = ({ answers }) => [
  text(answers.map((each, index) => `${index + 1}. ${each.length === 0 ? "(no answer)" : each.join(", ")}`).join("\n")),
]

/** The words of `question` for people. */
const messages: ToolMessages = {
  en: { title: "Question", loading: "Waiting for an answer", done: "Asked" },
  "zh-CN": { title: "提问", loading: "正在等待回答", done: "已提问", summary: "向你提问并等待回答" },
}

/** Asks the person. */
export const question = defineTool({
  manifest,
  messages,
  present,
  execute: () => import("./execute.js"),
  examples: () => import("./examples.js"),
  faces: () => import("../ui/question-faces.js"),
})

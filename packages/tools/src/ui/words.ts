import { defineWords } from "@haft/faces"

/** What faces say that several families use. */
export const words = defineWords(
  {
    name: "Name",
    does: "What it is",
    unlisted: "{n} tool is not listed|{n} tools are not listed",
  },
  {
    name: "名称",
    does: "说明",
    unlisted: "有 {n} 个工具未列出",
  },
)

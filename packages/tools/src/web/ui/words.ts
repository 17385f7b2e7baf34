import { defineWords } from "@haft/faces"

/** What only the faces of this family say. */
export const words = defineWords(
  {
    status: "Status",
    type: "Type",
    address: "Address",
    redirected: "Came from",
    results: "{n} result|{n} results",
    noResults: "No results",
    headers: "Headers",
    page: "Page",
    source: "Source",
    view: "How the page is shown",
    method: "Method",
    provider: "Found by",
  },
  {
    status: "状态",
    type: "类型",
    address: "地址",
    redirected: "来自",
    results: "{n} 条结果",
    noResults: "没有结果",
    headers: "标头",
    page: "页面",
    source: "源文本",
    view: "如何显示页面",
    method: "方法",
    provider: "查询来源",
  },
)

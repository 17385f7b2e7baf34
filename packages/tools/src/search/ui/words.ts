import { defineWords } from "@haft/faces"

/** What only the faces of this family say. */
export const words = defineWords(
  {
    inPath: "in {path}",
    matchesInFiles: "{matches} in {files}",
    mayBeMore: "There may be more than these",
    timedOut: "The search ran out of time",
    nothingFound: "Nothing was found",
    estimate: "Pattern and place can be changed before it runs",
    list: "List",
    tree: "Tree",
    view: "How paths are shown",
  },
  {
    inPath: "在 {path} 中",
    matchesInFiles: "{files}中有{matches}",
    mayBeMore: "可能还有更多",
    timedOut: "搜索超时",
    nothingFound: "没有找到",
    estimate: "运行前可以修改模式和位置",
    list: "列表",
    tree: "树",
    view: "如何显示路径",
  },
)

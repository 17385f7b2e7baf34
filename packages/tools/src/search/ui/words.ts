import { defineWords } from "@haft/faces"

/** What only the faces of this family say. */
export const words = defineWords(
  {
    inPath: "in {path}",
    mayBeMore: "There may be more than these",
    timedOut: "The search ran out of time",
    nothingFound: "Nothing was found",
    filter: "Narrow what was found",
    nothingLeft: "Nothing that was found has this",
    list: "List",
    tree: "Tree",
    view: "How paths are shown",
  },
  {
    inPath: "在 {path} 中",
    mayBeMore: "可能还有更多",
    timedOut: "搜索超时",
    nothingFound: "没有找到",
    filter: "缩小结果范围",
    nothingLeft: "结果中没有此内容",
    list: "列表",
    tree: "树",
    view: "如何显示路径",
  },
)

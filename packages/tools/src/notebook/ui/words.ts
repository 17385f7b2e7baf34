import { defineWords } from "@haft/faces"

/** What only the faces of this family say. */
export const words = defineWords(
  { cell: "Cell", mode: "Change", cells: "{n} cell|{n} cells", kind: "Kind" },
  { cell: "单元格", mode: "改动", cells: "{n} 个单元格", kind: "类型" },
)

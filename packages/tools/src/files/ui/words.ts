import { defineWords } from "@haft/faces"

/** What only the faces of this family say. */
export const words = defineWords(
  {
    from: "from line {n}",
    name: "Name",
    size: "Size",
    changed: "Changed",
    type: "Kind",
    deniedEntries: "{n} entry left out by rules|{n} entries left out by rules",
    pictureOf: "{type}, {width} × {height}, {size}",
    goesOn: "The file goes on after this page",
    created: "new file",
    noneTaken: "No change is included: reject the call instead",
    meanwhile: "Changed by somebody else since it was read",
    wanted: "What this call wanted",
    moveFrom: "From",
    moveTo: "To",
  },
  {
    from: "从第 {n} 行起",
    name: "名称",
    size: "大小",
    changed: "修改时间",
    type: "类型",
    deniedEntries: "规则排除了 {n} 项",
    pictureOf: "{type}，{width} × {height}，{size}",
    goesOn: "此页之后文件还有内容",
    created: "新文件",
    noneTaken: "没有采用任何改动：改为拒绝此调用",
    meanwhile: "读取之后被他人改动",
    wanted: "此调用想做的改动",
    moveFrom: "从",
    moveTo: "到",
  },
)

import { defineWords } from "@haft/faces"

/** What only the faces of this family say. */
export const words = defineWords(
  {
    done: "{done} of {all} done",
    "status.pending": "to do",
    "status.in_progress": "in progress",
    "status.completed": "done",
    "status.cancelled": "dropped",
    listEmpty: "The list is empty",
    goal: "Task",
    session: "Session",
    stopped: "Stopped early",
    missingTools: "Tools it did not have",
    inBackground: "Works in the background; its report comes later",
    skillFrom: "From",
    allowedTools: "Tools it asks for",
    does: "What it does",
  },
  {
    done: "已完成 {done}/{all}",
    "status.pending": "待办",
    "status.in_progress": "进行中",
    "status.completed": "完成",
    "status.cancelled": "已放弃",
    listEmpty: "列表为空",
    goal: "任务",
    session: "会话",
    stopped: "提前停止",
    missingTools: "它没有的工具",
    inBackground: "在后台工作，稍后报告",
    skillFrom: "来源",
    allowedTools: "它请求的工具",
    does: "用途",
  },
)

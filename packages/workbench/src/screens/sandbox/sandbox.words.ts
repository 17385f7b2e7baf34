import { catalogue } from "../../words/words.js"

/** The words of the sandbox and of the checks of this machine. */
export const sandboxWords = catalogue({
  en: {
    probe: "Sandbox",
    doctor: "Whole machine",
    probeWhat:
      "Commands run confined. Each line below was really tried a moment ago: a process in the sandbox did the forbidden thing, and what happened is shown.",
    doctorWhat: "Everything that Haft uses on this machine, with what to do where something is missing.",
    again: "Try again now",
    states: { ok: "works", warn: "limited", fail: "does not work", none: "not used here" },
    passed: (passed: number, all: number) => `${passed} of ${all} hold`,
    holds: "holds",
    holdsNot: "does not hold",
    fix: "To do",
  },
  "zh-CN": {
    probe: "沙箱",
    doctor: "整台机器",
    probeWhat: "命令在受限环境中运行。下面每一行都刚刚真实测试过：沙箱中的进程尝试了被禁止的操作，并显示结果。",
    doctorWhat: "Haft 在此机器上使用的一切，缺少时说明如何处理。",
    again: "立即重试",
    states: { ok: "正常", warn: "受限", fail: "不可用", none: "此处不用" },
    passed: (passed: number, all: number) => `${all} 项中 ${passed} 项有效`,
    holds: "有效",
    holdsNot: "无效",
    fix: "处理方法",
  },
})

import type { Locator, Page } from "playwright-core"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { noBrowser, seen, TestBrowser, TestServer, token } from "./page.js"

const words = /\/assets\/zh-cn-[^/]+\.js$/

describe.skipIf(noBrowser)(`the page in Chinese${noBrowser ? `: ${noBrowser}` : ""}`, () => {
  const server = new TestServer(["--root", "."])
  let browser: TestBrowser

  beforeAll(async () => {
    server.write(".env", "SECRET=1\n")
    server.write("notes.txt", "one\n")
    await server.start()
    browser = await TestBrowser.open({ locale: "zh-CN" })
  })
  afterAll(async () => {
    await browser?.close()
    await server.close()
  })

  const open = (tool: string, args: unknown) =>
    browser.page(server, `/run/${tool}?args=${encodeURIComponent(JSON.stringify(args))}`)
  const run = (page: Page) => page.getByRole("button", { name: "运行", exact: true }).click()
  const before = (page: Page) => page.getByLabel("运行之前")

  test("an ask says in Chinese why, with every step and what was answered before", async () => {
    const page = await open("write", { file_path: "new.txt", content: "x" })
    await seen(() => before(page).textContent()).toContain('没有规则裁定 fs.write（"new.txt"）')
    await run(page)
    const ask = page.getByRole("alertdialog")
    await ask.getByText("如何决定的").click()
    const why = ask.locator(".haft-why")
    await seen(() => why.textContent()).toContain('为什么询问你: 没有规则裁定 fs.write（"new.txt"）')
    for (const reason of [
      "参数符合要求",
      "所有影响都在声明和授权的范围内",
      "没有检测器反对",
      "ask 模式会询问没有规则裁定的事项",
    ])
      expect(await why.textContent()).toContain(reason)
    expect(await englishIn(why)).toEqual([])
    expect(await englishIn(before(page))).toEqual([])
    await ask.getByRole("button", { name: "拒绝" }).click()
    await seen(() => page.getByRole("article").getAttribute("data-phase")).toBe("denied")
    await seen(() => page.locator(".haft-error").textContent()).toContain("无法运行")
    expect(await englishIn(page.locator(".haft-error"))).toEqual([])
    await page.getByLabel("file_path").fill("other.txt")
    await seen(() => before(page).textContent()).toContain('fs.write（"other.txt"）')
    await run(page)
    await seen(() => why.textContent()).toContain(
      '之前问过: file_path="new.txt" 的调用得到的回答是 "reject"；这次是 file_path="other.txt"',
    )
    expect(await englishIn(why)).toEqual([])
    await page.close()
  })

  test("a refused call says so in Chinese, and the model reads what it always reads", async () => {
    const page = await open("read", { file_path: ".env" })
    const reason = 'fs.read(**/.env)（defaults）拒绝 fs.read（".env"）：此类文件含有机密'
    await seen(() => before(page).textContent()).toContain(`为什么被拒绝: ${reason}`)
    await run(page)
    const error = page.locator(".haft-error")
    await seen(() => error.textContent()).toContain(`无法运行 "read"：${reason}`)
    expect(await englishIn(error)).toEqual([])
    expect(await englishIn(before(page))).toEqual([])
    const english = 'Cannot run "read": fs.read(**/.env) (defaults) denies fs.read of ".env": such files hold secrets'
    await page.getByRole("tab", { name: "模型所见" }).click()
    await seen(() => page.getByRole("tabpanel", { name: "模型所见" }).textContent()).toContain(english)
    await page.getByRole("tab", { name: "信封" }).click()
    await seen(() => page.getByRole("region", { name: "JSON" }).textContent()).toContain(JSON.stringify(english))
    await page.close()
  })

  test("a failure and its next step are said in Chinese", async () => {
    const page = await open("read", { file_path: "none.txt" })
    await run(page)
    const error = page.locator(".haft-error")
    await seen(() => error.textContent()).toContain('无法读取 "none.txt"：它不存在')
    expect(await error.textContent()).toContain("下一步:")
    expect(await englishIn(error)).toEqual([])
    await page.close()
  })

  test.each([
    ["bash", { command: "make 'x (y) denies the call: no'" }, "bash", "make 'x (y) denies the call: no'"],
    ["write", { file_path: "x (y) denies the call: no", content: "" }, "fs.write", "x (y) denies the call: no"],
  ])("what a call of %s names stays as it is", async (tool, args, permission, value) => {
    const page = await open(tool, args)
    const reason = `没有规则裁定 ${permission}（"${value}"）`
    await seen(() => before(page).locator(".haft-why-reason").textContent()).toBe(`为什么询问你: ${reason}`)
    await run(page)
    const why = page.getByRole("alertdialog").locator(".haft-why")
    await seen(() => why.locator(".haft-why-reason").textContent()).toBe(`为什么询问你: ${reason}`)
    await why.getByText("如何决定的").click()
    expect(await why.getByRole("row", { name: /^规则 / }).textContent()).toContain(reason)
    await page.close()
  })

  test("a path that says what Haft says stays as it is in an error", async () => {
    const path = 'a": it does not exist. Cannot read "b'
    const page = await open("read", { file_path: path })
    await run(page)
    await seen(() => page.locator(".haft-error-message").textContent()).toContain(`无法读取 "${path}"：它不存在`)
    await page.close()
  })

  test("a tool says in Chinese what it does and takes; what the model reads is one step away", async () => {
    const page = await open("grep", {})
    await seen(() => page.locator("header", { hasText: "搜索内容" }).last().textContent()).toContain("在文件里查找")
    await seen(() => page.getByText("正则表达式", { exact: true }).count()).toBe(1)
    const model = page.getByText(/^Finds lines that match a regular expression/)
    expect(await model.isVisible()).toBe(false)
    await page.getByText("模型读到的说明").click()
    expect(await model.isVisible()).toBe(true)
    const { description } = await server.request<{ description: string }>("GET", "/api/tools/grep")
    expect(await model.textContent()).toBe(description)
    await page.close()
  })

  test("the tour speaks Chinese, and goes on in it", async () => {
    const page = await browser.page(server, "/run")
    await page.getByRole("button", { name: "观看导览" }).click()
    const log = page.getByRole("log")
    await seen(() => log.textContent()).toContain("让我看看你在这个项目里能做什么。")
    await seen(() => log.textContent()).toContain("我想改一个字符。写入会先询问你")
    await page.close()
  })

  test("what the server refuses is said in Chinese", async () => {
    const page = await browser.page(server, "/permissions?tool=raed")
    await seen(() => page.getByRole("alert").textContent()).toContain('无法调用 "raed"：没有该名称的工具')
    await page.close()
  })

  test("the English sentence is there until the words are, and nothing else moves", async () => {
    const page = await browser.context.newPage()
    let arrive: () => void = () => undefined
    const arrived = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.route(words, async (route) => {
      await arrived
      await route.continue()
    })
    const args = encodeURIComponent(JSON.stringify({ file_path: "new.txt", content: "x" }))
    await page.goto(`${server.origin}/run/write?args=${args}#token=${token}`)
    const reason = before(page).locator(".haft-why-reason")
    await seen(() => reason.textContent()).toContain('no rule settles fs.write of "new.txt"')
    const height = (await before(page).boundingBox())!.height
    arrive()
    await seen(() => reason.textContent()).toContain('没有规则裁定 fs.write（"new.txt"）')
    expect((await before(page).boundingBox())!.height).toBe(height)
    await page.close()
  })

  test("a page in English never asks for the words", async () => {
    const english = await TestBrowser.open()
    const asked: string[] = []
    const page = await english.context.newPage()
    page.on("request", (request) => words.test(request.url()) && asked.push(request.url()))
    await page.goto(`${server.origin}/run/read?args=${encodeURIComponent('{"file_path":".env"}')}#token=${token}`)
    await seen(() => page.getByLabel("Before you run").textContent()).toContain("denies fs.read")
    expect(asked).toEqual([])
    await page.getByRole("button", { name: "Theme and language" }).click()
    await page.getByRole("menuitem", { name: "简体中文" }).click()
    await seen(() => page.getByLabel("运行之前").textContent()).toContain("拒绝 fs.read")
    expect(asked).toHaveLength(1)
    await english.close()
  })

  test("nothing was refused by the policy and no script failed", () => {
    expect(browser.problems).toEqual([])
  })
})

/** What reads like English there. Code and the raw details of an error are the same in every language. */
async function englishIn(place: Locator): Promise<readonly string[]> {
  const text = await place.evaluate((element) => {
    const copy = element.cloneNode(true) as Element
    for (const data of copy.querySelectorAll("code, .haft-error details")) data.remove()
    return [...copy.querySelectorAll("*")].flatMap(({ childNodes }) =>
      [...childNodes].flatMap((node) => (node.nodeType === Node.TEXT_NODE ? [node.textContent ?? ""] : [])),
    )
  })
  return text.filter((piece) => /[a-z]{2,}[,:;]? [a-z]{2,}/i.test(piece))
}

import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import type { BenchCase } from "../bench-case.js"
import { makeArticle } from "../data/make-article.js"
import { compare } from "../measure.js"
import { mustSucceed } from "../must-succeed.js"
import { bareConverter } from "../raw/bare-converter.js"

/** A long page of the web as Markdown; a server on this machine represents the web. */
export const webFetch: BenchCase = {
  name: "web-fetch",
  limits: {
    article: {
      atMost: 2,
      unit: "x",
      what: "web_fetch of a 1 MB article to Markdown / the converter on its parsed page",
    },
  },
  async run(world) {
    const html = makeArticle(1024 * 1024)
    const server = createServer((_, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(html)
    })
    await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done))
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
    const opened = await world.open(await world.folder("web-fetch"), { network: { grants: [host] } })
    try {
      const fetchOnce = async () => mustSucceed(await opened.session.call("web_fetch", { url: `http://${host}/` }))
      if (!String((await fetchOnce()).content).includes("## Section 1:")) throw new Error("the page is not as expected")
      return { article: await compare({ run: fetchOnce }, bareConverter(html), { rounds: 12, warmUp: 3 }) }
    } finally {
      await opened.close()
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    }
  },
}

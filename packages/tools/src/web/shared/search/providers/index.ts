import type { Provider } from "../provider.js"
import type { ProviderId } from "../provider-id.js"
import { baidu } from "./baidu.js"
import { brave } from "./brave.js"
import { duckDuckGo } from "./duck-duck-go.js"
import { google } from "./google.js"
import { searxng } from "./searxng.js"
import { so360 } from "./so360.js"
import { sogou } from "./sogou.js"
import { tavily } from "./tavily.js"
import { wikipedia } from "./wikipedia.js"

/** Every provider by its id. */
export const providers: Readonly<Record<ProviderId, Provider>> = {
  ddg: duckDuckGo,
  wiki: wikipedia,
  brave,
  sogou,
  so360,
  searxng,
  tavily,
  google,
  baidu,
}

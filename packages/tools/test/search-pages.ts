import type { ProviderId } from "../src/web/shared/search/provider-id.js"

/** A result as a provider is to show it. */
export interface PageRow {
  readonly title: string
  readonly url: string
  readonly snippet: string
}

/** The three kinds of answers that a provider gives, in the form in which it really gives them. */
export interface AnswerForms {
  readonly type: "text/html; charset=UTF-8" | "application/json"
  found(rows: readonly PageRow[], query: string): string
  nothing(query: string): string
  /** The answer to what it takes for a robot; absent for interfaces that have none. */
  readonly challenge?: { readonly status: number; body(query: string): string }
}

/** Answers of every provider; `braveApi` is what Brave says to a key. */
export const answerForms: Readonly<Record<ProviderId | "braveApi", AnswerForms>> = {
  ddg: {
    type: "text/html; charset=UTF-8",
    found: (rows, query) =>
      page(
        `${query} at DuckDuckGo`,
        `<form id="search_form_homepage"><input name="q" value="${escaped(query)}"></form>
        <div id="links" class="results">
        <div class="result results_links results_links_deep result--ad "><div class="links_main links_deep result__body">
          <h2 class="result__title"><a rel="nofollow" class="result__a" href="https://duckduckgo.com/y.js?ad_domain=shop.example&amp;ad_provider=bingv7aa">Buy it now</a></h2>
          <a class="result__snippet" href="https://duckduckgo.com/y.js?ad_domain=shop.example">An advertisement</a>
        </div></div>
        ${rows
          .map(
            ({ title, url, snippet }) => `
        <div class="result results_links results_links_deep web-result "><div class="links_main links_deep result__body">
          <h2 class="result__title">
            <a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}&amp;rut=6f1c">${escaped(title)}</a>
          </h2>
          <div class="result__extras"><div class="result__extras__url">
            <span class="result__icon"><a rel="nofollow" href="//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}"><img class="result__icon__img" src="//x/ip3/x.ico"></a></span>
            <a class="result__url" href="//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}"> ${escaped(url)} </a>
          </div></div>
          <a class="result__snippet" href="//duckduckgo.com/l/?uddg=${encodeURIComponent(url)}">${marked(snippet)}</a>
          <div class="clear"></div>
        </div></div>`,
          )
          .join("")}
        <div class="nav-link"><form action="/html/" method="post"><input type="submit" value="Next"></form></div></div>`,
      ),
    nothing: (query) =>
      page(
        `${query} at DuckDuckGo`,
        `<div id="links" class="results"><div class="result results_links results_links_deep result--no-result">
        <div class="no-results">No results.</div></div></div>`,
      ),
    challenge: {
      status: 202,
      body: (query) =>
        page(
          "DuckDuckGo",
          `<form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html&cc=sre" method="POST">
          <div class="anomaly-modal__mask"><div class="anomaly-modal__modal is-ie">
          <div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div>
          <div class="anomaly-modal__description">Please complete the following challenge to confirm this search was made by a human.</div>
          </div></div></form><input name="q" value="${escaped(query)}">`,
        ),
    },
  },
  wiki: {
    type: "application/json",
    found: (rows) => wikiAnswer(rows),
    nothing: () => wikiAnswer([]),
  },
  brave: {
    type: "text/html; charset=UTF-8",
    found: (rows, query) =>
      page(
        `${query} - Brave Search`,
        `<div id="results">
        <div class="snippet" data-type="ad" id="ad"><a href="https://shop.example/"><div class="title">Buy it now</div></a></div>
        ${rows
          .map(
            ({ title, url, snippet }, index) => `
        <div class="snippet svelte-jmfu5f" data-pos="${index}" data-type="web"><div class="result-wrapper"><div class="result-content">
          <a href="${escaped(url)}" target="_self" class="svelte-14r20fy l1"><div class="site-name-wrapper"><cite class="snippet-url">example.org</cite></div>
          <div class="title search-snippet-title line-clamp-1" title="${escaped(title)}">${escaped(title)}</div></a>
          <div class="generic-snippet"><div class="content desktop-default-regular t-primary line-clamp-dynamic">${marked(snippet)}</div></div>
        </div></div></div>`,
          )
          .join("")}</div>`,
      ),
    nothing: (query) =>
      page(`${query} - Brave Search`, `<div id="results"><div id="no-results"><h4>No results found</h4></div></div>`),
    challenge: {
      status: 200,
      body: () =>
        page("Captcha - Brave Search", `<main id="pow-captcha-content"><button>I'm not a robot</button></main>`),
    },
  },
  sogou: {
    type: "text/html; charset=UTF-8",
    found: (rows, query) =>
      page(
        `${query} - 搜狗搜索`,
        `<div id="main"><div class="results">
        <div class="vrwrap"><div class="hint-mid">相关搜索</div></div>
        ${rows
          .map(
            ({ title, url, snippet }, index) => `
        <div class="vrwrap"><h3 class="vr-title"><a id="sogou_vr_30010276_${index}" target="_blank" href="/link?url=hedJjaC291Ok${index}">${escaped(title)}<!--awbg0--></a></h3>
          <div class="text-layout"><div class="fz-mid space-txt">${marked(snippet)}</div></div>
          <div class="r-sech click-better-sugg" data-url="${escaped(url)}"></div></div>`,
          )
          .join("")}</div></div>`,
      ),
    nothing: (query) =>
      page(
        `${query} - 搜狗搜索`,
        `<div id="noresult_part1_container"><p>抱歉没有找到与“${escaped(query)}”相关的网页。</p></div>`,
      ),
    challenge: {
      status: 200,
      body: () =>
        page(
          "搜狗搜索",
          `<p>用户您好，我们的系统检测到您网络中存在异常访问请求。</p>
          <form name="authform" method="POST" id="seccodeForm" action="/"><img id="seccodeImage" src="util/seccode.php?tc=1"></form>`,
        ),
    },
  },
  so360: {
    type: "text/html; charset=UTF-8",
    found: (rows, query) =>
      page(
        `${query}_360搜索`,
        `<div id="main"><ul class="result">${rows
          .map(
            ({ title, url, snippet }, index) => `
        <li class="res-list" data-lazyload="1"><h3 class="res-title">
          <a href="https://www.so.com/link?m=b${index}" rel="noopener" data-mdurl="${escaped(url)}" target="_blank">${escaped(title)}</a></h3>
          <p class="res-desc">${marked(snippet)}</p><p class="g-linkinfo"><cite>example.org</cite></p></li>`,
          )
          .join("")}</ul></div>`,
      ),
    nothing: (query) =>
      page(`${query}_360搜索`, `<div id="no-result"><p>抱歉，未找到和“${escaped(query)}”相关的网页。</p></div>`),
    challenge: {
      status: 200,
      body: () =>
        page(
          "访问异常页面",
          `<form id="captchaForm" action="https://qcaptcha.so.com/verify"><p>系统检测到您操作过于频繁</p></form>`,
        ),
    },
  },
  searxng: {
    type: "application/json",
    found: (rows, query) =>
      JSON.stringify({
        query,
        number_of_results: rows.length,
        results: rows.map(({ title, url, snippet }, index) => ({
          url,
          title,
          content: snippet,
          publishedDate: "2025-01-02T00:00:00",
          engine: "bing",
          engines: ["bing"],
          positions: [index + 1],
          score: 1 / (index + 1),
          category: "general",
        })),
        answers: [],
        infoboxes: [],
        unresponsive_engines: [["google", "timeout"]],
      }),
    nothing: (query) => JSON.stringify({ query, number_of_results: 0, results: [], unresponsive_engines: [] }),
    challenge: {
      status: 200,
      body: (query) =>
        JSON.stringify({
          query,
          results: [],
          unresponsive_engines: [
            ["google", "CAPTCHA"],
            ["bing", "timeout"],
          ],
        }),
    },
  },
  // The fields that https://developers.google.com/custom-search/v1/reference/rest/v1/Search documents.
  google: {
    type: "application/json",
    found: (rows) => googleAnswer(rows),
    nothing: () => googleAnswer([]),
  },
  // The fields that https://ai.baidu.com/ai-doc/AppBuilder/pmaxd1hvy documents.
  baidu: {
    type: "application/json",
    found: (rows) => baiduAnswer(rows),
    nothing: () => baiduAnswer([]),
  },
  tavily: {
    type: "application/json",
    found: (rows, query) =>
      JSON.stringify({
        query,
        answer: null,
        images: [],
        results: rows.map(({ title, url, snippet }) => ({
          title,
          url,
          content: snippet,
          score: 0.9,
          raw_content: null,
        })),
        response_time: 1.1,
      }),
    nothing: (query) => JSON.stringify({ query, answer: null, images: [], results: [], response_time: 0.5 }),
  },
  braveApi: {
    type: "application/json",
    found: (rows, query) =>
      JSON.stringify({
        type: "search",
        query: { original: query, more_results_available: true },
        web: {
          type: "search",
          results: rows.map(({ title, url, snippet }) => ({
            title: escaped(title),
            url,
            description: marked(snippet),
            page_age: "2025-03-04T05:06:07",
            language: "en",
          })),
        },
      }),
    nothing: (query) => JSON.stringify({ type: "search", query: { original: query } }),
  },
}

function wikiAnswer(rows: readonly PageRow[]): string {
  return JSON.stringify({
    batchcomplete: true,
    query: {
      general: { server: "//example.org", articlepath: "/wiki/$1", sitename: "Wikipedia" },
      searchinfo: { totalhits: rows.length },
      search: rows.map(({ title, snippet }, index) => ({
        ns: 0,
        title,
        pageid: index + 1,
        snippet: `${escaped(snippet)} <span class="searchmatch">&quot;x&#039;s&quot;</span>`,
      })),
    },
  })
}

function page(title: string, body: string): string {
  return `<!DOCTYPE html><html><head><meta charset="utf-8"><title>${escaped(title)}</title></head><body>${body}</body></html>`
}

/** The words of a snippet with the first in bold type, as engines mark what was asked for. */
function marked(snippet: string): string {
  const [first = "", ...rest] = snippet.split(" ")
  return [`<b>${escaped(first)}</b>`, ...rest.map(escaped)].join(" ")
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;")
}

function googleAnswer(rows: readonly PageRow[]): string {
  return JSON.stringify({
    kind: "customsearch#search",
    url: { type: "application/json", template: "https://www.googleapis.com/customsearch/v1?q={searchTerms}" },
    queries: { request: [{ title: "Google Custom Search", count: rows.length, startIndex: 1 }] },
    searchInformation: { searchTime: 0.2, totalResults: String(rows.length) },
    ...(rows.length > 0 && {
      items: rows.map(({ title, url, snippet }) => ({
        kind: "customsearch#result",
        title,
        htmlTitle: `<b>${escaped(title)}</b>`,
        link: url,
        displayLink: new URL(url).host,
        snippet,
        htmlSnippet: marked(snippet),
      })),
    }),
  })
}

function baiduAnswer(rows: readonly PageRow[]): string {
  return JSON.stringify({
    request_id: "b5bd5d5a-0000-0000-0000-000000000000",
    references: rows.map(({ title, url, snippet }, index) => ({
      ...{ id: index + 1, url, title, content: snippet, date: "2025-04-27 18:02:00", type: "web", icon: "" },
      ...{ web_anchor: title, website: "example" },
    })),
  })
}

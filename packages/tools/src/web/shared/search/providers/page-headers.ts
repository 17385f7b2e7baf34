/** What a request for a result page says about itself: some providers answer nothing to what is not called Mozilla. */
export const pageHeaders: Readonly<Record<string, string>> = {
  "user-agent": "Mozilla/5.0 (compatible; Haft)",
  accept: "text/html",
  "accept-language": "en-US,en;q=0.9,zh-CN;q=0.8",
}

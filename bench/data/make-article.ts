const words = [
  ..."the bridge carries a road over water while engineers measure how its cables bend under wind and snow".split(" "),
  ..."every sentence here differs a little from those before it so that nothing can be remembered".split(" "),
]

/** A page with one long article of about so many bytes: headings, links, emphasis, code, lists, tables. */
export function makeArticle(bytes: number): string {
  let count = 0
  const sentence = () => {
    count += 1
    return `${Array.from({ length: 14 }, (_, at) => words[(count * 7 + at * 3) % words.length]).join(" ")}. `
  }
  const parts: string[] = []
  let length = 0
  for (let section = 1; length < bytes; section += 1) {
    const part = [
      `<h2 id="s${section}">Section ${section}: ${sentence()}</h2>`,
      `<p>${sentence()}<a href="/page/${section}?q=1">${sentence()}</a> ${sentence()}<em>${sentence()}</em></p>`,
      `<p>${sentence()}${sentence()}<code>name_${section}</code> ${sentence()}</p>`,
      `<ul><li>${sentence()}</li><li>${sentence()}</li></ul>`,
      ...(section % 5 === 0 ? [table(section, sentence()), code(section)] : []),
    ].join("\n")
    parts.push(part)
    length += part.length
  }
  const links = Array.from({ length: 40 }, (_, at) => `<li><a href="/nav/${at}">Entry ${at}</a></li>`).join("")
  return `<!doctype html><html><head><title>On bridges</title></head><body><nav><ul>${links}</ul></nav><main><article><h1>On bridges</h1>${parts.join("\n")}</article></main><footer>Footer</footer></body></html>`
}

function table(section: number, text: string): string {
  return `<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td>${section}</td><td>${text}</td></tr></tbody></table>`
}

function code(section: number): string {
  return `<pre><code class="language-js">const a = ${section}\nif (a &lt; 3) {}\n</code></pre>`
}

// The HTML of the fake Stripe's pages. They do not look like those of Stripe, and state that no money is transferred.

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escaped = (text: string) => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

const style = `
  :root { color-scheme: light dark }
  body { margin: 0 auto; padding: 2rem 1rem; max-width: 26rem; font: 1rem/1.5 system-ui }
  a { color: inherit }
  dl { display: grid; grid-template-columns: auto 1fr; gap: .25rem 1rem }
  dd { margin: 0; text-align: right }
  form { display: grid; gap: .75rem; margin-block: 1rem }
  button, input, .back { font: inherit; min-height: 2.75rem }
  [role=alert] { color: #c0392b }`

interface PageContent {
  title: string
  /** The facts shown on the page, as names and values. */
  facts: [string, string][]
  error?: string
  /** The content of the form as HTML. */
  controls: string
  back: { href: string; label: string } | null
}

export function renderPage({ title, facts, error, controls, back }: PageContent): string {
  const rows = facts.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>${style}</style>
<main>
  <p>Fake Stripe. No money moves.</p>
  <h1>${escaped(title)}</h1>
  <dl>${rows.join('')}</dl>
  ${error === undefined ? '' : `<p role="alert">${escaped(error)}</p>`}
  <form method="post">${controls}</form>
  ${back ? `<a class="back" href="${escaped(back.href)}">${escaped(back.label)}</a>` : ''}
</main>
</html>`
}

/** A submit button. The form then contains its name as `act`. */
export const button = (act: string, label: string) =>
  `<button name="act" value="${act}">${escaped(label)}</button>`

/** An input field with a submit button. */
export const field = (name: string, label: string, act: string, actLabel: string) =>
  `<label>${escaped(label)} <input name="${name}"></label>${button(act, actLabel)}`

// Renders a legal page from Markdown. HTML in the source is shown as text. Links may use http, https and mailto, or
// refer to this site.
import { Marked } from 'marked'
import { legalPath } from '#contract/legal.ts'
import { renderFrame, type PageFrame } from '../public-pages/render-page.ts'
import { escapeText, html, Html } from '../public-pages/html.ts'

export interface LegalText {
  slug: string
  title: string
  body: string
  /** The number of the version. Null for a draft. */
  number: number | null
  published_at: string | null
  /** All published versions, newest first. */
  versions: { number: number; published_at: string }[]
}

const allowedLink = /^(?:https?:\/\/|mailto:|tel:|\/(?!\/)|#)/i
const markdown = new Marked({
  gfm: true,
  renderer: {
    html: ({ text }) => escapeText(text),
    // Render a picture as its description, because loading it would reveal the reader's address to other sites.
    image: ({ text }) => escapeText(text),
    link({ href, tokens }) {
      const words = this.parser.parseInline(tokens)
      if (!allowedLink.test(href)) return words
      return `<a href="${escapeText(href)}" rel="noopener nofollow">${words}</a>`
    },
  },
})

/** Renders Markdown as HTML without scripts or raw HTML. */
export function renderMarkdown(text: string): Html {
  return new Html(markdown.parse(text, { async: false }))
}

export function renderLegalPage(text: LegalText, frame: PageFrame): string {
  const { slug, title, body, number, published_at, versions } = text
  const path = legalPath(slug)
  const newest = versions[0]?.number ?? null
  const isCurrent = number !== null && number === newest
  const head = isCurrent
    ? html`<link rel="canonical" href="${frame.publicUrl}${path}" />`
    : html`<meta name="robots" content="noindex" />`
  const main = html`<main class="page legal">
    <h1>${title}</h1>
    <p class="soft">
      ${published_at === null || number === null ? 'Draft, not published' : html`Version ${number} of ${renderDate(published_at)}`}
    </p>
    ${number !== null && !isCurrent && html`<p class="legal-note">This version is no longer in force. <a href="${path}">Read the current version</a></p>`}
    ${renderMarkdown(body)}
    ${
      versions.length > 1 &&
      html`<section>
        <h2>Versions</h2>
        <ul>
          ${versions.map(
            (one) =>
              html`<li>
                ${
                  one.number === number
                    ? html`Version ${one.number}, ${renderDate(one.published_at)} (this one)`
                    : html`<a
                          href="${one.number === newest ? path : `${path}?version=${one.number}`}"
                          >Version ${one.number}</a
                        >, ${renderDate(one.published_at)}`
                }
              </li>`,
          )}
        </ul>
      </section>`
    }
  </main>`
  return renderFrame(
    { ...frame, title: `${title} · ${frame.branding.brand_name}`, head, appPath: null },
    main,
  )
}

const day = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' })

function renderDate(iso: string): Html {
  return html`<time datetime="${iso.slice(0, 10)}">${day.format(new Date(iso))}</time>`
}

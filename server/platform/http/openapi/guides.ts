// The guides of the API page: Markdown files of docs/, rendered once.
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Marked } from 'marked'
import { escapeHtml } from '../web-files/page-head.ts'

export const guidesPath = '/api/docs/guides'
const docs = join(import.meta.dirname, '../../../../docs')

/** In the order in which the API page lists them. */
export const guideFiles = [
  'api/getting-started.md',
  'api/upload.md',
  'api/paging.md',
  'api/errors.md',
  'api/live-events.md',
  'webhooks.md',
  'api/typescript-client.md',
]

/** The base URL that the files use as an example, to be replaced by that of the service. */
const exampleUrl = 'https://music.example.com'

export interface Guide {
  slug: string
  title: string
  /** The content without the title. */
  html: string
}

export function readGuides(publicUrl: string): Promise<Guide[]> {
  return Promise.all(
    guideFiles.map(async (file) => {
      const text = await readFile(join(docs, file), 'utf8')
      return renderGuide(
        basename(file, '.md'),
        text.replaceAll(exampleUrl, () => publicUrl),
      )
    }),
  )
}

export function renderGuide(slug: string, text: string): Guide {
  const [, title = slug] = /^# (.+)$/m.exec(text) ?? []
  const markdown = createMarkdown()
  return { slug, title, html: markdown.parse(text.replace(/^# .+$/m, ''), { async: false }) }
}

function createMarkdown(): Marked {
  const seen = new Map<string, number>()
  return new Marked({
    gfm: true,
    renderer: {
      heading({ tokens, depth, text }) {
        const words = this.parser.parseInline(tokens)
        return `<h${depth} id="${toAnchor(text, seen)}">${words}</h${depth}>\n`
      },
      // The blocks get a tabindex, because elements that scroll sideways must be reachable by keyboard.
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      table({ header, rows }) {
        const row = (cells: typeof header) => this.tablerow({ text: drawCells(cells) })
        const drawCells = (cells: typeof header) =>
          cells.map((each) => this.tablecell(each)).join('')
        const body = rows.map(row).join('')
        return `<div class="wide" tabindex="0"><table><thead>${row(header)}</thead><tbody>${body}</tbody></table></div>\n`
      },
      html: ({ text }) => escapeHtml(text),
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens)
        const address = toGuideUrl(href)
        return address === null ? words : `<a href="${escapeHtml(address)}">${words}</a>`
      },
    },
  })
}

/** Converts a link to another guide to the URL of its page. Null for a file that is not served. */
function toGuideUrl(href: string): string | null {
  if (/^https?:\/\/|^#/.test(href)) return href
  const [path = '', anchor] = href.split('#')
  const name = basename(path)
  if (!guideFiles.some((file) => basename(file) === name)) return null
  return `${guidesPath}/${basename(name, '.md')}${anchor ? `#${anchor}` : ''}`
}

/** Creates the same anchor as GitHub, where the files can be read as well. */
function toAnchor(heading: string, seen: Map<string, number>): string {
  const anchor = heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')
  const count = seen.get(anchor) ?? 0
  seen.set(anchor, count + 1)
  return count === 0 ? anchor : `${anchor}-${count}`
}

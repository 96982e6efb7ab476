// Creates the email of an announcement. Markdown is rendered as HTML, and HTML in the text is escaped. Images are
// removed, because loading them from another site would reveal who opens the email.
import { Marked } from 'marked'
import { announcementMail } from '../../platform/mail/news-mails.ts'
import type { Mail } from '../../platform/mail/mail-texts.ts'
import { escapeText } from '../public-pages/html.ts'

export interface AnnouncementText {
  subject: string
  body: string
}

export interface AnnouncementSite {
  publicUrl: string
  brandName: string
}

/** Returns the email to one recipient. `unsubscribe` is the recipient's own link. */
export function composeAnnouncement(
  to: string,
  { subject, body }: AnnouncementText,
  site: AnnouncementSite,
  unsubscribe: string,
): Mail {
  const html = renderMarkdown(body, site.publicUrl)
  return announcementMail(to, site, { subject, html, text: body.trim(), unsubscribe })
}

const otherAddress = /^(?:https?:\/\/|mailto:)/i

function renderMarkdown(text: string, publicUrl: string): string {
  const markdown = new Marked({
    gfm: true,
    renderer: {
      html: ({ text: source }) => escapeText(source),
      image: ({ text: words }) => escapeText(words),
      link({ href, tokens }) {
        const words = this.parser.parseInline(tokens)
        // Make links to this site absolute, because emails have no base URL.
        const address = /^\/(?!\/)/.test(href) ? publicUrl + href : href
        return otherAddress.test(address) ? `<a href="${escapeText(address)}">${words}</a>` : words
      },
    },
  })
  return markdown.parse(text, { async: false })
}

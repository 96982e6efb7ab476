// Inserts the owner's texts into an email: paragraphs, line breaks, links and variables. Everything else, and every
// value of a variable, is escaped.
import { fillVariables, wordsMaxLength, type MailWords } from '#contract/mail/mail-kinds.ts'
import { escapeHtml, type MailLook } from './mail-layout.ts'
import type { Mail } from './mail-texts.ts'

const unnamed = 'there'

/** Returns the email with the owner's texts. Required statements, button and small print are unchanged. */
export function applyOwnerTexts(
  mail: Mail,
  texts: MailWords | null | undefined,
  { brandName, accent }: Pick<MailLook, 'brandName' | 'accent'>,
): Mail {
  if (!mail.own || !texts) return mail
  const { replaces, values: facts } = mail.own
  const values = { ...facts, name: facts.name || unnamed, service: brandName }
  const { subject, opening, closing } = texts
  return {
    ...mail,
    ...(subject !== null && {
      subject: fillVariables(subject, values)
        .replaceAll(/\s+/g, ' ')
        .slice(0, wordsMaxLength.subject),
    }),
    ...(opening !== null && {
      paragraphs: mail.paragraphs.slice(replaces),
      opening: renderOwnerText(opening, values, accent),
    }),
    ...(closing !== null && { ending: renderOwnerText(closing, values, accent) }),
  }
}

interface Rendered {
  html: string
  text: string
}

function renderOwnerText(
  typed: string,
  values: Readonly<Record<string, string>>,
  accent: string,
): Rendered {
  const paragraphs = typed
    .trim()
    .split(/\n\s*\n/)
    .map((paragraph) => splitLinks(paragraph.trim()))
  const fill = (text: string) => fillVariables(text, values)
  const html = paragraphs.map((parts) => {
    const inner = parts.map(({ text, url }) => {
      const label = escapeHtml(fill(text)).replaceAll('\n', '<br>')
      return url === null
        ? label
        : `<a href="${escapeHtml(url)}" class="accent" style="color: ${accent}">${label}</a>`
    })
    return `<p style="margin: 0 0 16px">${inner.join('')}</p>`
  })
  const text = paragraphs.map((parts) =>
    parts
      .map((part) => {
        const label = fill(part.text)
        return part.url === null || part.url === label ? label : `${label} (${part.url})`
      })
      .join(''),
  )
  return { html: html.join(''), text: text.join('\n\n') }
}

interface Part {
  text: string
  /** Null if this part is not a link. */
  url: string | null
}

const link =
  /\[([^\]\n]+)\]\((https?:\/\/[^\s()<>"{}]+)\)|https?:\/\/[^\s()<>"{}]*[^\s()<>"{}.,;:!?]/g

/** Splits before variables are filled in, so that the value of a variable never becomes a link. */
function splitLinks(text: string): Part[] {
  const parts: Part[] = []
  let end = 0
  for (const match of text.matchAll(link)) {
    const [all, label = all, url = all] = match
    if (!URL.canParse(url)) continue
    parts.push({ text: text.slice(end, match.index), url: null }, { text: label, url })
    end = match.index + all.length
  }
  parts.push({ text: text.slice(end), url: null })
  return parts.filter((part) => part.text !== '')
}

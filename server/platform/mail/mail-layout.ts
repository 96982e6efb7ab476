// Renders an email as plain text and as simple HTML with inline styles, because email clients load nothing else.
import type { MailKind, MailWords } from '#contract/mail/mail-kinds.ts'
import type { Mail } from './mail-texts.ts'

/** Sender, brand and colors of an email. */
export interface MailLook {
  brandName: string
  from: string | { name: string; address: string }
  /** The address to which replies are sent, if it isn't the sender. */
  replyTo?: string | undefined
  /** The envelope sender, which receives bounces, if it isn't the sender. */
  bounceAddress?: string | undefined
  /** Color of the name and the button on a white background. Dark enough for text. */
  accent: string
  /**
   * The accent color for email clients with a dark theme: bright enough for text, and for a background of dark text.
   */
  darkAccent?: string
  /** The logo, with an absolute URL. Shown beside or instead of the name. Null if there is none. */
  picture: { url: string; width: number; height: number } | null
  /** Returns the owner's texts for a kind of email, or undefined if there are none. */
  words?: ((kind: MailKind) => MailWords | undefined) | undefined
}

export type MailTheme = 'light' | 'dark'

export const defaultMailAccent = '#a8244f'
const defaultDarkAccent = '#f79aa8'

export function renderMailText(mail: Mail, { brandName }: Pick<MailLook, 'brandName'>): string {
  const { label, link } = mail.button
  const { body, items = [], opening, ending, unsubscribe } = mail
  return [
    ...(opening ? [opening.text] : []),
    ...mail.paragraphs,
    ...(body ? [body.text] : []),
    ...items.map((item) => `${item.title}\n${item.detail}\n${item.link}`),
    `${label}:\n${link}`,
    ...(ending ? [ending.text] : []),
    mail.closing,
    `Yours, ${brandName}`,
    ...(unsubscribe ? [`${unsubscribe.label}:\n${unsubscribe.link}`] : []),
    '',
  ].join('\n\n')
}

const font = "font-family: 'Hanken Grotesk', 'Segoe UI', Helvetica, Arial, sans-serif"

type Colors = Record<'page' | 'text' | 'card' | 'soft' | 'accent' | 'onAccent', string>

export function chooseAccent(
  { accent, darkAccent = defaultDarkAccent }: Pick<MailLook, 'accent' | 'darkAccent'>,
  theme: MailTheme,
): string {
  return theme === 'light' ? accent : darkAccent
}

function chooseColors(look: Pick<MailLook, 'accent' | 'darkAccent'>, theme: MailTheme): Colors {
  const accent = chooseAccent(look, theme)
  return theme === 'light'
    ? { ...light, accent, onAccent: '#ffffff' }
    : { ...dark, accent, onAccent: '#210d18' }
}

const light = { page: '#f7f1ee', text: '#2b1a26', card: '#ffffff', soft: '#5e4a57' }
const dark = { page: '#160f14', text: '#f4eaef', card: '#221821', soft: '#cbbac5' }

/**
 * `theme` is set for a preview, which loads no style sheet. Emails themselves are light, and email clients with a
 * dark theme adapt them.
 */
export function renderMailHtml(
  mail: Mail,
  look: Pick<MailLook, 'brandName' | 'accent' | 'darkAccent' | 'picture'>,
  theme: MailTheme = 'light',
): string {
  const { brandName } = look
  const colors = chooseColors(look, theme)
  const paragraphs = mail.paragraphs.map(
    (text) =>
      `<p style="margin: 0 0 16px; font-size: 16px; line-height: 24px; overflow-wrap: anywhere">${escapeHtml(text)}</p>`,
  )
  const link = escapeHtml(mail.button.link)
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <meta name="color-scheme" content="light dark">
    <meta name="supported-color-schemes" content="light dark">
    <title>${escapeHtml(mail.subject)}</title>
    <style>${themes(chooseColors(look, 'dark'))}</style>
  </head>
  <body class="page" style="margin: 0; padding: 24px 12px; background: ${colors.page}; color: ${colors.text}; ${font}">
    <div class="card" style="max-width: 520px; margin: 0 auto; padding: 32px; background: ${colors.card}; border-radius: 16px">
      <p class="accent" style="margin: 0 0 24px; font-family: Georgia, serif; font-size: 24px; color: ${colors.accent}; overflow-wrap: anywhere">${pictureTag(look)}${escapeHtml(brandName)}</p>
      ${renderBody(mail.opening)}${paragraphs.join('\n      ')}${renderBody(mail.body)}${itemsHtml(mail, colors)}
      <p style="margin: 24px 0">
        <a href="${link}" class="button" style="display: inline-block; padding: 12px 24px; border-radius: 8px; background: ${colors.accent}; color: ${colors.onAccent}; font-size: 16px; font-weight: 600; text-decoration: none">${escapeHtml(mail.button.label)}</a>
      </p>
      ${renderBody(mail.ending)}<p class="soft" style="margin: 0 0 16px; font-size: 14px; line-height: 20px; color: ${colors.soft}; overflow-wrap: anywhere">${escapeHtml(mail.closing)}</p>
      <p class="soft" style="margin: 0; font-size: 14px; line-height: 20px; color: ${colors.soft}">If the button does not work, copy this link into your browser:<br><a href="${link}" class="accent" style="color: ${colors.accent}; word-break: break-all">${link}</a></p>${unsubscribeHtml(mail, colors)}
    </div>
  </body>
</html>
`
}

function renderBody(body: Mail['body']): string {
  if (!body) return ''
  return `
      <div class="words" style="font-size: 16px; line-height: 24px; overflow-wrap: anywhere">${body.html}</div>`
}

/** Uses a table, because no other layout looks the same in all email clients. */
function itemsHtml({ items = [] }: Mail, { soft }: Colors): string {
  if (items.length === 0) return ''
  const hasPictures = items.some(({ picture }) => picture !== null)
  const rows = items.map(({ title, detail, link, picture }) => {
    const address = escapeHtml(link)
    const image =
      picture === null
        ? ''
        : `<img src="${escapeHtml(picture)}" width="64" height="64" alt="" style="display: block; border-radius: 8px">`
    const pictureCell = hasPictures
      ? `
          <td width="80" style="padding: 0 16px 16px 0; vertical-align: top">${image}</td>`
      : ''
    return `<tr>${pictureCell}
          <td style="padding: 0 0 16px; font-size: 16px; line-height: 24px; vertical-align: middle; overflow-wrap: anywhere"><a href="${address}" class="accent" style="font-weight: 600; color: inherit">${escapeHtml(title)}</a><br><span class="soft" style="font-size: 14px; line-height: 20px; color: ${soft}">${escapeHtml(detail)}</span></td>
        </tr>`
  })
  return `
      <table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="table-layout: fixed; margin: 0 0 8px">
        ${rows.join('\n        ')}
      </table>`
}

function unsubscribeHtml({ unsubscribe }: Mail, { soft }: Colors): string {
  if (!unsubscribe) return ''
  return `
      <p class="soft" style="margin: 16px 0 0; font-size: 14px; line-height: 20px; color: ${soft}"><a href="${escapeHtml(unsubscribe.link)}" class="soft" style="color: ${soft}">${escapeHtml(unsubscribe.label)}</a></p>`
}

/** Styles for email clients that support media queries. Other clients show the inline styles, which are light. */
const themes = ({ page, text, card, soft, accent, onAccent }: Colors) => `
      :root { color-scheme: light dark; supported-color-schemes: light dark; }
      @media (max-width: 400px) {
        .card { padding: 24px 20px !important; }
      }
      @media (prefers-color-scheme: dark) {
        .page { background: ${page} !important; color: ${text} !important; }
        .card { background: ${card} !important; }
        .soft { color: ${soft} !important; }
        .accent { color: ${accent} !important; }
        .accent img { background: #ffffff; }
        .words a { color: ${accent} !important; }
        .button { background: ${accent} !important; color: ${onAccent} !important; }
      }
    `

/** The picture has a fixed size, so that the layout does not shift if it loads late or not at all. */
function pictureTag({ picture }: Pick<MailLook, 'picture'>): string {
  if (!picture) return ''
  const { url, width, height } = picture
  return `<img src="${escapeHtml(url)}" width="${width}" height="${height}" alt="" style="margin-right: 12px; border-radius: 8px; vertical-align: middle">`
}

export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

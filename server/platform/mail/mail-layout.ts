// Renders a mail as plain text and as simple HTML with inline styles, because mail clients load nothing else.
import type { Mail } from './mail-texts.ts'

/** Who sends a mail, and in which color. */
export interface MailLook {
  brandName: string
  from: string | { name: string; address: string }
  /** Color of the name and the button on white. Dark enough for text. */
  accent: string
  /** The same for mail programs with a dark theme: bright enough for text, and as a background for dark text. */
  darkAccent?: string
  /** Shown beside or instead of the name, with an absolute URL. Null: only the name. */
  picture: { url: string; width: number; height: number } | null
}

export const defaultMailAccent = '#a8244f'
const defaultDarkAccent = '#f79aa8'

export function mailText(mail: Mail, { brandName }: Pick<MailLook, 'brandName'>): string {
  const { label, link } = mail.button
  return [...mail.paragraphs, `${label}:\n${link}`, mail.closing, `Yours, ${brandName}`, ''].join(
    '\n\n',
  )
}

const font = "font-family: 'Hanken Grotesk', 'Segoe UI', Helvetica, Arial, sans-serif"

export function mailHtml(
  mail: Mail,
  look: Pick<MailLook, 'brandName' | 'accent' | 'darkAccent' | 'picture'>,
): string {
  const { brandName, accent, darkAccent = defaultDarkAccent } = look
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
    <style>${themes(darkAccent)}</style>
  </head>
  <body class="page" style="margin: 0; padding: 24px 12px; background: #f7f1ee; color: #2b1a26; ${font}">
    <div class="card" style="max-width: 520px; margin: 0 auto; padding: 32px; background: #ffffff; border-radius: 16px">
      <p class="accent" style="margin: 0 0 24px; font-family: Georgia, serif; font-size: 24px; color: ${accent}; overflow-wrap: anywhere">${pictureTag(look)}${escapeHtml(brandName)}</p>
      ${paragraphs.join('\n      ')}
      <p style="margin: 24px 0">
        <a href="${link}" class="button" style="display: inline-block; padding: 12px 24px; border-radius: 8px; background: ${accent}; color: #ffffff; font-size: 16px; font-weight: 600; text-decoration: none">${escapeHtml(mail.button.label)}</a>
      </p>
      <p class="soft" style="margin: 0 0 16px; font-size: 14px; line-height: 20px; color: #5e4a57">${escapeHtml(mail.closing)}</p>
      <p class="soft" style="margin: 0; font-size: 14px; line-height: 20px; color: #5e4a57">If the button does not work, copy this address into your browser:<br><a href="${link}" class="accent" style="color: ${accent}; word-break: break-all">${link}</a></p>
    </div>
  </body>
</html>
`
}

/** For mail programs that support color schemes. The others show the inline styles, which are light. */
const themes = (darkAccent: string) => `
      :root { color-scheme: light dark; supported-color-schemes: light dark; }
      @media (max-width: 400px) {
        .card { padding: 24px 20px !important; }
      }
      @media (prefers-color-scheme: dark) {
        .page { background: #160f14 !important; color: #f4eaef !important; }
        .card { background: #221821 !important; }
        .soft { color: #cbbac5 !important; }
        .accent { color: ${darkAccent} !important; }
        .accent img { background: #ffffff; }
        .button { background: ${darkAccent} !important; color: #210d18 !important; }
      }
    `

/** Has a fixed size, so that the layout does not shift when it loads late or not at all. */
function pictureTag({ picture }: Pick<MailLook, 'picture'>): string {
  if (!picture) return ''
  const { url, width, height } = picture
  return `<img src="${escapeHtml(url)}" width="${width}" height="${height}" alt="" style="margin-right: 12px; border-radius: 8px; vertical-align: middle">`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}

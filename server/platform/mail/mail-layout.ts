// Renders a mail as plain text and as simple HTML with inline styles, because mail clients load nothing else.
import type { Mail } from './mail-texts.ts'

/** Who sends a mail, and in which color. */
export interface MailLook {
  brandName: string
  from: string | { name: string; address: string }
  /** Of the name and the button on white: dark enough for text. */
  accent: string
  /** Beside or in place of the name, with an absolute address. Null: the name alone. */
  picture: { url: string; width: number; height: number } | null
}

export const defaultMailAccent = '#a8244f'

export function mailText(mail: Mail, { brandName }: Pick<MailLook, 'brandName'>): string {
  const { label, link } = mail.button
  return [...mail.paragraphs, `${label}:\n${link}`, mail.closing, `Yours, ${brandName}`, ''].join(
    '\n\n',
  )
}

const font = "font-family: 'Hanken Grotesk', 'Segoe UI', Helvetica, Arial, sans-serif"

export function mailHtml(
  mail: Mail,
  look: Pick<MailLook, 'brandName' | 'accent' | 'picture'>,
): string {
  const { brandName, accent } = look
  const paragraphs = mail.paragraphs.map(
    (text) =>
      `<p style="margin: 0 0 16px; font-size: 16px; line-height: 24px">${escapeHtml(text)}</p>`,
  )
  const link = escapeHtml(mail.button.link)
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${escapeHtml(mail.subject)}</title>
  </head>
  <body style="margin: 0; padding: 24px 12px; background: #f7f1ee; color: #2b1a26; ${font}">
    <div style="max-width: 520px; margin: 0 auto; padding: 32px; background: #ffffff; border-radius: 16px">
      <p style="margin: 0 0 24px; font-family: Georgia, serif; font-size: 24px; color: ${accent}">${pictureTag(look)}${escapeHtml(brandName)}</p>
      ${paragraphs.join('\n      ')}
      <p style="margin: 24px 0">
        <a href="${link}" style="display: inline-block; padding: 12px 24px; border-radius: 8px; background: ${accent}; color: #ffffff; font-size: 16px; font-weight: 600; text-decoration: none">${escapeHtml(mail.button.label)}</a>
      </p>
      <p style="margin: 0 0 16px; font-size: 14px; line-height: 20px; color: #5e4a57">${escapeHtml(mail.closing)}</p>
      <p style="margin: 0; font-size: 14px; line-height: 20px; color: #5e4a57">If the button does not work, copy this address into your browser:<br><a href="${link}" style="color: ${accent}; word-break: break-all">${link}</a></p>
    </div>
  </body>
</html>
`
}

/** Of a fixed size, so that nothing moves where it is loaded late or not at all. */
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

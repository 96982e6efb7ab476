// Builds the emails to admins about their service.
import { escapeHtml } from './mail-layout.ts'
import type { Mail } from './mail-texts.ts'

interface Site {
  publicUrl: string
  brandName: string
}

const daySeconds = 24 * 3600
const subjectLength = 78

export function supportNoticeMail(
  to: string,
  { publicUrl, brandName }: Site,
  { waiting, subject, name }: { waiting: number; subject: string; name: string },
): Mail {
  const count = waiting === 1 ? '1 message is waiting' : `${waiting} messages are waiting`
  return {
    to,
    subject: `${count} for a reply on ${brandName}`,
    paragraphs: ['Hello,', `${count} for a reply. The newest is from ${name}: “${subject}”.`],
    button: { label: 'Open the inbox', link: `${publicUrl}/admin/support` },
    closing: 'You get at most one of these emails per hour.',
    validSeconds: daySeconds,
  }
}

export interface WeeklyFigure {
  label: string
  value: string
  /** The value of the previous week. Null for a current count, such as that of waiting messages. */
  before: string | null
  /** Path of the screen with the details. */
  path: string
}

export function figuresMail(
  to: string,
  { publicUrl, brandName }: Site,
  week: {
    start: string
    end: string
    figures: WeeklyFigure[]
    tracks: { title: string; artist: string; plays: number; before: number; path: string }[]
    unsubscribe: string
  },
): Mail {
  const { start, end, figures, tracks, unsubscribe } = week
  const subject = `${brandName}: your week from ${start} to ${end}`
  return {
    to,
    subject: subject.length > subjectLength ? `Your week from ${start} to ${end}` : subject,
    paragraphs: [
      'Hello,',
      `These are the numbers of ${brandName} from ${start} to ${end}, compared with the previous week.`,
    ],
    body: renderFigures(publicUrl, figures, tracks.length > 0 ? ['Most played:'] : []),
    items: tracks.map(({ title, artist, plays, before, path }) => ({
      title,
      detail: `${artist} · ${plays} ${plays === 1 ? 'play' : 'plays'}, ${before} in the previous week`,
      link: publicUrl + path,
      picture: null,
    })),
    button: { label: 'Open Insights', link: `${publicUrl}/admin/insights` },
    closing: `You get this email as an admin. Change the weekday or turn it off under Mail: ${publicUrl}/admin/settings?tab=mail`,
    unsubscribe: { label: 'Stop weekly statistics emails', link: unsubscribe },
    validSeconds: 3 * daySeconds,
  }
}

function renderFigures(publicUrl: string, figures: readonly WeeklyFigure[], heading: string[]) {
  const headings = heading.map((text) => `<p style="margin: 0 0 16px">${escapeHtml(text)}</p>`)
  return {
    html: figuresHtml(publicUrl, figures) + headings.join(''),
    text: [figuresText(publicUrl, figures), ...heading].join('\n\n'),
  }
}

function figuresHtml(publicUrl: string, figures: readonly WeeklyFigure[]): string {
  const cell = 'padding: 8px 0; vertical-align: baseline; overflow-wrap: anywhere'
  const rows = figures.map(({ label, value, before, path }) => {
    const address = escapeHtml(publicUrl + path)
    const small =
      before === null
        ? ''
        : `<br><span class="soft" style="font-size: 14px; line-height: 20px; font-weight: 400; white-space: nowrap; color: #5e4a57">${escapeHtml(before)} before</span>`
    return `<tr><td style="${cell}"><a href="${address}" class="accent" style="color: inherit">${escapeHtml(label)}</a></td><td align="right" style="${cell}; padding-left: 16px; font-weight: 600">${escapeHtml(value)}${small}</td></tr>`
  })
  return `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="margin: 0 0 24px">${rows.join('')}</table>`
}

function figuresText(publicUrl: string, figures: readonly WeeklyFigure[]): string {
  return figures
    .map(({ label, value, before, path }) => {
      const compared = before === null ? '' : ` (${before} before)`
      return `${label}: ${value}${compared}\n${publicUrl}${path}`
    })
    .join('\n\n')
}

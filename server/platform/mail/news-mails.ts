// Builds the emails about new music, to which members have agreed. Each contains an unsubscribe link.
import { newsPreferencesPath } from '#contract/news.ts'
import type { Mail } from './mail-texts.ts'
import { markCustomTexts } from './custom-texts.ts'

interface Site {
  publicUrl: string
  brandName: string
}

type Item = NonNullable<Mail['items']>[number]

const daySeconds = 24 * 3600
/** Maximum length of a subject. Email programs show at most this many characters in full (RFC 5322 §2.1.1). */
const subjectLength = 78

export function releaseMail(
  to: string,
  { publicUrl, brandName }: Site,
  news: {
    items: Item[]
    /** Number of further releases that are not listed. */
    more: number
    isDigest: boolean
    unsubscribe: string
  },
): Mail {
  const { items, more, isDigest, unsubscribe } = news
  const [first] = items
  const count = items.length + more
  const isOne = count === 1 && first !== undefined && !isDigest
  const plural = `${count} new ${count === 1 ? 'release' : 'releases'}`
  const subject = isOne
    ? `New on ${brandName}: ${first.title}`
    : `${plural} on ${brandName}${isDigest ? ' this week' : ''}`
  return {
    to,
    own: markCustomTexts('release', 2, { count: String(count) }),
    subject: shorten(subject),
    paragraphs: [
      'Hello,',
      isOne ? `${brandName} has new music for you:` : `${brandName} has ${plural} for you:`,
      ...(more > 0 ? [`These are the newest. ${more} more are in the app.`] : []),
    ],
    items,
    button: isOne
      ? { label: 'Listen', link: first.link }
      : { label: 'Listen', link: `${publicUrl}/browse?view=releases` },
    closing: `You get this email because you subscribed to news about music in your profile: ${publicUrl}${newsPreferencesPath}`,
    unsubscribe: { label: 'Stop emails about releases', link: unsubscribe },
    validSeconds: 3 * daySeconds,
  }
}

export function announcementMail(
  to: string,
  { publicUrl, brandName }: Site,
  words: { subject: string; html: string; text: string; unsubscribe: string },
): Mail {
  const { subject, html, text, unsubscribe } = words
  return {
    to,
    subject,
    paragraphs: [],
    body: { html, text },
    button: { label: `Open ${brandName}`, link: publicUrl },
    closing: `You get this email because you subscribed to announcements in your profile: ${publicUrl}${newsPreferencesPath}`,
    unsubscribe: { label: 'Stop announcement emails', link: unsubscribe },
    validSeconds: 3 * daySeconds,
  }
}

function shorten(text: string): string {
  return text.length <= subjectLength ? text : `${text.slice(0, subjectLength - 1).trimEnd()}…`
}

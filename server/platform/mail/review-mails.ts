// To creators, about what they have submitted.
import type { Mail } from './mail-texts.ts'
import { ownWords } from './own-words.ts'

interface Site {
  publicUrl: string
  brandName: string
}

interface Submission {
  title: string
  /** Of the editor. Empty: there is none. */
  note: string
}

const validSeconds = 7 * 24 * 3600
const subjectLength = 78

const shorten = (text: string) =>
  text.length <= subjectLength ? text : `${text.slice(0, subjectLength - 1).trimEnd()}…`

const noteOf = (note: string) => (note === '' ? [] : [`The editor wrote: ${note}`])

export function reviewPublishedMail(
  to: string,
  { publicUrl, brandName }: Site,
  { title, note }: Submission,
): Mail {
  return {
    to,
    own: ownWords('review_published', 1, { title }),
    subject: shorten(`Published on ${brandName}: ${title}`),
    paragraphs: ['Hello,', `“${title}” was reviewed and is published.`, ...noteOf(note)],
    button: { label: 'See it', link: `${publicUrl}/admin/reviews` },
    closing: 'There is nothing to do.',
    validSeconds,
  }
}

export function reviewReturnedMail(
  to: string,
  { publicUrl, brandName }: Site,
  { title, note }: Submission,
): Mail {
  return {
    to,
    own: ownWords('review_returned', 1, { title }),
    subject: shorten(`Please look at this again for ${brandName}: ${title}`),
    paragraphs: ['Hello,', `“${title}” was reviewed and sent back to you.`, ...noteOf(note)],
    button: { label: 'Open it', link: `${publicUrl}/admin/reviews` },
    closing: 'Change what is needed, then send it for review again.',
    validSeconds,
  }
}

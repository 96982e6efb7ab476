// Emails to creators about their submissions.
import type { Mail } from './mail-texts.ts'
import { markCustomTexts } from './custom-texts.ts'

interface Site {
  publicUrl: string
  brandName: string
}

interface Submission {
  title: string
  /** The editor's note to the creator. Empty if there is none. */
  note: string
}

const validSeconds = 7 * 24 * 3600
const subjectLength = 78

const shorten = (text: string) =>
  text.length <= subjectLength ? text : `${text.slice(0, subjectLength - 1).trimEnd()}…`

const formatNote = (note: string) => (note === '' ? [] : [`The editor wrote: ${note}`])

export function reviewPublishedMail(
  to: string,
  { publicUrl, brandName }: Site,
  { title, note }: Submission,
): Mail {
  return {
    to,
    own: markCustomTexts('review_published', 1, { title }),
    subject: shorten(`Published on ${brandName}: ${title}`),
    paragraphs: ['Hello,', `“${title}” was reviewed and published.`, ...formatNote(note)],
    button: { label: 'View it', link: `${publicUrl}/admin/reviews` },
    closing: 'No action is needed.',
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
    own: markCustomTexts('review_returned', 1, { title }),
    subject: shorten(`Please revise this for ${brandName}: ${title}`),
    paragraphs: ['Hello,', `“${title}” was reviewed and returned to you.`, ...formatNote(note)],
    button: { label: 'Open it', link: `${publicUrl}/admin/reviews` },
    closing: 'Make the changes, then submit it for review again.',
    validSeconds,
  }
}

// Builds the emails about the end of a plan.
import type { Mail } from './mail-texts.ts'
import { markCustomTexts, planName } from './custom-texts.ts'

interface Site {
  publicUrl: string
  brandName: string
}

/** An email that is still unsent after this time is not sent. */
const validSeconds = 3 * 24 * 3600

const stays = 'You keep your playlists, your likes and the artists you follow.'

/** `ends_at` is null if the end of the plan is not known. */
export function planCanceledMail(
  to: string,
  { publicUrl, brandName }: Site,
  { ends_at }: { ends_at: string | null },
): Mail {
  const end = ends_at === null ? 'the end of the paid period' : ends_at.slice(0, 10)
  return {
    to,
    own: markCustomTexts('plan_canceled', 1, { plan: planName, date: end }),
    subject: `Your ${brandName} Premium is canceled`,
    paragraphs: [
      'Hello,',
      `Premium is canceled. You keep it until ${end}, and nothing more will be charged.`,
      `${stays} Until that day you can resume Premium in your profile:`,
    ],
    button: { label: 'Open your profile', link: `${publicUrl}/profile` },
    closing: 'If you did not cancel, resume Premium in your profile and choose a new password.',
    validSeconds,
  }
}

export function planEndedMail(
  to: string,
  { publicUrl, brandName }: Site,
  { ended_at }: { ended_at: string },
): Mail {
  return {
    to,
    own: markCustomTexts('plan_ended', 1, { plan: planName, date: ended_at.slice(0, 10) }),
    subject: `Your ${brandName} Premium has ended`,
    paragraphs: [
      'Hello,',
      `Premium ended on ${ended_at.slice(0, 10)}. Your account continues for free.`,
      `${stays} You can subscribe to Premium again at any time:`,
    ],
    button: { label: 'View the plans', link: `${publicUrl}/subscribe` },
    closing: 'No action is needed.',
    validSeconds,
  }
}

// For tests: one of each mail that the service sends, and of each variant.
import * as memberMails from '../member-mails.ts'
import * as texts from '../mail-texts.ts'
import type { Mail } from '../mail-texts.ts'
import { paymentFailedMail } from '../payment-failed-mail.ts'

const to = 'ada.with.a.rather.long.address@subdomain.of.music.example'
const site = { publicUrl: 'https://music.example', brandName: 'Velour' }
const token = 'c8Vt2mQ9xLrT5yW1'.repeat(6)
const link = `${site.publicUrl}/auth?token=${token}&next=%2Fauth`
const at = new Date('2026-11-25T10:00:00Z')
const key = { name: 'A-name-without-any-space-'.repeat(3), address: '2001:db8::7', at }
const unpaid = { amount_cents: 999, currency: 'usd' }
const began = { message: 'A disk fills.\nIt has 2 GB left.', began_at: '2026-11-25T10:00:00.000Z' }

/** By the name of the function that writes it. */
export const sampleMails: Record<string, Mail[]> = {
  passwordResetMail: [texts.passwordResetMail(to, site.brandName, link)],
  confirmAddressMail: [texts.confirmAddressMail(to, site.brandName, link)],
  accountExistsMail: [texts.accountExistsMail(to, site.brandName, link)],
  testMail: [texts.testMail(to, site)],
  passwordChangedMail: [texts.passwordChangedMail(to, site)],
  passwordGuessedMail: [texts.passwordGuessedMail(to, site, link)],
  twoFactorChangedMail: (['on', 'off', 'removed by an admin', 'removed by a reset'] as const).map(
    (change) => texts.twoFactorChangedMail(to, site, change),
  ),
  newDeviceMail: [
    texts.newDeviceMail(to, site, { device: 'Firefox on Linux', address: '203.0.113.7', at }),
  ],
  alertMail: (['began', 'continues', 'resolved'] as const).map((state) =>
    texts.alertMail(to, site, 'Disk space', { state, ...began }),
  ),
  invitationMail: [
    { inviter: 'Ada Lovelace', isPremium: true },
    { inviter: '', isPremium: false },
  ].map((facts) =>
    memberMails.invitationMail(to, site.brandName, {
      ...facts,
      link: `${site.publicUrl}/auth#invitation=${token}`,
      days: 7,
    }),
  ),
  welcomeMail: [memberMails.welcomeMail(to, site)],
  supportAnswerMail: [
    memberMails.supportAnswerMail(to, site, {
      subject: 'No sound on my phone',
      text: 'Hello Ada,\n\nplease update the app: version 2 plays it.\nWe are sorry.\n\nMira',
      replyTo: 'hello@music.example',
    }),
  ],
  newKeyMail: (['app', 'feed', 'access_token'] as const).map((kind) =>
    memberMails.newKeyMail(to, site, { kind, ...key }),
  ),
  paymentFailedMail: [
    paymentFailedMail(to, site, {
      ...unpaid,
      reason: 'insufficient_funds',
      premium_until: at.toISOString(),
      pay_url: link,
    }),
    paymentFailedMail(to, site, {
      ...unpaid,
      reason: 'unknown',
      premium_until: null,
      pay_url: null,
    }),
  ],
}

// One email of each kind with sample data, for previews and test emails.
import type { MailKind } from '#contract/mail/mail-kinds.ts'
import { giftMail, giftReceiptMail } from './gift-mails.ts'
import * as texts from './mail-texts.ts'
import type { Mail } from './mail-texts.ts'
import * as member from './member-mails.ts'
import { releaseMail } from './news-mails.ts'
import { paymentFailedMail } from './payment-failed-mail.ts'
import * as payment from './payment-mails.ts'
import { planCanceledMail, planEndedMail } from './plan-mails.ts'
import { reviewPublishedMail, reviewReturnedMail } from './review-mails.ts'

interface Site {
  publicUrl: string
  brandName: string
}

const at = new Date('2027-03-01T09:30:00Z')
const until = at.toISOString()
const amount = { amount_cents: 999, currency: 'usd' }
const gift = {
  ...amount,
  months: 3,
  from_name: 'Ada',
  message: 'Happy birthday.',
  recipient_email: 'mia@example.com',
  send_at: until,
}
const submission = { title: 'Evening Song', note: 'Lovely.' }
const visit = { device: 'Firefox on Windows', address: '203.0.113.7', at }

type MakeSample = (to: string, site: Site) => Mail

/** The links in the samples lead to the start page. */
const samples: Record<MailKind, MakeSample> = {
  confirm_address: (to, { brandName, publicUrl }) =>
    texts.confirmAddressMail(to, brandName, publicUrl),
  welcome: member.welcomeMail,
  invitation: (to, { brandName, publicUrl: link }) =>
    member.invitationMail(to, brandName, { inviter: 'Ada', isPremium: true, link, days: 7 }),
  password_reset: (to, { brandName, publicUrl }) =>
    texts.passwordResetMail(to, brandName, publicUrl),
  password_changed: texts.passwordChangedMail,
  password_guessed: (to, site) => texts.passwordGuessedMail(to, site, site.publicUrl),
  account_exists: (to, { brandName, publicUrl }) =>
    texts.accountExistsMail(to, brandName, publicUrl),
  two_factor_changed: (to, site) => texts.twoFactorChangedMail(to, site, 'on'),
  new_device: (to, site) => texts.newDeviceMail(to, site, visit),
  new_key: (to, site) =>
    member.newKeyMail(to, site, { kind: 'app', name: 'Phone', address: visit.address, at }),
  receipt: (to, site) =>
    payment.receiptMail(to, site, { ...amount, covers_to: until, invoice_url: null }),
  payment_failed: (to, site) =>
    paymentFailedMail(to, site, {
      ...amount,
      reason: 'insufficient_funds',
      premium_until: until,
      pay_url: null,
    }),
  card_expires: (to, site) =>
    payment.cardExpiresMail(to, site, { last4: '4242', expires: '4/2027' }),
  renewal: (to, site) => payment.renewalMail(to, site, { ...amount, renews_at: until }),
  plan_canceled: (to, site) => planCanceledMail(to, site, { ends_at: until }),
  plan_ended: (to, site) => planEndedMail(to, site, { ended_at: until }),
  gift: (to, site) => giftMail(to, site, gift, 'ABCD-EFGH'),
  gift_receipt: (to, site) => giftReceiptMail(to, site, gift, 'ABCD-EFGH'),
  release: (to, site) =>
    releaseMail(to, site, {
      items: [{ title: 'Evening Song', detail: 'Ada', link: site.publicUrl, picture: null }],
      more: 0,
      isDigest: false,
      unsubscribe: site.publicUrl,
    }),
  support_answer: (to, site) =>
    member.supportReplyMail(to, site, {
      subject: 'A question',
      text: 'You can do that in your profile.',
      replyTo: '',
    }),
  review_published: (to, site) => reviewPublishedMail(to, site, submission),
  review_returned: (to, site) => reviewReturnedMail(to, site, submission),
}

export function createSampleMail(kind: MailKind, to: string, site: Site): Mail {
  return samples[kind](to, site)
}

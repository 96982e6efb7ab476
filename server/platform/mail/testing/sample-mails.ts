// For tests: samples of every email that the service sends, with all variants.
import * as memberMails from '../member-mails.ts'
import * as texts from '../mail-texts.ts'
import type { Mail } from '../mail-texts.ts'
import { announcementMail, releaseMail } from '../news-mails.ts'
import * as giftMails from '../gift-mails.ts'
import * as referralMails from '../referral-mails.ts'
import * as paymentMails from '../payment-mails.ts'
import * as priceMails from '../price-mails.ts'
import { reviewPublishedMail, reviewReturnedMail } from '../review-mails.ts'
import * as adminMails from '../admin-mails.ts'
import * as planMails from '../plan-mails.ts'
import { paymentFailedMail } from '../payment-failed-mail.ts'

const to = 'ada.with.a.rather.long.address@subdomain.of.music.example'
const site = { publicUrl: 'https://music.example', brandName: 'Velour' }
const token = 'c8Vt2mQ9xLrT5yW1'.repeat(6)
const link = `${site.publicUrl}/auth?token=${token}&next=%2Fauth`
const at = new Date('2026-11-25T10:00:00Z')
const key = { name: 'A-name-without-any-space-'.repeat(3), address: '2001:db8::7', at }
const unpaid = { amount_cents: 999, currency: 'usd' }
const giftCode = '7K3M-9QXP-2RTV-B6WD'
const gift = {
  months: 3,
  amount_cents: 2997,
  currency: 'usd',
  from_name: 'Ada Lovelace',
  message: 'Happy birthday.\nListen to the whole of it.',
  recipient_email: to,
  send_at: at.toISOString(),
}
const began = { message: 'A disk fills.\nIt has 2 GB left.', began_at: '2026-11-25T10:00:00.000Z' }

const item = {
  title: 'Slow & Bright',
  detail: 'Album by Mira Holt',
  link: `${site.publicUrl}/r/slow-bright`,
  picture: `${site.publicUrl}/media/covers/0191a0c0-0000-7000-8000-0000000000b1/128.jpg`,
}
const longItem = {
  ...item,
  title: 'A-title-without-any-space-'.repeat(7),
  detail: `Track by ${'Somebody with a long name '.repeat(4)}· for Premium members at first`,
  picture: null,
}

const submission = { title: 'Evening Song', note: 'Lovely.' }

/** Keyed by the name of the function that creates the email. */
export const sampleMails: Record<string, Mail[]> = {
  priceChangeMail: [false, true].map((isYearly) =>
    priceMails.priceChangeMail(to, site, {
      old_cents: 999,
      new_cents: 1299,
      currency: 'usd',
      applies_at: '2027-01-14T10:00:00.000Z',
      isYearly,
    }),
  ),
  priceChangeCanceledMail: [
    priceMails.priceChangeCanceledMail(to, site, { old_cents: 980, currency: 'jpy' }),
  ],
  manualPaymentReceiptMail: [
    priceMails.manualPaymentReceiptMail(to, site, { number: 7, ...unpaid, voids: null }),
    priceMails.manualPaymentReceiptMail(to, site, {
      number: 8,
      amount_cents: -999,
      currency: 'usd',
      voids: 7,
    }),
  ],
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
  supportReplyMail: [
    memberMails.supportReplyMail(to, site, {
      subject: 'No sound on my phone',
      text: 'Hello Ada,\n\nplease update the app: version 2 plays it.\nWe are sorry.\n\nMira',
      replyTo: 'hello@music.example',
    }),
  ],
  newKeyMail: (['app', 'feed', 'access_token'] as const).map((kind) =>
    memberMails.newKeyMail(to, site, { kind, ...key }),
  ),
  releaseMail: [
    releaseMail(to, site, { items: [item], more: 0, isDigest: false, unsubscribe: link }),
    releaseMail(to, site, { items: [item, longItem], more: 7, isDigest: false, unsubscribe: link }),
    releaseMail(to, site, { items: [longItem, item], more: 0, isDigest: true, unsubscribe: link }),
  ],
  announcementMail: [
    announcementMail(to, site, {
      subject: 'Concert in May',
      html: '<h2>Concert</h2><p>We play <a href="https://music.example/browse">new songs</a>.</p>',
      text: '## Concert\n\nWe play [new songs](/browse).',
      unsubscribe: link,
    }),
  ],
  giftMail: [giftMails.giftMail(to, site, gift, giftCode)],
  giftReceiptMail: [
    giftMails.giftReceiptMail(to, site, gift, giftCode),
    giftMails.giftReceiptMail(
      to,
      site,
      { ...gift, recipient_email: null, send_at: null },
      giftCode,
    ),
  ],
  referralRewardMail: (
    [
      { months: 1, side: 'referrer', way: 'coupon' },
      { months: 3, side: 'friend', way: 'months' },
    ] as const
  ).map((reward) => referralMails.referralRewardMail(to, site, reward)),
  receiptMail: [
    { covers_to: at.toISOString(), invoice_url: link },
    { covers_to: null, invoice_url: null },
  ].map((facts) => paymentMails.receiptMail(to, site, { ...unpaid, ...facts })),
  cardExpiresMail: [paymentMails.cardExpiresMail(to, site, { last4: '4242', expires: '12/2026' })],
  renewalMail: [paymentMails.renewalMail(to, site, { ...unpaid, renews_at: at.toISOString() })],
  planCanceledMail: [at.toISOString(), null].map((ends_at) =>
    planMails.planCanceledMail(to, site, { ends_at }),
  ),
  supportNoticeMail: [1, 12].map((waiting) =>
    adminMails.supportNoticeMail(to, site, { waiting, subject: 'A question', name: 'Mia' }),
  ),
  figuresMail: [
    adminMails.figuresMail(to, site, {
      start: '2026-11-16',
      end: '2026-11-22',
      figures: [
        { label: 'New members', value: '12', before: '9', path: '/admin/users' },
        { label: 'Money in', value: '$129.87', before: '$99.90', path: '/admin/billing' },
        { label: 'Plays', value: '1,204', before: '981', path: '/admin/insights' },
        { label: 'Messages that wait now', value: '2', before: null, path: '/admin/support' },
      ],
      tracks: [
        { title: 'Evening Song', artist: 'Ada', plays: 88, before: 70, path: '/admin/insights' },
      ],
      unsubscribe: link,
    }),
  ],
  reviewPublishedMail: [reviewPublishedMail(to, site, submission)],
  reviewReturnedMail: [
    reviewReturnedMail(to, site, submission),
    reviewReturnedMail(to, site, { ...submission, title: 'Song '.repeat(30).trim(), note: '' }),
  ],
  planEndedMail: [planMails.planEndedMail(to, site, { ended_at: at.toISOString() })],
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

// For tests: one call for each operation with a declared rate limit. Every call counts against the limit.
import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { createSignedUpload } from '#contract/uploads.ts'
import type { DeclaredLimit } from '#contract/rate-limit.ts'
import type { AuditWorld } from './audit/audit-world.ts'
import type { Caller, Person } from './test-app.ts'

interface LimitedCall {
  who: Caller
  input: { params?: object; query?: object; body?: object }
}

/**
 * The objects that a call may use. `cover` is a picture that cannot be decoded, so that it stays an unused upload.
 */
interface Given {
  world: AuditWorld
  admin: Person
  member: Person
  nobody: Caller
  cover: (owner: Person) => Promise<string>
}

const wrongPassword = { password: 'not the password' }
const wrongCode = { code: '000000' }
const likedRules = {
  match: 'all',
  groups: [{ match: 'all', rules: [{ kind: 'liked', value: true }] }],
  order: 'newest',
  limit: 10,
}
const unknownToken = { token: 'a token that does not exist' }
const newPassword = 'a brand new password'

const calls: Record<string, (given: Given) => LimitedCall | Promise<LimitedCall>> = {
  startCheckout: ({ member }) => ({ who: member, input: { body: { plan: 'monthly' } } }),
  buyGift: ({ member }) => ({
    who: member,
    input: {
      body: { months: 1, from_name: 'Ada', recipient_email: null, message: '', send_on: null },
    },
  }),
  createReferralLink: ({ member }) => ({ who: member, input: {} }),
  getReferralOffer: ({ nobody }) => ({
    who: nobody,
    input: { params: { referral_code: '0000000000' } },
  }),
  resendGift: ({ admin }) => ({ who: admin, input: { params: { gift_id: randomUUID() } } }),
  redeemGift: ({ member }) => ({ who: member, input: { body: { code: 'NONE' } } }),
  checkPromotionCode: ({ member }) => ({ who: member, input: { body: { code: 'NONE' } } }),
  cancelSubscription: ({ member }) => ({ who: member, input: { body: { feedback: null } } }),
  resumeSubscription: ({ member }) => ({ who: member, input: {} }),
  acceptRetentionOffer: ({ member }) => ({ who: member, input: {} }),
  openBillingPortal: ({ member }) => ({ who: member, input: {} }),
  createSignedUpload: ({ member }) => ({
    who: member,
    input: { body: { bucket: 'covers', filename: 'a.png', mime: 'image/png' } },
  }),
  downloadMyData: ({ member }) => ({ who: member, input: {} }),
  exportUsers: ({ admin }) => ({ who: admin, input: {} }),
  exportAuditLog: ({ admin }) => ({ who: admin, input: {} }),
  exportInsights: ({ admin }) => ({
    who: admin,
    input: { query: { start: '2026-01-01', end: '2026-01-31' } },
  }),
  startImport: ({ admin }) => ({ who: admin, input: { body: { archive_path: 'none' } } }),
  exportRoyalties: ({ admin }) => ({ who: admin, input: { query: { month: '2026-10' } } }),
  startServerImport: ({ admin }) => ({
    who: admin,
    input: { body: { address: 'https://music.example', login: { api_key: 'key' } } },
  }),
  exportCatalogue: ({ admin }) => ({ who: admin, input: {} }),
  downloadBackup: ({ admin }) => ({ who: admin, input: { params: { name: 'none' } } }),
  resetUserPassword: ({ admin }) => ({ who: admin, input: { params: { id: randomUUID() } } }),
  sendTestMail: ({ admin }) => ({ who: admin, input: {} }),
  testBounceMailbox: ({ admin }) => ({ who: admin, input: {} }),
  testMailWords: ({ admin }) => ({
    who: admin,
    input: {
      params: { kind: 'welcome' },
      body: { subject: null, opening: null, closing: null },
    },
  }),
  checkStripeKey: ({ admin }) => ({ who: admin, input: { body: {} } }),
  setStripeKey: ({ admin }) => ({ who: admin, input: { body: { key: 'sk_test_12345' } } }),
  connectStripeWebhook: ({ admin }) => ({ who: admin, input: {} }),
  checkMailDomain: ({ admin }) => ({ who: admin, input: {} }),
  testAnnouncement: ({ admin }) => ({ who: admin, input: { params: { id: randomUUID() } } }),
  createPushSubscription: ({ member }) => ({
    who: member,
    input: {
      body: { endpoint: 'https://push.example/', keys: { p256dh: 'none', auth: 'none' } },
    },
  }),
  createSupportThread: ({ member }) => ({
    who: member,
    input: { body: { subject: 'Hello', text: 'Hello.' } },
  }),
  addSupportMessage: ({ member }) => ({
    who: member,
    input: { params: { id: randomUUID() }, body: { text: 'Hello.' } },
  }),
  answerSupportThread: ({ admin }) => ({
    who: admin,
    input: { params: { id: randomUUID() }, body: { text: 'Hello.' } },
  }),
  createInvitation: ({ admin }) => ({
    who: admin,
    input: { body: { email: `${randomUUID()}@velour.test` } },
  }),
  createInvitations: ({ admin }) => ({
    who: admin,
    input: { body: { people: [{ email: `${randomUUID()}@velour.test` }] } },
  }),
  resendInvitation: ({ admin }) => ({ who: admin, input: { params: { id: randomUUID() } } }),
  recordShare: ({ nobody }) => ({
    who: nobody,
    input: { body: { kind: 'track', slug: 'none' } },
  }),
  createPressLink: async ({ admin, world }) => ({
    who: admin,
    input: { body: { kind: 'artist', item_id: await world.artist(), label: 'The Wire' } },
  }),
  sendWebhookTest: ({ admin }) => ({ who: admin, input: { params: { id: randomUUID() } } }),
  recordNotFoundVisit: ({ nobody }) => ({ who: nobody, input: { body: { path: '/gone' } } }),

  signUp: ({ nobody }) => ({
    who: nobody,
    input: { body: { email: `${randomUUID()}@velour.test`, password: newPassword } },
  }),
  signIn: ({ nobody, member: { email } }) => ({
    who: nobody,
    input: { body: { email, ...wrongPassword } },
  }),
  requestPasswordReset: ({ nobody, member: { email } }) => ({
    who: nobody,
    input: { body: { email } },
  }),
  resetPassword: ({ nobody }) => ({
    who: nobody,
    input: { body: { token: 'none', newPassword } },
  }),
  openInvitation: ({ nobody }) => ({ who: nobody, input: { body: unknownToken } }),
  acceptInvitation: ({ nobody }) => ({
    who: nobody,
    input: { body: { ...unknownToken, password: newPassword } },
  }),
  openSetup: ({ nobody }) => ({ who: nobody, input: { body: { code: 'none' } } }),
  createFirstAdmin: ({ nobody }) => ({
    who: nobody,
    input: {
      body: { code: 'none', brand_name: 'Late', email: 'a@velour.test', password: newPassword },
    },
  }),
  confirmEmail: ({ nobody }) => ({ who: nobody, input: { query: { token: 'none' } } }),
  sendConfirmation: async (given) => ({
    who: await unconfirmedMember(given),
    input: { body: {} },
  }),
  enableTwoFactor: ({ member }) => ({ who: member, input: { body: wrongPassword } }),
  generateBackupCodes: ({ member }) => ({ who: member, input: { body: wrongPassword } }),
  disableTwoFactor: ({ member }) => ({ who: member, input: { body: wrongPassword } }),
  confirmSession: ({ member }) => ({ who: member, input: { body: wrongPassword } }),

  updateProfile: async ({ member, cover }) => ({
    who: member,
    input: { body: { avatar_path: await cover(member) } },
  }),
  updatePlaylist: async ({ member, cover }) => ({
    who: member,
    input: { params: { id: randomUUID() }, body: { cover_path: await cover(member) } },
  }),
  previewSmartPlaylist: ({ member }) => ({ who: member, input: { body: { rules: likedRules } } }),
  createPlaylistInvitation: ({ member }) => ({
    who: member,
    input: { params: { id: randomUUID() }, body: { role: 'viewer' } },
  }),
  openPlaylistInvitation: ({ member }) => ({ who: member, input: { body: unknownToken } }),
  acceptPlaylistInvitation: ({ member }) => ({ who: member, input: { body: unknownToken } }),
  createCategory: async ({ admin, cover }) => ({
    who: admin,
    input: { body: { category: 'new', display_name: 'New', cover_path: await cover(admin) } },
  }),
  updateCategory: async ({ admin, cover }) => ({
    who: admin,
    input: { params: { id: randomUUID() }, body: { cover_path: await cover(admin) } },
  }),
  changeAdminPlaylists: async ({ admin, cover }) => ({
    who: admin,
    input: { body: { action: 'create', title: 'New', cover_path: await cover(admin) } },
  }),
  changeAdminTracks: async ({ world, admin, cover }) => {
    const audio_path = await world.upload('audio')
    const body = { action: 'create', title: 'New', artist: 'Ada', audio_path }
    return { who: admin, input: { body: { ...body, cover_path: await cover(admin) } } }
  },
  updateAdminTrack: async ({ admin, cover }) => ({
    who: admin,
    input: { params: { id: randomUUID() }, body: { cover_path: await cover(admin) } },
  }),
  importTrack: async ({ world, admin, cover }) => {
    const body = { audio_path: await world.upload('audio'), batch: randomUUID() }
    return { who: admin, input: { body: { ...body, cover_path: await cover(admin) } } }
  },
}

/** Calls of operations with several limits, by operation and limit. */
const callsOfLimits: typeof calls = {
  'createPlaylist playlist': ({ member }) => ({ who: member, input: { body: { title: 'New' } } }),
  'createPlaylist picture': async ({ member, cover }) => ({
    who: member,
    input: { body: { title: 'New', cover_path: await cover(member) } },
  }),
  'verifyTotp second-factor-address': ({ nobody }) => ({ who: nobody, input: { body: wrongCode } }),
  'verifyTotp own-settings': ({ member }) => ({ who: member, input: { body: wrongCode } }),
  'verifyBackupCode second-factor-address': ({ nobody }) => ({
    who: nobody,
    input: { body: wrongCode },
  }),
  'verifyBackupCode own-settings': ({ member }) => ({ who: member, input: { body: wrongCode } }),
}

/** Creates new people and objects, so that no earlier call counts against the limit. */
export async function prepareLimitedCall(
  world: AuditWorld,
  name: string,
  limit: DeclaredLimit,
): Promise<LimitedCall> {
  const prepare = callsOfLimits[`${name} ${limit.name}`] ?? calls[name]
  if (!prepare) throw new Error(`Add a call of ${name} that counts against ${limit.name}`)
  const { app, admin, person } = world
  const cover = (owner: Person) => uploadBrokenCover(app.url, owner)
  return prepare({ world, admin, member: await person(), nobody: app.nobody, cover })
}

async function unconfirmedMember({ world: { app }, member }: Given): Promise<Caller> {
  const profiles = app.services.db.query.updateTable('profiles')
  await profiles.set({ email_verified: false }).where('id', '=', member.id).execute()
  return app.signIn(member.email)
}

async function uploadBrokenCover(url: string, owner: Person): Promise<string> {
  const create = { width: 64, height: 64, channels: 3, background: '#7a3b52' } as const
  const whole = await sharp({ create: { ...create, noise: { type: 'gaussian', sigma: 30 } } })
    .png()
    .toBuffer()
  const bytes = new Uint8Array(whole.subarray(0, whole.length / 2))
  const file = { bucket: 'covers', filename: 'a.png', mime: 'image/png' } as const
  const { body } = await owner.call(createSignedUpload, { body: { ...file, size: bytes.length } })
  const { status } = await fetch(`${url}${body.uploadUrl}`, {
    method: 'PUT',
    headers: {
      cookie: owner.cookie,
      'upload-token': body.uploadToken,
      'content-type': 'image/png',
    },
    body: bytes,
  })
  if (status !== 204) throw new Error(`The upload returned ${status}`)
  return body.path
}

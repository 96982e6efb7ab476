// Audit cases of people: accounts, their keys, invitations and announcements.
import { createAccessToken, revokeAccessToken } from '#contract/access-tokens.ts'
import { runBillingAction } from '#contract/admin/admin-billing.ts'
import { changePeople } from '#contract/admin/admin-bulk.ts'
import * as announcements from '#contract/announcements.ts'
import * as invitations from '#contract/admin/admin-invitations.ts'
import * as people from '#contract/admin/admin-people.ts'
import * as users from '#contract/admin/admin-users.ts'
import type { CallInput } from '#contract/endpoint.ts'
import type { AuditWorld } from './audit-world.ts'
import {
  type AuditCase,
  createAuditCase,
  createCaseById,
  createPersonId,
  createBannedPersonId,
} from './audit-case.ts'

export const manual = {
  action: 'manual_update_subscription',
  tier: 'premium',
  status: 'active',
  payment_method: 'cash',
} as const

export async function createManualSubscriber({ admin, person }: AuditWorld): Promise<string> {
  const { id: user_id } = await person()
  await admin.call(runBillingAction, { body: { ...manual, user_id } })
  return user_id
}

const bulk = (
  entry: AuditCase['entry'],
  change: CallInput<typeof changePeople>['body']['change'],
  make: (world: AuditWorld) => Promise<string> = createPersonId,
) =>
  createAuditCase(changePeople, entry, async (world) => {
    const id = await make(world)
    return { input: { body: { selection: { ids: [id] }, change } }, entity_id: id }
  })

export const peopleCases: AuditCase[] = [
  createAuditCase(users.createAdminUser, 'create user', async ({ name }) => ({
    input: {
      body: { email: `${name('made').replace(' ', '-')}@velour.test`, password: 'a-long-password' },
    },
  })),
  createCaseById(users.updateUser, 'update user', createPersonId, { display_name: 'Renamed' }),
  createCaseById(users.updateUserRole, 'update user', createPersonId, { role: 'editor' }),
  createCaseById(users.updateUserRole, 'ban user', createPersonId, { role: 'banned' }),
  createCaseById(users.updateUserSubscription, 'update user', createPersonId, {
    subscription_tier: 'premium',
  }),
  createCaseById(users.banUser, 'ban user', createPersonId),
  createCaseById(
    users.unbanUser,
    'unban user',
    async ({ app }) => (await app.makePerson({ banned: true })).id,
  ),
  createCaseById(users.resetUserPassword, 'update user', createPersonId),
  createCaseById(people.removeTwoFactor, 'update user', async (world) => {
    const id = await createPersonId(world)
    await world.app.services.db.query
      .updateTable('profiles')
      .set({ two_factor_enabled: true })
      .where('id', '=', id)
      .execute()
    return id
  }),
  createCaseById(users.deleteUser, 'delete user', createPersonId),
  createCaseById(people.dismissDeletionRequest, 'update user', createPersonId),
  createCaseById(people.endPersonSessions, 'update user', createPersonId),
  createAuditCase(people.endPersonSession, 'update user', async (world) => {
    const { id } = await world.person()
    const { body } = await world.admin.call(people.listPersonSessions, { params: { id } })
    return { input: { params: { id, session_id: body.data[0]!.id } }, entity_id: id }
  }),
  createCaseById(people.addPersonNote, 'update user', createPersonId, { body: 'Wrote to us' }),
  createAuditCase(people.deletePersonNote, 'update user', async (world) => {
    const { id } = await world.person()
    const note = { params: { id }, body: { body: 'Wrote to us' } }
    const { body } = await world.admin.call(people.addPersonNote, note)
    return { input: { params: { id, note_id: body.id } }, entity_id: id }
  }),
  bulk('ban user', { kind: 'ban' }),
  bulk('unban user', { kind: 'unban' }, createBannedPersonId),
  bulk('update user', { kind: 'role', role: 'editor' }),
  bulk('update subscription', { kind: 'plan', tier: 'premium' }),
  bulk('update subscription', { kind: 'status', status: 'active' }),
  bulk(
    'update subscription',
    { kind: 'payment_method', payment_method: 'check' },
    createManualSubscriber,
  ),
  bulk('update subscription', { kind: 'note', note: 'Paid at the door' }),
]

export const tokenCases: readonly AuditCase[] = [
  createAuditCase(createAccessToken, 'create access_token', async () => ({
    input: { body: { name: 'Script', scopes: ['read' as const] } },
  })),
  createCaseById(revokeAccessToken, 'delete access_token', async ({ admin }) => {
    const body = { name: 'Script', scopes: ['admin' as const] }
    return (await admin.call(createAccessToken, { body })).body.data.id
  }),
]

/** Sets the email's time to an hour ago, so that it can be resent. */
async function anInvitation({ admin, app, name }: AuditWorld): Promise<string> {
  const body = { email: `${name('guest').replace(' ', '-')}@velour.test` }
  const { id } = (await admin.call(invitations.createInvitation, { body })).body
  const sent_at = new Date(Date.now() - 3_600_000).toISOString()
  const rows = app.services.db.query.updateTable('invitations')
  await rows.set({ sent_at }).where('id', '=', id).execute()
  return id
}

export const invitationCases: readonly AuditCase[] = [
  createAuditCase(invitations.createInvitation, 'create invitation', async ({ name }) => ({
    input: {
      body: { email: `${name('guest').replace(' ', '-')}@velour.test`, role: 'editor' as const },
    },
  })),
  createAuditCase(invitations.createInvitations, 'create invitation', async ({ name }) => ({
    input: { body: { people: [{ email: `${name('guest').replace(' ', '-')}@velour.test` }] } },
  })),
  createAuditCase(invitations.previewInvitations, null, async () => ({
    input: { body: { csv: 'email\nguest@velour.test' } },
  })),
  createCaseById(invitations.resendInvitation, 'update invitation', anInvitation),
  createCaseById(invitations.revokeInvitation, 'delete invitation', anInvitation),
]

const announcementBody = { subject: 'News', body: 'Words', audience: 'all' as const }

/** Creates the draft of an announcement. */
async function anAnnouncement({ admin }: AuditWorld): Promise<string> {
  return (await admin.call(announcements.createAnnouncement, { body: announcementBody })).body.id
}

/** Creates a person who agreed to announcements. */
async function aReader({ app }: AuditWorld): Promise<string> {
  const { id } = await app.makePerson()
  const { query } = app.services.db
  await query.updateTable('profiles').set({ email_verified: true }).where('id', '=', id).execute()
  await query.insertInto('news_preferences').values({ user_id: id, announcements: true }).execute()
  return id
}

export const announcementCases: readonly AuditCase[] = [
  createAuditCase(announcements.createAnnouncement, 'create announcement', async () => ({
    input: { body: announcementBody },
  })),
  createCaseById(
    announcements.updateAnnouncement,
    'update announcement',
    anAnnouncement,
    announcementBody,
  ),
  createCaseById(announcements.deleteAnnouncement, 'delete announcement', anAnnouncement),
  createAuditCase(announcements.previewAnnouncement, null, async () => ({
    input: { body: announcementBody },
  })),
  createCaseById(announcements.sendAnnouncement, 'publish announcement', async (world) => {
    await aReader(world)
    return anAnnouncement(world)
  }),
  createCaseById(announcements.resumeAddress, 'update user', async (world) => {
    const user_id = await aReader(world)
    await world.app.services.db.query
      .insertInto('refused_addresses')
      .values({ user_id, email: 'gone@velour.test', refusals: 3, reason: 'no such person' })
      .execute()
    return user_id
  }),
]

// Checks for every operation of the contract whether it needs a confirmation with password or code, and whether it is
// refused without one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isStaffAccess } from '#contract/access.ts'
import type { Endpoint } from '#contract/endpoint.ts'
import { findContractEndpoints } from '../../testing/contract-endpoints.ts'
import { backdateConfirmation } from '../../testing/session-age.ts'
import { createTestApp, type Person, type TestApp } from '../../testing/test-app.ts'
import { toJsonSchema } from './openapi/json-schema.ts'

const endpoints = await findContractEndpoints()

/** Operations that isDangerous matches, with the reason why they need no confirmation. */
const exceptions: Record<string, string> = {
  endPersonSession: 'Protects an account. A new sign-in undoes it.',
  endPersonSessions: 'Protects an account. A new sign-in undoes it.',
  dismissDeletionRequest: 'Keeps the account.',
  updateAdminTrack: 'Its role is the one of a credit, not of an account.',
  revokeInvitation: 'Withdraws an offer. A new invitation undoes it.',
  deletePressLink: 'Revokes access that was given out. A new link undoes it.',
  deleteLegalPage: 'Removes a draft that was never published.',
  deleteAnnouncement: 'Removes a draft that was never sent.',
  resumeAddress: 'Resumes emails that the member has agreed to.',
  unlinkTrackVersion: 'Deletes no track. Linking it again undoes it.',
  discardFailedJob: 'Removes the record of a failed job, but no data of people or the catalogue.',
}

/**
 * Whether an operation deletes or exports something, changes a role, or receives a secret or a setting about second
 * factors.
 */
function isDangerous({ access, method, audit, body, produces }: Endpoint): boolean {
  if (!isStaffAccess(access)) return false
  const entries = typeof audit === 'object' && !('unaudited' in audit) ? Object.values(audit) : []
  const actions: readonly string[] = entries.flat()
  const fields = body ? JSON.stringify(toJsonSchema(body, 'input')) : ''
  return (
    method === 'DELETE' ||
    produces === 'text/csv' ||
    actions.includes('delete') ||
    actions.includes('export') ||
    /"role":|"[a-z_]*(?:secret|two_factor)[a-z_]*":/.test(fields)
  )
}

test('every deletion, export, role and secret of the back office needs a confirmation', () => {
  const open = endpoints.filter(
    ({ endpoint }) => isDangerous(endpoint) && endpoint.needsConfirmation === undefined,
  )
  expect(open.map(({ name }) => name).toSorted()).toEqual(Object.keys(exceptions).toSorted())
})

test('fields that need a confirmation are fields of the body', () => {
  for (const { name, endpoint } of endpoints) {
    const { needsConfirmation = true, body } = endpoint
    if (needsConfirmation === true) continue
    const schema = body ? JSON.stringify(toJsonSchema(body, 'input')) : ''
    for (const [path, values] of Object.entries(needsConfirmation)) {
      for (const field of path.split('.')) expect(schema, name).toContain(`"${field}":`)
      for (const value of values === 'any value' ? [] : values) {
        expect(schema, name).toContain(`"${value}"`)
      }
    }
  }
})

const id = '0191a0c0-0000-7000-8000-00000000dead'
const plainSettings = {
  preview_length_seconds: 45,
  maintenance_mode: false,
  pricing_monthly_cents: 1,
  pricing_yearly_cents: 1,
  stripe_price_monthly: '',
  stripe_price_yearly: '',
}
const account = { email: 'new@velour.test', password: 'a-good-long-password' }
const nobody = { ids: [id] }

/** Operations that need a confirmation only for some bodies: bodies that need one, and a body that doesn't. */
const bodies: Record<string, { needed: object[]; free: object }> = {
  createAdminUser: {
    needed: ['admin', 'editor', 'creator'].map((role) => ({ ...account, role })),
    free: account,
  },
  changePeople: {
    needed: [{ selection: nobody, change: { kind: 'role', role: 'admin' } }],
    free: { selection: nobody, change: { kind: 'unban' } },
  },
  changeAdminTracks: {
    needed: [{ action: 'delete', id }],
    free: { action: 'create', title: 'x', artist: 'y', audio_path: 'z' },
  },
  changeAdminPlaylists: { needed: [{ action: 'delete', id }], free: { action: 'list' } },
  updateSettings: {
    needed: [
      { action: 'update', settings: { ...plainSettings, stripe_webhook_secret: '••••••••1234' } },
      { action: 'update', settings: { ...plainSettings, stripe_webhook_secret: '' } },
      { action: 'update', settings: { ...plainSettings, admins_need_two_factor: false } },
    ],
    free: { action: 'update', settings: plainSettings },
  },
  createInvitation: {
    needed: ['admin', 'editor', 'creator'].map((role) => ({ email: 'guest@velour.test', role })),
    free: { email: 'guest@velour.test' },
  },
  createInvitations: {
    needed: [{ people: [{ email: 'guest@velour.test' }], role: 'admin' }],
    free: { people: [{ email: 'guest@velour.test' }] },
  },
  updateWebhookEndpoint: {
    needed: [{ url: 'https://hooks.example/' }],
    free: { description: 'x', is_enabled: false },
  },
}

let app: TestApp
let admin: Person

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.makePerson({ role: 'admin' })
  await backdateConfirmation(app, admin.id, 10)
})
afterAll(() => app.close())

async function codeOf({ method, path }: Endpoint, body?: object): Promise<string | undefined> {
  const url = path.replaceAll(/:\w+/g, id)
  return (await admin.send(method, url, body && { body })).code
}

const always = endpoints.filter(({ endpoint }) => endpoint.needsConfirmation === true)
const never = endpoints.filter(
  ({ name, endpoint }) => !endpoint.needsConfirmation && !/signOut|endAllSessions/.test(name),
)

describe('more than 10 minutes after the last confirmation', () => {
  test.each(always)('$name is refused before its input is read', async ({ endpoint }) => {
    expect(await codeOf(endpoint, endpoint.body && {})).toBe('reauthentication_required')
  })

  test.each(never)('$name needs no confirmation', async ({ endpoint }) => {
    expect(await codeOf(endpoint, endpoint.body && {})).not.toBe('reauthentication_required')
  })

  test('operations that need a confirmation for some bodies refuse only those bodies without one', async () => {
    const some = endpoints.filter(({ endpoint }) => typeof endpoint.needsConfirmation === 'object')
    expect(some.map(({ name }) => name).toSorted()).toEqual(Object.keys(bodies).toSorted())
    for (const { name, endpoint } of some) {
      const { needed, free } = bodies[name]!
      for (const body of needed) {
        expect(await codeOf(endpoint, body), name).toBe('reauthentication_required')
      }
      expect(await codeOf(endpoint, free), name).not.toBe('reauthentication_required')
    }
  })
})

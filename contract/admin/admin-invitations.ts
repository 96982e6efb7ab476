// Invitations to create an account, sent by mail.
import * as z from 'zod/mini'
import { displayNameMaxLength } from '../auth.ts'
import { endpoint } from '../endpoint.ts'
import { cleanName } from '../fields/clean-name.ts'
import { timestamp } from '../fields/dates.ts'
import { pageQuery, pagination } from '../fields/pagination.ts'
import { accountInvitationDays } from '../invitations.ts'
import { storedRoles, tiers } from '../plans.ts'
import { adminMailLimit, invitationListLimit } from '../rate-limit.ts'

/** How soon an invitation can be sent again. */
export const resendMinutes = 5

/** Maximum number of people in one list. */
export const maxInvitationRows = 1000
/** Maximum length of a list, in characters. */
export const invitationListMaxLength = 300_000
/** Rate at which the mails of a list are sent. Mail servers could take more for spam. */
export const invitationMailsPerMinute = 30

export const invitationStates = ['waiting', 'open', 'expired', 'void'] as const

export const invitation = z.object({
  id: z.uuid(),
  email: z.string(),
  display_name: z.string(),
  role: z.enum(storedRoles),
  subscription_tier: z.enum(tiers),
  state: z
    .enum(invitationStates)
    .check(
      z.describe(
        '`waiting`: the mail is not sent yet. `void`: it grants a role, and its sender is no longer an admin.',
      ),
    ),
  invited_by: z
    .nullable(z.object({ id: z.uuid(), email: z.string(), display_name: z.string() }))
    .check(z.describe('The admin who sent it. Null: their account was deleted.')),
  created_at: timestamp,
  sent_at: z.nullable(timestamp).check(z.describe('Time of the latest mail. Null: none yet.')),
  expires_at: timestamp,
})
export type Invitation = z.infer<typeof invitation>

const params = z.object({ id: z.uuid() })
const display_name = z.optional(
  z.string().check(z.overwrite(cleanName), z.maxLength(displayNameMaxLength)),
)
/** What the new account gets. */
const given = {
  role: z._default(z.enum(storedRoles), 'member'),
  subscription_tier: z._default(z.enum(tiers), 'free'),
}
const givesRole = { role: storedRoles.filter((role) => role !== 'member') }

export const listInvitations = endpoint({
  method: 'GET',
  path: '/api/admin-invitations',
  summary: 'Invitations that were neither accepted nor revoked, newest first.',
  access: 'admin',
  query: z.object(pageQuery(20)),
  output: z.object({ data: z.array(invitation), pagination }),
})

export const createInvitation = endpoint({
  method: 'POST',
  path: '/api/admin-invitations',
  summary: `Invite a person by mail to create an account. The link works once, for ${accountInvitationDays} days.`,
  access: 'admin',
  creates: true,
  needsConfirmation: givesRole,
  audit: { invitation: ['create'] },
  body: z.object({
    email: z.email('Please enter a valid email address.'),
    display_name,
    ...given,
  }),
  output: invitation,
  rateLimit: adminMailLimit,
  errors: ['invalid_email', 'email_exists', 'invitation_exists'],
})

export const invitationProblems = [
  'no_address',
  'invalid_address',
  'name_too_long',
  'repeated',
  'has_account',
  'already_invited',
] as const
export type InvitationProblem = (typeof invitationProblems)[number]

export const invitationRow = z.object({
  line: z.number().check(z.describe('Line of the file where the row begins, counted from 1.')),
  email: z.string().check(z.describe('The text of the list if it is not a valid address.')),
  display_name: z.string(),
  problem: z
    .nullable(z.enum(invitationProblems))
    .check(z.describe('Why this row is skipped. Null: the person can be invited.')),
})
export type InvitationRow = z.infer<typeof invitationRow>

export const previewInvitations = endpoint({
  method: 'POST',
  path: '/api/admin-invitations/preview',
  summary: `Read a CSV of at most ${maxInvitationRows} people, with a column of addresses and optionally one of names. Invites nobody.`,
  access: 'admin',
  audit: 'reads',
  body: z.object({
    csv: z
      .string()
      .check(z.maxLength(invitationListMaxLength))
      .register(z.globalRegistry, { examples: ['email,name\nada@music.example,Ada'] }),
  }),
  output: z.object({
    rows: z.array(invitationRow).check(z.describe('Each person of the list, in order.')),
  }),
  errors: ['invitation_list_empty', 'invitation_list_too_long'],
})

export const createInvitations = endpoint({
  method: 'POST',
  path: '/api/admin-invitations/batch',
  summary: `Invite many people. Their mails are sent ${invitationMailsPerMinute} a minute. People with an account or an invitation are skipped.`,
  access: 'admin',
  creates: true,
  needsConfirmation: givesRole,
  audit: { invitation: ['create'] },
  body: z.object({
    people: z
      .array(z.object({ email: z.email('Please enter a valid email address.'), display_name }))
      .check(z.minLength(1), z.maxLength(maxInvitationRows), z.describe('The people to invite.')),
    ...given,
  }),
  output: z.object({
    invited: z.number().check(z.describe('Number of people invited.')),
    skipped: z
      .number()
      .check(
        z.describe('Number of people skipped, because they have an account or an invitation.'),
      ),
  }),
  rateLimit: invitationListLimit,
  errors: ['invalid_email'],
})

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/api/admin-invitations/:id/resend',
  summary: `Resend an invitation, with a new link for ${accountInvitationDays} days. Earlier links stop working.`,
  access: 'admin',
  audit: { invitation: ['update'] },
  params,
  output: invitation,
  rateLimit: adminMailLimit,
  errors: ['not_found', 'email_exists', 'invitation_void', 'invitation_just_sent'],
})

export const revokeInvitation = endpoint({
  method: 'DELETE',
  path: '/api/admin-invitations/:id',
  summary: 'Revoke an invitation. Its link stops working.',
  access: 'admin',
  audit: { invitation: ['delete'] },
  params,
  errors: ['not_found'],
})

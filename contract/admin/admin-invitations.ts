// Invitations to create an account, sent by email.
import * as z from 'zod/mini'
import { displayNameMaxLength } from '../auth.ts'
import { endpoint } from '../endpoint.ts'
import { cleanName } from '../fields/clean-name.ts'
import { timestamp } from '../fields/dates.ts'
import { pageQuery, pagination } from '../fields/pagination.ts'
import { accountInvitationDays } from '../invitations.ts'
import { storedRoles, tiers } from '../plans.ts'
import { adminMailLimit, invitationListLimit } from '../rate-limit.ts'

/** Minimum time between two emails of the same invitation. */
export const resendMinutes = 5

/** Maximum number of people per list. */
export const maxInvitationRows = 1000
/** Maximum length of a list, in characters. */
export const invitationListMaxLength = 300_000
/** Rate limit for the emails of one list. Mail servers may treat a higher rate as spam. */
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
        '`waiting`: the email has not been sent yet. `void`: the invitation grants a role, but its sender is no longer an admin.',
      ),
    ),
  invited_by: z
    .nullable(z.object({ id: z.uuid(), email: z.string(), display_name: z.string() }))
    .check(z.describe('The admin who sent it. Null if their account was deleted.')),
  created_at: timestamp,
  sent_at: z
    .nullable(timestamp)
    .check(z.describe('When the latest email was sent. Null if none has been sent yet.')),
  expires_at: timestamp,
})
export type Invitation = z.infer<typeof invitation>

const params = z.object({ id: z.uuid() })
const display_name = z.optional(
  z.string().check(z.overwrite(cleanName), z.maxLength(displayNameMaxLength)),
)
/** Role and plan of the new account. */
const given = {
  role: z._default(z.enum(storedRoles), 'member'),
  subscription_tier: z._default(z.enum(tiers), 'free'),
}
const givesRole = { role: storedRoles.filter((role) => role !== 'member') }

export const listInvitations = endpoint({
  method: 'GET',
  path: '/api/admin-invitations',
  summary: 'Open invitations, neither accepted nor revoked, newest first.',
  access: 'admin',
  query: z.object(pageQuery(20)),
  output: z.object({ data: z.array(invitation), pagination }),
})

export const createInvitation = endpoint({
  method: 'POST',
  path: '/api/admin-invitations',
  summary: `Invite a person by email to create an account. The link can be used once, within ${accountInvitationDays} days.`,
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
  line: z.number().check(z.describe('The line of the file where the row begins, counting from 1.')),
  email: z
    .string()
    .check(z.describe('The text as it appears in the list if it is not a valid address.')),
  display_name: z.string(),
  problem: z
    .nullable(z.enum(invitationProblems))
    .check(z.describe('The reason why this row is skipped. Null if the person can be invited.')),
})
export type InvitationRow = z.infer<typeof invitationRow>

export const previewInvitations = endpoint({
  method: 'POST',
  path: '/api/admin-invitations/preview',
  summary: `Parse a CSV list of at most ${maxInvitationRows} people with a column of email addresses and optionally one of names. Nobody is invited yet.`,
  access: 'admin',
  audit: 'reads',
  body: z.object({
    csv: z
      .string()
      .check(z.maxLength(invitationListMaxLength))
      .register(z.globalRegistry, { examples: ['email,name\nada@music.example,Ada'] }),
  }),
  output: z.object({
    rows: z.array(invitationRow).check(z.describe('The people in the list, in order.')),
  }),
  errors: ['invitation_list_empty', 'invitation_list_too_long'],
})

export const createInvitations = endpoint({
  method: 'POST',
  path: '/api/admin-invitations/batch',
  summary: `Invite several people. ${invitationMailsPerMinute} emails are sent per minute. People who already have an account or an invitation are skipped.`,
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
    invited: z.number().check(z.describe('The number of people invited.')),
    skipped: z
      .number()
      .check(
        z.describe('The number of people skipped because they have an account or an invitation.'),
      ),
  }),
  rateLimit: invitationListLimit,
  errors: ['invalid_email'],
})

export const resendInvitation = endpoint({
  method: 'POST',
  path: '/api/admin-invitations/:id/resend',
  summary: `Resend an invitation with a new link, valid for ${accountInvitationDays} days. Earlier links stop working.`,
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

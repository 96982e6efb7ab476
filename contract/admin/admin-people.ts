// A person's page in the back office, and its parts.
import * as z from 'zod/mini'
import { timestamp } from '../fields/dates.ts'
import { refusalSources } from '../news.ts'
import { adminUser } from './admin-users.ts'
import { coverFields } from '../fields/cover-fields.ts'
import { endpoint } from '../endpoint.ts'
import { pageQuery, pagination } from '../fields/pagination.ts'
import { session } from '../sessions.ts'

const params = z.object({ id: z.uuid() })

export const person = z.extend(adminUser, {
  avatar_url: z.nullable(z.string()),
  email_verified: z.boolean(),
  two_factor_enabled: z.boolean(),
  banned_at: z.nullable(timestamp),
  mail_refusal: z
    .nullable(
      z.object({
        source: z
          .enum(refusalSources)
          .check(
            z.describe(
              '`server`: the mail server rejected the email immediately. `bounce`: a bounce message arrived later.',
            ),
          ),
        reason: z.string().check(z.describe("The mail server's reply, without the address.")),
        refusals: z.number().check(z.describe('The number of consecutive failures.')),
        refused_at: timestamp,
        is_suspended: z
          .boolean()
          .check(z.describe('Whether news is no longer sent to this address.')),
      }),
    )
    .check(z.describe('Set if emails to the address fail permanently, otherwise null.')),
  mail_complaint_at: z
    .nullable(timestamp)
    .check(
      z.describe(
        'When the person last marked an email as spam, which unsubscribed them from news.',
      ),
    ),
  last_seen_at: z
    .nullable(timestamp)
    .check(
      z.describe(
        'The latest activity: a renewed session, a play or an active player. Null if there is none.',
      ),
    ),
  play_count: z.number().check(z.describe('The number of counted plays, all-time.')),
  play_count_30d: z.number(),
  heard_seconds: z.number(),
  like_count: z.number(),
  playlist_count: z.number(),
  session_count: z.number(),
})
export type Person = z.infer<typeof person>

export const getPerson = endpoint({
  method: 'GET',
  path: '/api/admin-users/:id',
  summary: 'A person: account, last activity and listening.',
  access: 'admin',
  params,
  output: person,
  errors: ['user_not_found'],
})

export const personPlay = z.object({
  id: z.uuid(),
  track_id: z.uuid(),
  title: z.string(),
  artist: z.string(),
  ...coverFields,
  is_published: z.boolean(),
  is_preview: z.boolean(),
  completed: z.boolean().check(z.describe('Whether it was played to the end.')),
  is_counted: z.boolean().check(z.describe('Whether it was long enough to count as a play.')),
  heard_seconds: z.number(),
  started_at: timestamp,
})
export type PersonPlay = z.infer<typeof personPlay>

export const listPersonPlays = endpoint({
  method: 'GET',
  path: '/api/admin-users/:id/plays',
  summary: "The person's plays, newest first.",
  access: 'admin',
  params,
  query: z.object({
    limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(200)), 10),
  }),
  output: z.object({ data: z.array(personPlay) }),
  errors: ['user_not_found'],
})

export const listPersonSessions = endpoint({
  method: 'GET',
  path: '/api/admin-users/:id/sessions',
  summary: "The person's sessions, newest first.",
  access: 'admin',
  params,
  output: z.object({ data: z.array(session) }),
  errors: ['user_not_found'],
})

export const endPersonSession = endpoint({
  method: 'DELETE',
  path: '/api/admin-users/:id/sessions/:session_id',
  summary: 'Sign the person out on one device.',
  access: 'admin',
  audit: { user: ['update'] },
  params: z.object({ id: z.uuid(), session_id: z.uuid() }),
  errors: ['user_not_found', 'not_found'],
})

export const endPersonSessions = endpoint({
  method: 'DELETE',
  path: '/api/admin-users/:id/sessions',
  summary: 'Sign the person out on every device.',
  access: 'admin',
  audit: { user: ['update'] },
  params,
  errors: ['user_not_found'],
})

export const removeTwoFactor = endpoint({
  method: 'DELETE',
  path: '/api/admin-users/:id/two-factor',
  summary:
    'Disable the second factor of a person who has lost it. The person is notified by email and then signs in with only the password.',
  access: 'admin',
  needsConfirmation: true,
  audit: { user: ['update'] },
  params,
  errors: ['user_not_found', 'own_two_factor', 'two_factor_off'],
})

/** The account of the author or target of an entry or note. Null for a deleted account or the system. */
const namedPerson = z.nullable(
  z.object({ id: z.uuid(), email: z.string(), display_name: z.string() }),
)

export const noteMaxLength = 4000

export const personNote = z.object({
  id: z.uuid(),
  body: z.string(),
  author: namedPerson,
  created_at: timestamp,
})
export type PersonNote = z.infer<typeof personNote>

export const listPersonNotes = endpoint({
  method: 'GET',
  path: '/api/admin-users/:id/notes',
  summary: 'Internal notes about this person, newest first. Visible only to admins.',
  access: 'admin',
  params,
  output: z.object({ data: z.array(personNote) }),
  errors: ['user_not_found'],
})

export const addPersonNote = endpoint({
  method: 'POST',
  path: '/api/admin-users/:id/notes',
  summary: 'Add an internal note about this person.',
  access: 'admin',
  creates: true,
  audit: { user: ['update'] },
  params,
  body: z.object({
    body: z
      .string()
      .check(
        z.trim(),
        z.minLength(1, 'Please write a note first.'),
        z.maxLength(noteMaxLength, `Please use at most ${noteMaxLength} characters.`),
      ),
  }),
  output: personNote,
  errors: ['user_not_found', 'too_many_notes'],
})

export const deletePersonNote = endpoint({
  method: 'DELETE',
  path: '/api/admin-users/:id/notes/:note_id',
  summary: 'Delete an internal note.',
  access: 'admin',
  needsConfirmation: true,
  audit: { user: ['update'] },
  params: z.object({ id: z.uuid(), note_id: z.uuid() }),
  errors: ['user_not_found', 'not_found'],
})

export const personAuditEntry = z.object({
  id: z.uuid(),
  actor: namedPerson,
  action: z.string(),
  entity: z.string(),
  entity_id: z.nullable(z.string()),
  before: z.unknown().check(z.describe('The values before the change.')),
  after: z.unknown().check(z.describe('The values after the change.')),
  created_at: timestamp,
})
export type PersonAuditEntry = z.infer<typeof personAuditEntry>

export const listPersonAudit = endpoint({
  method: 'GET',
  path: '/api/admin-users/:id/audit',
  summary: 'Audit entries about this person or about changes they made, newest first.',
  access: 'admin',
  params,
  query: z.object({
    side: z._default(z.enum(['about', 'by']), 'about'),
    ...pageQuery(10),
  }),
  output: z.object({ data: z.array(personAuditEntry), pagination }),
  errors: ['user_not_found'],
})

export const dismissDeletionRequest = endpoint({
  method: 'DELETE',
  path: '/api/admin-users/:id/deletion-request',
  summary: "Withdraw the person's deletion request, if they have changed their mind.",
  access: 'admin',
  audit: { user: ['update'] },
  params,
  output: adminUser,
  errors: ['user_not_found'],
})

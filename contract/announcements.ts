// Announcements: emails that the owner writes to members who agreed to receive them. Also lists addresses that are
// suspended after repeated refusals.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { cleanName } from './fields/clean-name.ts'
import { timestamp } from './fields/dates.ts'
import { pageQuery, pagination } from './fields/pagination.ts'
import { adminMailLimit } from './rate-limit.ts'

export const announcementAudiences = ['all', 'free', 'premium'] as const
export type AnnouncementAudience = (typeof announcementAudiences)[number]

export const announcementSubjectMaxLength = 150
export const announcementBodyMaxLength = 20_000

const audience = z
  .enum(announcementAudiences)
  .check(z.describe('Which of the members who agreed to announcements receive it.'))
const text = z.string().check(z.describe('The text in Markdown.'))

export const announcement = z.object({
  id: z.uuid(),
  subject: z.string().check(z.describe('The subject of the email.')),
  body: text,
  audience,
  state: z
    .enum(['draft', 'sending', 'sent'])
    .check(z.describe('`sending` until every email has been processed.')),
  created_at: timestamp,
  sent_at: z.nullable(timestamp).check(z.describe('When sending began. Null for a draft.')),
  recipient_count: z
    .nullable(z.number())
    .check(z.describe('The number of recipients when sending began. Null for a draft.')),
  figures: z
    .object({
      waiting: z.number().check(z.describe('Not sent yet.')),
      sent: z.number().check(z.describe('Accepted by the mail server.')),
      refused: z.number().check(z.describe('Permanently refused by the mail server.')),
      failed: z
        .number()
        .check(z.describe('Not sent after all attempts, or sent with an unknown result.')),
      skipped: z
        .number()
        .check(
          z.describe('Not sent because the person withdrew their consent or cannot be emailed.'),
        ),
    })
    .check(z.describe('The number of emails in each state. Deleted accounts are not counted.')),
})
export type Announcement = z.infer<typeof announcement>

const params = z.object({ id: z.uuid() })
const fields = z.object({
  subject: z
    .string()
    .check(z.overwrite(cleanName), z.minLength(1), z.maxLength(announcementSubjectMaxLength)),
  body: text.check(z.maxLength(announcementBodyMaxLength)),
  audience,
})

export const listAnnouncements = endpoint({
  method: 'GET',
  path: '/api/admin-announcements',
  summary: 'Announcements, newest first, with the number of emails in each state.',
  access: 'admin',
  query: z.object(pageQuery(50)),
  output: z.object({ data: z.array(announcement), pagination }),
})

export const createAnnouncement = endpoint({
  method: 'POST',
  path: '/api/admin-announcements',
  summary: 'Create a draft of an announcement. Nothing is sent.',
  access: 'admin',
  audit: { announcement: ['create'] },
  creates: true,
  body: fields,
  output: announcement,
})

export const updateAnnouncement = endpoint({
  method: 'PUT',
  path: '/api/admin-announcements/:id',
  summary: 'Change a draft of an announcement.',
  access: 'admin',
  audit: { announcement: ['update'] },
  params,
  body: fields,
  output: announcement,
  errors: ['not_found', 'announcement_sent'],
})

export const deleteAnnouncement = endpoint({
  method: 'DELETE',
  path: '/api/admin-announcements/:id',
  summary: 'Delete a draft of an announcement. Sent announcements cannot be deleted.',
  access: 'admin',
  audit: { announcement: ['delete'] },
  params,
  errors: ['not_found', 'announcement_sent'],
})

export const previewAnnouncement = endpoint({
  method: 'POST',
  path: '/api/admin-announcements/preview',
  summary: 'Preview the email that members would receive. Nothing is stored or sent.',
  access: 'admin',
  audit: 'reads',
  body: fields,
  output: z.object({
    html: z.string().check(z.describe('The email as HTML.')),
    text: z.string().check(z.describe('The email as plain text.')),
  }),
})

export const testAnnouncement = endpoint({
  method: 'POST',
  path: '/api/admin-announcements/:id/test',
  summary: "Send an announcement only to the admin's own address.",
  access: 'admin',
  audit: { unaudited: "an email to the admin's own address" },
  rateLimit: adminMailLimit,
  params,
  errors: ['not_found'],
})

export const countAnnouncementRecipients = endpoint({
  method: 'GET',
  path: '/api/admin-announcements/recipients',
  summary: 'The number of members that an announcement would reach now.',
  access: 'admin',
  query: z.object({ audience }),
  output: z.object({
    count: z.number().check(z.describe('Members who have agreed and can be emailed.')),
    minutes: z.number().check(z.describe('Approximately how long sending takes.')),
  }),
})

export const sendAnnouncement = endpoint({
  method: 'POST',
  path: '/api/admin-announcements/:id/send',
  summary:
    'Send an announcement once to the members who agreed to announcements. The emails are sent gradually.',
  access: 'admin',
  audit: { announcement: ['publish'] },
  needsConfirmation: true,
  dependsOnState: true,
  params,
  output: announcement,
  errors: ['not_found', 'announcement_sent', 'announcement_empty', 'announcement_no_recipients'],
})

export const suspendedAddress = z.object({
  user_id: z.uuid(),
  email: z.string(),
  reason: z.string().check(z.describe("The mail server's latest reply, without the address.")),
  refusals: z.number().check(z.describe('Number of consecutive refusals.')),
  suspended_at: timestamp,
})
export type SuspendedAddress = z.infer<typeof suspendedAddress>

export const listSuspendedAddresses = endpoint({
  method: 'GET',
  path: '/api/admin-suspended-addresses',
  summary:
    'Addresses that no longer receive news because the mail server refused them several times in a row.',
  access: 'admin',
  query: z.object(pageQuery(50)),
  output: z.object({ data: z.array(suspendedAddress), pagination }),
})

export const resumeAddress = endpoint({
  method: 'DELETE',
  path: '/api/admin-suspended-addresses/:id',
  summary: "Resume sending news to the person's address.",
  access: 'admin',
  audit: { user: ['update'] },
  params,
  errors: ['not_found'],
})

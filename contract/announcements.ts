// Mails that the owner writes to members who agreed to announcements, and addresses that the mail server refused.
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
  .check(z.describe('Which of those who agreed to announcements get it.'))
const text = z.string().check(z.describe('The words in Markdown.'))

export const announcement = z.object({
  id: z.uuid(),
  subject: z.string().check(z.describe('The subject of the mail.')),
  body: text,
  audience,
  state: z.enum(['draft', 'sending', 'sent']).check(z.describe('Whether it was sent.')),
  created_at: timestamp,
  sent_at: z.nullable(timestamp).check(z.describe('When sending began. Null: a draft.')),
  recipient_count: z
    .nullable(z.number())
    .check(z.describe('How many people it was for when it was sent. Null: a draft.')),
  figures: z
    .object({
      waiting: z.number().check(z.describe('Not sent yet.')),
      sent: z.number().check(z.describe('Accepted by the mail server.')),
      refused: z.number().check(z.describe('Refused by the mail server for good.')),
      failed: z.number().check(z.describe('Given up, or not known whether they arrived.')),
      skipped: z.number().check(z.describe('The person refused meanwhile, or cannot be mailed.')),
    })
    .check(z.describe('What became of its mails. People whose account was deleted do not count.')),
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
  summary: 'Announcements, the newest first, with what became of their mails.',
  access: 'admin',
  query: z.object(pageQuery(50)),
  output: z.object({ data: z.array(announcement), pagination }),
})

export const createAnnouncement = endpoint({
  method: 'POST',
  path: '/api/admin-announcements',
  summary: 'Write the draft of an announcement. Nothing is sent.',
  access: 'admin',
  audit: { announcement: ['create'] },
  creates: true,
  body: fields,
  output: announcement,
})

export const updateAnnouncement = endpoint({
  method: 'PUT',
  path: '/api/admin-announcements/:id',
  summary: 'Change a draft.',
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
  summary: 'Delete a draft. What was sent stays listed.',
  access: 'admin',
  audit: { announcement: ['delete'] },
  params,
  errors: ['not_found', 'announcement_sent'],
})

export const previewAnnouncement = endpoint({
  method: 'POST',
  path: '/api/admin-announcements/preview',
  summary: 'The mail as members would get it. Nothing is stored or sent.',
  access: 'admin',
  audit: 'reads',
  body: fields,
  output: z.object({
    html: z.string().check(z.describe('The mail as a page.')),
    text: z.string().check(z.describe('The mail as text.')),
  }),
})

export const testAnnouncement = endpoint({
  method: 'POST',
  path: '/api/admin-announcements/:id/test',
  summary: "Send an announcement to the admin's own address, and to nobody else.",
  access: 'admin',
  audit: { unaudited: 'a mail to oneself' },
  rateLimit: adminMailLimit,
  params,
  errors: ['not_found'],
})

export const countAnnouncementRecipients = endpoint({
  method: 'GET',
  path: '/api/admin-announcements/recipients',
  summary: 'How many members an announcement would reach now.',
  access: 'admin',
  query: z.object({ audience }),
  output: z.object({
    count: z.number().check(z.describe('Agreed, and can be mailed.')),
    minutes: z.number().check(z.describe('How long sending takes about.')),
  }),
})

export const sendAnnouncement = endpoint({
  method: 'POST',
  path: '/api/admin-announcements/:id/send',
  summary:
    'Send an announcement, once, to the members who agreed to announcements. The mails go out little by little.',
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
  reason: z.string().check(z.describe('What the mail server answered last, without the address.')),
  refusals: z.number().check(z.describe('Refusals in a row.')),
  suspended_at: timestamp,
})
export type SuspendedAddress = z.infer<typeof suspendedAddress>

export const listSuspendedAddresses = endpoint({
  method: 'GET',
  path: '/api/admin-suspended-addresses',
  summary:
    'Addresses that get no more news, because the mail server refused them several times in a row.',
  access: 'admin',
  query: z.object(pageQuery(50)),
  output: z.object({ data: z.array(suspendedAddress), pagination }),
})

export const resumeAddress = endpoint({
  method: 'DELETE',
  path: '/api/admin-suspended-addresses/:id',
  summary: 'Send news to the address of this person again.',
  access: 'admin',
  audit: { user: ['update'] },
  params,
  errors: ['not_found'],
})

// Legal pages in the back office: Markdown drafts and published versions.
import * as z from 'zod/mini'
import { cleanName } from '../fields/clean-name.ts'
import { timestamp } from '../fields/dates.ts'
import { toSlug } from '../fields/slug.ts'
import { readVersion, version } from '../fields/versions.ts'
import { endpoint } from '../endpoint.ts'

export const legalTitleMaxLength = 100
export const legalTextMaxLength = 100_000

const draft = z.string().check(z.describe('The text in Markdown. Visible only to admins.'))
const isShown = z.boolean().check(z.describe('Whether the page is public once it is published.'))

export const adminLegalPage = z.object({
  slug: z.string(),
  title: z.string(),
  draft,
  is_shown: isShown,
  versions: z
    .array(
      z.object({
        number: z.number(),
        title: z.string(),
        published_at: timestamp,
        asks_consent: z
          .boolean()
          .check(z.describe('Whether members are asked to agree to this version.')),
        consents: z.number().check(z.describe('The number of members who agreed to this version.')),
      }),
    )
    .check(z.describe('Published versions, newest first.')),
  is_changed: z.boolean().check(z.describe('Whether the draft differs from the newest version.')),
  version,
})
export type AdminLegalPage = z.infer<typeof adminLegalPage>

const params = z.object({
  slug: z.string().check(
    z.maxLength(60),
    z.refine(
      (slug) => slug === toSlug(slug) && slug !== '',
      'Use lower-case letters, digits and hyphens',
    ),
  ),
})

export const listLegalPages = endpoint({
  method: 'GET',
  path: '/api/admin-legal-pages',
  summary: 'The legal pages with their drafts and versions.',
  access: 'admin',
  output: z.object({ data: z.array(adminLegalPage) }),
})

export const saveLegalPage = endpoint({
  method: 'PUT',
  path: '/api/admin-legal-pages/:slug',
  summary:
    'Save the draft of a legal page. A new page is created if the slug is new. Only admins can read drafts.',
  access: 'admin',
  audit: { settings: ['update'] },
  params,
  body: z.object({
    title: z
      .string()
      .check(z.overwrite(cleanName), z.minLength(1), z.maxLength(legalTitleMaxLength)),
    draft: draft.check(z.maxLength(legalTextMaxLength)),
    is_shown: z.optional(isShown),
    version: readVersion,
  }),
  output: adminLegalPage,
  versionAt: 'version',
  errors: ['changed_meanwhile'],
})

export const publishLegalPage = endpoint({
  method: 'POST',
  path: '/api/admin-legal-pages/:slug/publish',
  summary:
    'Publish the saved draft as a new version. Refused while it contains placeholders in [[ ]]. With `asks_consent`, members are asked to agree to it, which is possible only for the terms.',
  access: 'admin',
  audit: { settings: ['publish'] },
  params,
  body: z.object({
    asks_consent: z.optional(
      z
        .boolean()
        .check(z.describe('Whether members are asked to agree to it at their next visit.')),
    ),
    version: readVersion,
  }),
  output: adminLegalPage,
  versionAt: 'version',
  errors: ['changed_meanwhile', 'legal_page_not_found', 'legal_page_unfinished'],
})

export const previewLegalPage = endpoint({
  method: 'GET',
  path: '/api/admin-legal-pages/:slug/preview',
  summary: 'The saved draft, rendered as a page.',
  access: 'admin',
  params,
  produces: 'text/html',
  errors: ['legal_page_not_found'],
})

export const deleteLegalPage = endpoint({
  method: 'DELETE',
  path: '/api/admin-legal-pages/:slug',
  summary: 'Delete a legal page that has never been published.',
  access: 'admin',
  audit: { settings: ['delete'] },
  params,
  errors: ['legal_page_not_found', 'legal_page_published'],
})

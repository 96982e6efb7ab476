// Legal pages in the back office: drafts in Markdown, and the versions that were published.
import * as z from 'zod/mini'
import { cleanName } from '../fields/clean-name.ts'
import { toSlug } from '../fields/slug.ts'
import { readVersion, version } from '../fields/versions.ts'
import { endpoint } from '../endpoint.ts'

export const legalTitleMaxLength = 100
export const legalTextMaxLength = 100_000

export const adminLegalPage = z.object({
  slug: z.string(),
  title: z.string(),
  /** Markdown. */
  draft: z.string(),
  is_shown: z.boolean(),
  /** Newest first. */
  versions: z.array(
    z.object({
      number: z.number(),
      title: z.string(),
      published_at: z.string(),
      asks_consent: z.boolean(),
      /** Members who agreed to it. */
      consents: z.number(),
    }),
  ),
  /** The draft differs from the newest version. */
  is_changed: z.boolean(),
  version,
})
export type AdminLegalPage = z.infer<typeof adminLegalPage>

const params = z.object({
  slug: z.string().check(
    z.maxLength(60),
    z.refine(
      (slug) => slug === toSlug(slug) && slug !== '',
      'Use small letters, digits and hyphens',
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
    'Save the draft of a legal page, which is created if it is new. Nobody else sees the draft.',
  access: 'admin',
  audit: { settings: ['update'] },
  params,
  body: z.object({
    title: z
      .string()
      .check(z.overwrite(cleanName), z.minLength(1), z.maxLength(legalTitleMaxLength)),
    draft: z.string().check(z.maxLength(legalTextMaxLength)),
    is_shown: z.optional(z.boolean()),
    version: readVersion,
  }),
  output: adminLegalPage,
  errors: ['changed_meanwhile'],
})

export const publishLegalPage = endpoint({
  method: 'POST',
  path: '/api/admin-legal-pages/:slug/publish',
  summary:
    'Publish the saved draft as a new version. Refused while it has parts to fill in, marked with [[ ]]. With asks_consent, members are asked to agree to it; only for terms.',
  access: 'admin',
  audit: { settings: ['publish'] },
  params,
  body: z.object({ asks_consent: z.optional(z.boolean()), version: readVersion }),
  output: adminLegalPage,
  errors: ['changed_meanwhile', 'legal_page_not_found', 'legal_page_unfinished'],
})

export const previewLegalPage = endpoint({
  method: 'GET',
  path: '/api/admin-legal-pages/:slug/preview',
  summary: 'The saved draft as a page.',
  access: 'admin',
  params,
  produces: 'text/html',
  errors: ['legal_page_not_found'],
})

export const deleteLegalPage = endpoint({
  method: 'DELETE',
  path: '/api/admin-legal-pages/:slug',
  summary: 'Delete a legal page that was never published.',
  access: 'admin',
  audit: { settings: ['delete'] },
  params,
  errors: ['legal_page_not_found', 'legal_page_published'],
})

// Legal pages, which are public and rendered by the server, and the members' consent to the terms.
import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { timestamp } from './fields/dates.ts'

/** The legal pages in the footer. Other legal pages are below /legal/. */
export const footerPages = ['terms', 'privacy', 'contact'] as const
export type FooterPage = (typeof footerPages)[number]

export function legalPath(slug: string): string {
  return footerPages.some((page) => page === slug) ? `/${slug}` : `/legal/${slug}`
}

/** A link to a published page. */
export const legalLink = z.object({ slug: z.string(), title: z.string() })
export type LegalLink = z.infer<typeof legalLink>

const asked = z.object({
  number: z.number(),
  title: z.string(),
  published_at: timestamp,
})

export const getTermsConsent = endpoint({
  method: 'GET',
  path: '/api/terms-consent',
  summary: "The version of the terms that requires the member's consent. Null if none does.",
  access: 'member',
  output: z.object({ data: z.nullable(asked) }),
})

export const giveTermsConsent = endpoint({
  method: 'POST',
  path: '/api/terms-consent',
  summary: "Record the member's consent to this version of the terms.",
  access: 'member',
  body: z.object({ number: z.int().check(z.minimum(1), z.maximum(1_000_000)) }),
  output: z.object({ data: z.nullable(asked) }),
  errors: ['legal_page_not_found'],
})

// Public information about this service.
import * as z from 'zod/mini'
import { aiDisclosures } from './fields/ai-disclosure.ts'
import { audiences } from './fields/availability.ts'
import { siteLink, siteLogo } from './fields/branding.ts'
import { endpoint } from './endpoint.ts'
import { legalLink } from './legal.ts'
import { minute } from './rate-limit.ts'

export const site = z.object({
  brand_name: z.string(),
  tagline: z.string(),
  artist_name: z.string(),
  contact_email: z.string(),
  accent: z.nullable(z.string()),
  logo: z.nullable(siteLogo),
  icon_url: z.nullable(z.string()),
  landing_lead: z.string(),
  moods_heading: z.string(),
  features_heading: z.string(),
  plans_heading: z.string(),
  legal_pages: z.array(legalLink).check(z.describe('Published legal pages, sorted by title.')),
  consent_number: z
    .nullable(z.number())
    .check(
      z.describe(
        'The version of the terms that members are asked to accept. Null if there is none.',
      ),
    ),
  social_links: z.array(siteLink),
  footer_links: z.array(siteLink),
  has_owner: z
    .boolean()
    .check(
      z.describe(
        'Whether there is an admin. If not, each start of the server prints a setup link.',
      ),
    ),
  maintenance_mode: z.boolean(),
  preview_length_seconds: z.number(),
  pricing: z
    .object({ monthly_cents: z.number(), yearly_cents: z.number(), currency: z.string() })
    .check(z.describe('The prices of Premium, in the smallest unit of the currency.')),
  default_ai_disclosure: z
    .enum(aiDisclosures)
    .check(z.describe('The default AI disclosure of new uploads, for the form of a new track.')),
  default_audience: z
    .enum(audiences)
    .check(z.describe('The default audience of a new track, for its form.')),
  demo: z
    .nullable(
      z.object({
        accounts: z.array(z.object({ email: z.string(), label: z.string() })),
        password: z.string(),
        tracks_ready: z
          .number()
          .check(z.describe('Number of demo tracks that are ready, and their final number.')),
        tracks_total: z.number(),
      }),
    )
    .check(z.describe('Present only while the demo is on.')),
})
export type Site = z.infer<typeof site>

export const getSite = endpoint({
  method: 'GET',
  path: '/api/site',
  summary: 'Name, tagline and state of this service.',
  access: 'anyone',
  output: site,
  duringMaintenance: true,
})

export const recordNotFoundVisit = endpoint({
  method: 'POST',
  path: '/api/not-found-visits',
  summary: "Log a person's visit to a page that does not exist.",
  access: 'anyone',
  body: z.object({ path: z.string().check(z.minLength(1), z.maxLength(500)) }),
  rateLimit: { name: 'log-line', per: 'caller', count: 30, seconds: minute },
})

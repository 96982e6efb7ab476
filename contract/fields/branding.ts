// The branding that an owner can change: defaults and limits.
import * as z from 'zod/mini'
import { cleanName } from './clean-name.ts'

/** Maximum number of tracks on the landing page. */
export const landingTracksMax = 6
export const siteLinksMax = 8

export const defaultTagline = 'Smooth sounds, made for your moments.'
export const defaultLanding = {
  landing_lead:
    'Original music for working, unwinding and everything between. Press play and hear it first; an account can wait.',
  moods_heading: 'Start from a mood',
  features_heading: 'Made for ears, down to the details',
  plans_heading: 'Free to start. Premium when you want more.',
} as const
export type LandingTexts = Record<keyof typeof defaultLanding, string>

export const brandingMaxLength = {
  brand_name: 60,
  tagline: 140,
  artist_name: 200,
  contact_email: 254,
  landing_lead: 400,
  moods_heading: 100,
  features_heading: 100,
  plans_heading: 100,
} as const
export type BrandingText = keyof typeof brandingMaxLength

/** A link to another page. */
export const siteLink = z.object({ label: z.string(), url: z.string() })
export type SiteLink = z.infer<typeof siteLink>

/** The logo: its path on this host, and its size in pixels. */
export const siteLogo = z.object({
  url: z.string(),
  width: z.number().check(z.describe('The width in pixels.')),
  height: z.number().check(z.describe('The height in pixels.')),
})
export type SiteLogo = z.infer<typeof siteLogo>

export const siteLinkInput = z.object({
  label: z.string().check(z.overwrite(cleanName), z.minLength(1), z.maxLength(60)),
  url: z
    .string()
    .check(
      z.trim(),
      z.maxLength(500),
      z.regex(
        /^https?:\/\/[^\s]+$|^mailto:[^\s@]+@[^\s@]+$/i,
        'Use a link that starts with https:// or mailto:',
      ),
    ),
})

/** A color as `#rrggbb`, in lower case. */
export const hexColor = z
  .string()
  .check(z.trim(), z.toLowerCase(), z.regex(/^#[0-9a-f]{6}$/, 'A color is written as #rrggbb'))

// The service's branding, stored in a single row. Null stands for the default.
import * as z from 'zod/mini'
import {
  brandingMaxLength,
  hexColor,
  landingTracksMax,
  siteLink,
  siteLinkInput,
  siteLinksMax,
  siteLogo,
  type BrandingText,
} from '../fields/branding.ts'
import { timestamp } from '../fields/dates.ts'
import { pictureErrors } from '../fields/pictures.ts'
import { cleanName } from '../fields/clean-name.ts'
import { readVersion, version } from '../fields/versions.ts'
import { endpoint } from '../endpoint.ts'
import { adminTrack } from './admin-tracks.ts'

const texts = {
  brand_name: z.nullable(z.string()),
  tagline: z.nullable(z.string()),
  artist_name: z.nullable(z.string()),
  contact_email: z.nullable(z.string()),
  landing_lead: z.nullable(z.string()),
  moods_heading: z.nullable(z.string()),
  features_heading: z.nullable(z.string()),
  plans_heading: z.nullable(z.string()),
} satisfies Record<BrandingText, unknown>

export const branding = z.object({
  ...texts,
  accent: z.nullable(z.string()),
  logo: z.nullable(siteLogo),
  icon_url: z.nullable(z.string()),
  landing_tracks: z
    .array(
      z.pick(adminTrack, {
        id: true,
        title: true,
        artist: true,
        duration: true,
        explicit: true,
        cover_url: true,
        cover_tint: true,
        cover_placeholder: true,
        loudness_lufs: true,
        true_peak_dbtp: true,
        ai_disclosure: true,
        is_published: true,
      }),
    )
    .check(
      z.describe('Tracks on the landing page, in order. If empty, the newest tracks are shown.'),
    ),
  social_links: z.array(siteLink),
  footer_links: z.array(siteLink),
  defaults: z
    .object({
      brand_name: z.string(),
      tagline: z.string(),
      artist_name: z.string(),
      contact_email: z.string(),
      landing_lead: z.string(),
      moods_heading: z.string(),
      features_heading: z.string(),
      plans_heading: z.string(),
    } satisfies Record<BrandingText, unknown>)
    .check(z.describe('The defaults, which apply where a text is null.')),
  updated_at: z.nullable(timestamp).check(z.describe('When it was last saved. Null if never.')),
  version,
})
export type BrandingSettings = z.infer<typeof branding>

const line = (name: BrandingText) =>
  z.optional(
    z.nullable(
      z
        .string()
        .check(z.overwrite(cleanName), z.minLength(1), z.maxLength(brandingMaxLength[name])),
    ),
  )
const picturePath = z
  .optional(z.nullable(z.string().check(z.maxLength(300))))
  .check(z.describe('The `path` of a completed cover upload. Null removes the picture.'))
const links = z.optional(z.array(siteLinkInput).check(z.maxLength(siteLinksMax)))

export const getBranding = endpoint({
  method: 'GET',
  path: '/api/admin-branding',
  summary: "The service's name, color, texts and links, with their defaults.",
  access: 'admin',
  output: branding,
  versionAt: 'version',
})

export const updateBranding = endpoint({
  method: 'PATCH',
  path: '/api/admin-branding',
  summary: 'Save the branding. Null resets a field to its default; absent fields are not changed.',
  access: 'admin',
  audit: { settings: ['update'] },
  body: z.object({
    branding: z
      .object({
        brand_name: line('brand_name'),
        tagline: line('tagline'),
        artist_name: line('artist_name'),
        contact_email: z.optional(
          z.nullable(
            z
              .string()
              .check(
                z.trim(),
                z.maxLength(brandingMaxLength.contact_email),
                z.regex(/^[^\s@<>"]+@[^\s@<>"]+$/),
              ),
          ),
        ),
        landing_lead: line('landing_lead'),
        moods_heading: line('moods_heading'),
        features_heading: line('features_heading'),
        plans_heading: line('plans_heading'),
        accent: z.optional(z.nullable(hexColor)),
        landing_tracks: z
          .optional(z.array(z.uuid()).check(z.maxLength(landingTracksMax)))
          .check(
            z.describe(
              'Ids of the tracks on the landing page, in order. If empty, the newest tracks are shown.',
            ),
          ),
        logo_path: picturePath,
        icon_path: picturePath,
        social_links: links,
        footer_links: links,
      })
      .check(z.describe('The fields to change.')),
    version: readVersion,
  }),
  output: branding,
  versionAt: 'version',
  errors: ['changed_meanwhile', ...pictureErrors],
})

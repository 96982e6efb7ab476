// The response of GET /api/admin-branding for a service whose owner has set nothing.
import type { BrandingSettings } from '#contract/admin/admin-branding.ts'
import { defaultLanding, defaultTagline } from '#contract/fields/branding.ts'

export const branding: BrandingSettings = {
  brand_name: null,
  tagline: null,
  artist_name: null,
  contact_email: null,
  landing_lead: null,
  moods_heading: null,
  features_heading: null,
  plans_heading: null,
  accent: null,
  logo: null,
  icon_url: null,
  landing_tracks: [],
  social_links: [],
  footer_links: [],
  defaults: {
    brand_name: 'Velour',
    tagline: defaultTagline,
    artist_name: 'Velour',
    contact_email: 'hello@velour.test',
    ...defaultLanding,
  },
  updated_at: null,
  version: 1,
}

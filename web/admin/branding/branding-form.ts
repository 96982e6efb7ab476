// Form state of the Appearance tab (name, colors, texts and links of the service), and its request body.
import type { BrandingSettings, updateBranding } from '#contract/admin/admin-branding.ts'
import type { CallInput } from '#contract/endpoint.ts'
import { brandingMaxLength, type BrandingText, type SiteLink } from '#contract/fields/branding.ts'
import type { VersionedFormKind } from '../conflicts/use-versioned-form.ts'

export type LandingTrack = BrandingSettings['landing_tracks'][number]

export interface LandingItem {
  id: string
  track: LandingTrack
}

/** An empty text, color or list stands for the default. */
export interface BrandingForm extends Record<BrandingText, string> {
  accent: string
  landing_tracks: LandingItem[]
  social_links: SiteLink[]
  footer_links: SiteLink[]
}

export const brandingTexts = Object.keys(brandingMaxLength) as BrandingText[]

export const brandingLabels: Record<BrandingText, string> = {
  brand_name: 'Name',
  tagline: 'Tagline',
  artist_name: 'Artist name',
  contact_email: 'Contact address',
  landing_lead: 'Introduction',
  moods_heading: 'Moods heading',
  features_heading: 'Features heading',
  plans_heading: 'Plans heading',
}

export const defaultForm: BrandingForm = {
  brand_name: '',
  tagline: '',
  artist_name: '',
  contact_email: '',
  landing_lead: '',
  moods_heading: '',
  features_heading: '',
  plans_heading: '',
  accent: '',
  landing_tracks: [],
  social_links: [],
  footer_links: [],
}

export function formOfBranding(branding: BrandingSettings): BrandingForm {
  const form: BrandingForm = {
    ...defaultForm,
    accent: branding.accent ?? '',
    landing_tracks: branding.landing_tracks.map((track) => ({ id: track.id, track })),
    social_links: branding.social_links,
    footer_links: branding.footer_links,
  }
  for (const name of brandingTexts) form[name] = branding[name] ?? ''
  return form
}

export function brandingOfForm(
  form: BrandingForm,
): CallInput<typeof updateBranding>['body']['branding'] {
  const isFilled = ({ label, url }: SiteLink) => label.trim() !== '' || url.trim() !== ''
  const texts = brandingTexts.map((name) => [name, form[name].trim() || null])
  return {
    ...(Object.fromEntries(texts) as Record<BrandingText, string | null>),
    accent: form.accent || null,
    landing_tracks: form.landing_tracks.map(({ track }) => track.id),
    social_links: form.social_links.filter(isFilled),
    footer_links: form.footer_links.filter(isFilled),
  }
}

export type BrandingProblems = Partial<Record<'accent' | 'contact_email' | 'links', string>>

export function findBrandingProblems(form: BrandingForm): BrandingProblems {
  const problems: BrandingProblems = {}
  if (form.accent && !isColor(form.accent)) problems.accent = 'Use the format #rrggbb for a color'
  if (form.contact_email.trim() && !/^[^\s@<>"]+@[^\s@<>"]+$/.test(form.contact_email.trim())) {
    problems.contact_email = 'Enter an email address, or leave this empty'
  }
  const { social_links, footer_links } = brandingOfForm(form)
  const links = [...(social_links ?? []), ...(footer_links ?? [])]
  const isWrong = links.some(
    ({ label, url }) =>
      !label.trim() || !/^(?:https?:\/\/\S+|mailto:[^\s@]+@\S+)$/i.test(url.trim()),
  )
  if (isWrong)
    problems.links = 'Each link needs a label and an address that starts with https:// or mailto:'
  return problems
}

export function isColor(text: string): boolean {
  return /^#[0-9a-f]{6}$/i.test(text)
}

export const brandingForm: VersionedFormKind<BrandingSettings, BrandingForm> = {
  what: 'the appearance',
  formOf: formOfBranding,
  labels: {
    ...brandingLabels,
    accent: 'Accent color',
    landing_tracks: 'Songs on the landing page',
    social_links: 'Social links',
    footer_links: 'Footer links',
  },
}

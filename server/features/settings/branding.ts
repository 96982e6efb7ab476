// The service's name, colors and texts: values set by the owner take precedence over the configuration, and that over
// the defaults. All code that shows them reads them from here.
import {
  brandingMaxLength,
  defaultLanding,
  defaultTagline,
  type BrandingText,
  type LandingTexts,
  type SiteLink,
  type SiteLogo,
} from '#contract/fields/branding.ts'
import { deriveAccent } from '#contract/fields/accent.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Handle } from '../../platform/db/database.ts'
import type { BrandingRow, MailSettingsRow } from '../../platform/db/tables.ts'
import { perObject } from '../../platform/process/per-object.ts'
import { emblemKey, getIcons } from './emblem-files.ts'
import { defaultMailAccent, type MailLook } from '../../platform/mail/mail-layout.ts'

export interface Branding extends LandingTexts {
  brand_name: string
  tagline: string
  artist_name: string
  contact_email: string
  /** The accent color as `#rrggbb`. Null for the default colors. */
  accent: string | null
  landing_tracks: string[]
  /** Null if no logo is set: pages then show Velour's logo and the name as text. */
  logo: SiteLogo | null
  /** Null if no icon is set: pages then use Velour's icons. */
  icon_id: string | null
  social_links: SiteLink[]
  footer_links: SiteLink[]
}

/** Returns the current branding. The same object is returned until something changes. */
export type ReadBranding = () => Branding

export type BrandingConfig = Pick<Config, 'brandName' | 'artistName' | 'contactEmail'>

/**
 * The values that apply where the owner has set none. The artist name is the service's name unless it is configured.
 */
export function brandingDefaults(
  config: BrandingConfig,
  row: Pick<BrandingRow, 'brand_name'>,
): Record<BrandingText, string> {
  const isArtistNamed = config.artistName !== config.brandName
  return {
    brand_name: config.brandName,
    tagline: defaultTagline,
    artist_name: isArtistNamed ? config.artistName : (row.brand_name ?? config.brandName),
    contact_email: config.contactEmail,
    ...defaultLanding,
  }
}

export function resolveBranding(config: BrandingConfig, row: BrandingRow): Branding {
  const resolved = brandingDefaults(config, row)
  for (const name of Object.keys(brandingMaxLength) as BrandingText[]) {
    resolved[name] = row[name] ?? resolved[name]
  }
  const { accent, landing_tracks, social_links, footer_links, icon_id } = row
  const lists = { landing_tracks, social_links, footer_links }
  return { ...resolved, ...lists, accent, logo: getLogo(row), icon_id }
}

export function getLogo({
  logo_id: id,
  logo_width: width,
  logo_height: height,
}: Pick<BrandingRow, 'logo_id' | 'logo_width' | 'logo_height'>): SiteLogo | null {
  if (id === null || width === null || height === null) return null
  return { url: `/media/${emblemKey(id, 'logo.png')}`, width, height }
}

export function createReadBranding(
  config: BrandingConfig,
  settings: { branding: () => BrandingRow },
): ReadBranding {
  const resolve = perObject((row: BrandingRow) => resolveBranding(config, row))
  return () => resolve(settings.branding())
}

type MailSender = Pick<MailSettingsRow, 'from_name' | 'from_address' | 'reply_to'>

/** The colors, name and picture of emails. They contain the colors of both themes. */
export function mailLook(
  config: Pick<Config, 'brandName' | 'mailFrom' | 'isMailFromSet' | 'publicUrl'>,
  branding: Branding,
  sender: MailSender,
): MailLook {
  const { brand_name: name, accent } = branding
  return {
    brandName: name,
    from: mailFrom(config, name, sender),
    replyTo: sender.reply_to ?? undefined,
    picture: mailPicture(config.publicUrl, branding),
    accent: accent === null ? defaultMailAccent : deriveAccent(accent, 'light')['accent-text'],
    ...(accent !== null && { darkAccent: deriveAccent(accent, 'dark')['accent-text'] }),
  }
}

/** The sender of emails: the address in MAIL_FROM. A name set by the owner replaces the name in MAIL_FROM. */
export function mailFrom(
  config: Pick<Config, 'brandName' | 'mailFrom' | 'isMailFromSet'>,
  brandName: string,
  { from_name, from_address }: Omit<MailSender, 'reply_to'>,
): MailLook['from'] {
  const name = from_name ?? brandName
  if (!config.isMailFromSet && from_address !== null) return { name, address: from_address }
  const address = /<([^<>]+)>\s*$/.exec(config.mailFrom)?.[1] ?? config.mailFrom
  return name === config.brandName ? config.mailFrom : { name, address }
}

/** The picture of emails: the icon, which is shown next to the name, or else the logo, which replaces the name. */
function mailPicture(publicUrl: string, { icon_id, logo }: Branding): MailLook['picture'] {
  if (icon_id) return { url: publicUrl + getIcons(icon_id).touch, width: 40, height: 40 }
  if (!logo) return null
  const scale = Math.min(1, 200 / logo.width, 44 / logo.height)
  return {
    url: publicUrl + logo.url,
    width: Math.round(logo.width * scale),
    height: Math.round(logo.height * scale),
  }
}

export function readBrandingRow(handle: Handle, { lock = false } = {}): Promise<BrandingRow> {
  return handle.query
    .selectFrom('branding')
    .selectAll()
    .where('id', '=', 1)
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirstOrThrow()
}

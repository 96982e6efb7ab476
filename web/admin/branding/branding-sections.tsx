// The sections of the Appearance form: identity, landing page and footer.
import type { BrandingSettings } from '#contract/admin/admin-branding.ts'
import { landingTracksMax, siteLinksMax, type BrandingText } from '#contract/fields/branding.ts'
import { LinkFields } from '../shared/link-fields.tsx'
import { searchTitleOrArtist } from '../../features/catalogue/queries/search-title-or-artist.ts'
import { TrackOrder } from '../track-order/track-order.tsx'
import type { FindTracks } from '../track-order/track-search.tsx'
import type { BrandingForm, BrandingProblems, LandingItem, LandingTrack } from './branding-form.ts'
import { ColorField } from './color-field.tsx'
import styles from './branding.module.css'
import { EmblemField } from './emblem-field.tsx'
import type { EmblemFile } from './use-emblems.ts'
import { BrandingTextField } from './text-fields.tsx'

interface SectionProps {
  form: BrandingForm
  problems: BrandingProblems
  defaults: Record<BrandingText, string>
  onChange: (changes: Partial<BrandingForm>) => void
}

interface IdentityProps extends SectionProps {
  emblems: Record<'logo' | 'icon', EmblemFile>
  branding: Pick<BrandingSettings, 'logo' | 'icon_url'>
}

export function IdentitySection({ emblems, branding, ...props }: IdentityProps) {
  const { form, problems, onChange } = props
  return (
    <section className={styles.section}>
      <h2>Identity</h2>
      <p className={styles.note}>Empty fields show their default in gray.</p>
      <BrandingTextField name="brand_name" {...props} />
      <BrandingTextField name="tagline" {...props} />
      <EmblemField
        label="Logo"
        hint="Replaces the logo and name, up to 480 × 128 pixels. A transparent PNG works in both themes; check the preview."
        file={emblems.logo}
        current={branding.logo?.url ?? null}
      />
      <EmblemField
        label="Icon"
        hint="Square, ideally 512 pixels. Used for browser tabs, home screens, feeds and emails."
        file={emblems.icon}
        current={branding.icon_url}
      />
      <ColorField
        value={form.accent}
        error={problems.accent}
        onChange={(accent) => onChange({ accent })}
      />
      <BrandingTextField
        name="artist_name"
        hint="Prefilled for new tracks and shown in feeds."
        {...props}
      />
      <BrandingTextField
        name="contact_email"
        hint="Shown where members are asked to contact support, and in security.txt."
        error={problems.contact_email}
        {...props}
      />
    </section>
  )
}

export function LandingSection(props: SectionProps) {
  return (
    <section className={styles.section}>
      <h2>Landing page</h2>
      <BrandingTextField name="landing_lead" {...props} />
      <BrandingTextField name="moods_heading" {...props} />
      <BrandingTextField name="features_heading" {...props} />
      <BrandingTextField name="plans_heading" {...props} />
    </section>
  )
}

/**
 * The field for the tracks on the landing page. It must be rendered outside the form element, because its search is a
 * form, too.
 */
export function LandingTracks({ form, onChange }: Pick<SectionProps, 'form' | 'onChange'>) {
  const isFull = form.landing_tracks.length >= landingTracksMax
  return (
    <section className={styles.section}>
      <h2>Songs on the landing page</h2>
      <p className={styles.note}>
        {isFull
          ? `Visitors can play these ${landingTracksMax} songs. Remove one to add another.`
          : `Songs that visitors can play before they sign up: up to ${landingTracksMax}. If you select none, the newest songs are used.`}
      </p>
      <TrackOrder<LandingTrack, LandingItem>
        items={form.landing_tracks}
        onChange={(landing_tracks) => onChange({ landing_tracks })}
        onAdd={(track) => {
          if (isFull) return
          onChange({ landing_tracks: [...form.landing_tracks, { id: track.id, track }] })
        }}
        find={findPublished}
        source="Landing page"
        emptyTitle="The newest songs are used"
      />
    </section>
  )
}

const findPublished: FindTracks<LandingTrack> = async (text, known) => {
  const found = await searchTitleOrArtist(text, { without: known })
  return found.map((track) => ({ ...track, is_published: true }))
}

export function FooterSection({ form, problems, onChange }: SectionProps) {
  return (
    <section className={styles.section}>
      <h2>Footer</h2>
      <LinkFields
        legend="Social links"
        links={form.social_links}
        max={siteLinksMax}
        onChange={(social_links) => onChange({ social_links })}
      />
      <LinkFields
        legend="More links"
        hint="Shown beside Quick Links and Legal."
        links={form.footer_links}
        max={siteLinksMax}
        onChange={(footer_links) => onChange({ footer_links })}
      />
      {problems.links && (
        <p role="alert" className={styles.problem}>
          {problems.links}
        </p>
      )}
    </section>
  )
}

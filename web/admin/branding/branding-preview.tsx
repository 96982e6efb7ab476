// Previews unsaved changes in both themes, with the real components of the landing page and the player.
import {
  IconPlayerPlayFilled,
  IconPlayerSkipBackFilled,
  IconPlayerSkipForwardFilled,
} from '#web/base/ui/icons/icons.ts'
import type { CSSProperties } from 'react'
import {
  accentProperties,
  accentPropertyNames,
  describeContrast,
  themes,
  type Theme,
} from '#contract/fields/accent.ts'
import type { BrandingText, SiteLogo } from '#contract/fields/branding.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Slider } from '../../base/ui/controls/slider.tsx'
import { Cover } from '../../base/ui/display/cover.tsx'
import { Equalizer } from '../../base/ui/display/equalizer.tsx'
import { BrandNameOf } from '../../base/session/brand-name.tsx'
import { HeroText } from '../../features/landing/hero-text.tsx'
import { isColor } from './branding-form.ts'
import styles from './branding-preview.module.css'

export interface BrandingPreviewProps {
  texts: Record<BrandingText, string>
  logo: SiteLogo | null
  iconUrl: string | null
  /** The accent color as typed. If it isn't a valid color, the default colors apply. */
  accent: string
  track: { title: string; artist: string; cover_url: string | null } | undefined
}

const themeNames: Record<Theme, string> = { dark: 'Dark', light: 'Light' }

export function BrandingPreview({ texts, logo, iconUrl, accent, track }: BrandingPreviewProps) {
  const color = isColor(accent) ? accent.toLowerCase() : null
  return (
    <section className={styles.preview} aria-label="Preview">
      {themes.map((theme) => (
        <figure key={theme} className={styles.pane}>
          <div
            data-color-scope={theme}
            style={getAccentStyle(color)}
            className={styles.scope}
            inert
          >
            <Page texts={texts} logo={logo} iconUrl={iconUrl} />
            <Bar
              track={track ?? { title: 'Slow Tide', artist: texts.artist_name, cover_url: null }}
            />
          </div>
          <figcaption className={styles.caption}>
            {themeNames[theme]}
            <span>{color ? formatContrast(color, theme) : 'Default colors'}</span>
          </figcaption>
        </figure>
      ))}
    </section>
  )
}

function formatContrast(color: string, theme: Theme): string {
  const { text, controls } = describeContrast(color, theme)
  return `Contrast: text ${text.toFixed(1)}:1, controls ${controls.toFixed(1)}:1`
}

/**
 * Returns the CSS properties for an accent color. Without a color it unsets them, because the preview would otherwise
 * inherit the saved color of the page around it.
 */
function getAccentStyle(color: string | null): CSSProperties {
  const unset = accentPropertyNames.map((name) => [name, 'initial'])
  return Object.fromEntries([...unset, ...accentProperties(color)]) as CSSProperties
}

function Page({ texts, logo, iconUrl }: Omit<BrandingPreviewProps, 'accent' | 'track'>) {
  return (
    <div className={styles.page}>
      <div className={styles.head}>
        <span className={styles.name}>
          <BrandNameOf brand_name={texts.brand_name} logo={logo} icon_url={iconUrl} />
        </span>
        <Button variant="secondary" size="small">
          Sign In
        </Button>
      </div>
      <div className={styles.hero}>
        <HeroText tagline={texts.tagline} lead={texts.landing_lead} isPreview>
          <Button variant="primary" size="large">
            Start Listening
          </Button>
          <span className={styles.link}>Compare plans</span>
        </HeroText>
      </div>
      <p className={styles.heading}>{texts.moods_heading}</p>
      <p className={styles.heading}>{texts.features_heading}</p>
      <p className={styles.heading}>{texts.plans_heading}</p>
    </div>
  )
}

function Bar({ track }: { track: NonNullable<BrandingPreviewProps['track']> }) {
  return (
    <div className={styles.bar}>
      <span className={styles.cover}>
        <Cover url={track.cover_url} title={track.title} sizes="48px" />
      </span>
      <span className={styles.words}>
        <span className={styles.title}>
          <Equalizer playing /> {track.title}
        </span>
        <span className={styles.artist}>{track.artist}</span>
      </span>
      <span className={styles.controls}>
        <IconButton label="Previous" tooltip={false}>
          <IconPlayerSkipBackFilled />
        </IconButton>
        <IconButton label="Play" variant="primary" tooltip={false}>
          <IconPlayerPlayFilled />
        </IconButton>
        <IconButton label="Next" tooltip={false}>
          <IconPlayerSkipForwardFilled />
        </IconButton>
      </span>
      <span className={styles.seek}>
        <Slider label="Position" value={38} onChange={() => {}} />
      </span>
    </div>
  )
}

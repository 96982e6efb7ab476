// The footer of the landing page.
import type { SiteLink } from '#contract/fields/branding.ts'
import { footerPages, legalPath, type FooterPage } from '#contract/legal.ts'
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { useSite } from '../../base/session/site.ts'
import { BrandName } from '../../base/session/brand-name.tsx'
import { ColorSchemeSwitch } from '../../base/ui/theme/color-scheme-switch.tsx'
import styles from './site-footer.module.css'

const firstYear = 2025
const thisYear = new Date().getFullYear()
const years = thisYear > firstYear ? `${firstYear}–${thisYear}` : String(firstYear)

/** The specification's texts for the legal pages. Each becomes a link once the owner has written its page. */
const legalWords: Record<FooterPage, string> = {
  terms: 'Terms of Service',
  privacy: 'Privacy Policy',
  contact: 'Contact Us',
}

function Links({ links, className }: { links: SiteLink[]; className: string | undefined }) {
  return (
    <ul className={className}>
      {links.map(({ label, url }) => (
        <li key={`${label} ${url}`}>
          <a href={url} rel="noopener">
            {label}
          </a>
        </li>
      ))}
    </ul>
  )
}

export function SiteFooter() {
  const { brand_name, tagline, social_links, footer_links, legal_pages } = useSite()
  return (
    <footer className={styles.footer}>
      <div className={styles.columns}>
        <div className={styles.brand}>
          <p className={styles.name}>
            <BrandName />
          </p>
          <p>{tagline}</p>
          {social_links.length > 0 && <Links links={social_links} className={styles.social} />}
        </div>
        <nav aria-labelledby="quick-links">
          <h2 id="quick-links" className={styles.heading}>
            Quick Links
          </h2>
          <ul className={styles.list}>
            <li>
              <ScreenLink to="/browse">Browse Music</ScreenLink>
            </li>
            <li>
              <ScreenLink to="/subscribe">Subscription Plans</ScreenLink>
            </li>
          </ul>
        </nav>
        <div>
          <h2 className={styles.heading}>Legal</h2>
          <ul className={styles.list}>
            {footerPages.map((slug) => (
              <li key={slug}>
                {legal_pages.some((page) => page.slug === slug) ? (
                  <a href={legalPath(slug)}>{legalWords[slug]}</a>
                ) : (
                  legalWords[slug]
                )}
              </li>
            ))}
            {legal_pages
              .filter(({ slug }) => !(slug in legalWords))
              .map(({ slug, title }) => (
                <li key={slug}>
                  <a href={legalPath(slug)}>{title}</a>
                </li>
              ))}
          </ul>
        </div>
        {footer_links.length > 0 && (
          <nav aria-labelledby="more-links">
            <h2 id="more-links" className={styles.heading}>
              More
            </h2>
            <Links links={footer_links} className={styles.list} />
          </nav>
        )}
      </div>
      <div className={styles.bottom}>
        {/* The server renders the page only occasionally and in its own time zone, so the year may differ. */}
        <p suppressHydrationWarning>{`© ${years} ${brand_name}`}</p>
        <ColorSchemeSwitch />
      </div>
    </footer>
  )
}

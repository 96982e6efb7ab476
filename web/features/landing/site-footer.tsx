// The footer of the landing page.
import { ScreenLink } from '../../base/navigation/screen-link.tsx'
import { useSite } from '../../base/session/site.ts'
import { BrandMark } from '../../base/ui/theme/brand-mark.tsx'
import { ColorSchemeSwitch } from '../../base/ui/theme/color-scheme-switch.tsx'
import styles from './site-footer.module.css'

const firstYear = 2025
const thisYear = new Date().getFullYear()
const years = thisYear > firstYear ? `${firstYear}–${thisYear}` : String(firstYear)

export function SiteFooter() {
  const { brand_name, tagline } = useSite()
  return (
    <footer className={styles.footer}>
      <div className={styles.columns}>
        <div className={styles.brand}>
          <p className={styles.name}>
            <BrandMark />
            {brand_name}
          </p>
          <p>{tagline}</p>
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
            <li>Terms of Service</li>
            <li>Privacy Policy</li>
            <li>Contact Us</li>
          </ul>
        </div>
      </div>
      <div className={styles.bottom}>
        {/* The server renders the page occasionally and in its own time zone, so the year may differ. */}
        <p suppressHydrationWarning>{`© ${years} ${brand_name}`}</p>
        <ColorSchemeSwitch />
      </div>
    </footer>
  )
}

// The button that opens the command palette: an icon in narrow windows, text and keys in wide ones.
import { IconSearch } from '#web/base/ui/icons/icons.ts'
import { useLocation } from 'react-router'
import { prefetchPalette, setPaletteOpen } from './palette-open.ts'
import styles from './palette-button.module.css'

const isApple = /mac|iphone|ipad/i.test(navigator.platform)

/** Screens with their own search box, beside which a second one would be confusing. */
const ownSearch = /^\/(browse|my-playlists|playlist\/[^/]+)$/

export function PaletteButton() {
  const { pathname } = useLocation()
  return (
    <button
      type="button"
      className={styles.button}
      data-compact={ownSearch.test(pathname) || undefined}
      data-tooltip={ownSearch.test(pathname) ? 'Find anything' : undefined}
      aria-label="Find anything"
      aria-haspopup="dialog"
      aria-keyshortcuts="Control+K Meta+K"
      onPointerEnter={prefetchPalette}
      onFocus={prefetchPalette}
      onClick={() => setPaletteOpen(true)}
    >
      <IconSearch aria-hidden="true" />
      <span className={styles.words} aria-hidden="true">
        Find anything
      </span>
      {/* Rendered by CSS, so that the keys are not part of the button's accessible name. */}
      <span className={styles.keys} aria-hidden="true" data-keys={isApple ? '⌘ K' : 'Ctrl K'} />
    </button>
  )
}

// The visible way to the command palette: a picture where there is little room, words and keys where there is more.
import { IconSearch } from '@tabler/icons-react'
import { useLocation } from 'react-router'
import { prefetchPalette, setPaletteOpen } from './palette-open.ts'
import styles from './palette-button.module.css'

const isApple = /mac|iphone|ipad/i.test(navigator.platform)

/** Screens with a search box of their own: a second one beside it would ask which to use. */
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
      {/* Drawn by the style sheet: the keys are no part of what the button is called. */}
      <span className={styles.keys} aria-hidden="true" data-keys={isApple ? '⌘ K' : 'Ctrl K'} />
    </button>
  )
}

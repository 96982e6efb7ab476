// The visible way to the command palette: a picture where there is little room, words and keys where there is more.
import { IconSearch } from '@tabler/icons-react'
import { prefetchPalette, setPaletteOpen } from './palette-open.ts'
import styles from './palette-button.module.css'

const isApple = /mac|iphone|ipad/i.test(navigator.platform)

export function PaletteButton() {
  return (
    <button
      type="button"
      className={styles.button}
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

// Shows the queue, lyrics or settings above the right end of the bar. In wide windows the page makes room for the
// panel. In others the page stays usable behind it.
import { IconX } from '#web/base/ui/icons/icons.ts'
import { useEffect, useLayoutEffect, useRef, type KeyboardEvent } from 'react'
import { IconButton } from '../../../base/ui/controls/icon-button.tsx'
import { takeFocus } from '../../../base/ui/layout/focus.ts'
import { PanelContent } from '../panels/panel-content.tsx'
import { panelTitles } from '../panels/panels.ts'
import type { PlayerTrack } from '../queue/player-track.ts'
import { closePanel, type PlayerPanel } from '../playback/player-view.ts'
import { roomTint } from '../playback/room-tint.ts'
import styles from './side-panel.module.css'

export function SidePanel({ panel, track }: { panel: PlayerPanel; track: PlayerTrack }) {
  const element = useRef<HTMLElement>(null)

  useLayoutEffect(() => {
    const root = document.documentElement
    root.setAttribute('data-side-panel', '')
    return () => root.removeAttribute('data-side-panel')
  }, [])

  useEffect(() => (element.current ? takeFocus(element.current) : undefined), [])

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    closePanel()
  }

  return (
    <aside
      ref={element}
      className={styles.panel}
      style={roomTint(track)}
      aria-label={panelTitles[panel]}
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      <header className={styles.header}>
        <h2>{panelTitles[panel]}</h2>
        <IconButton label="Close" onClick={closePanel}>
          <IconX />
        </IconButton>
      </header>
      <div className={styles.content}>
        <PanelContent panel={panel} track={track} />
      </div>
    </aside>
  )
}

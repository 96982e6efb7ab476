// The queue panel. It opens at the current track.
import { useRef, useState } from 'react'
import { Button } from '../../../base/ui/controls/button.tsx'
import { showToast } from '../../../base/ui/overlays/toast-store.ts'
import { clearQueue } from '../playback/player-actions.ts'
import { usePlayer, type PlayerState } from '../playback/player-store.ts'
import { currentEntry } from '../queue/play-queue.ts'
import { AutoplaySwitch } from './autoplay-switch.tsx'
import { QueueList } from './queue-list.tsx'
import { QueueMenu } from './queue-menu.tsx'
import styles from './queue-panel.module.css'

export function QueuePanel() {
  const count = usePlayer((state) => state.queue.entries.length)
  const index = usePlayer((state) => state.queue.index)
  const source = usePlayer(selectSource)
  // The panel is mounted each time it opens, so it scrolls to the current track only once.
  const [openedAt] = useState(index)
  const panel = useRef<HTMLDivElement>(null)

  function clear() {
    const undo = clearQueue()
    // The disabled Clear button would swallow key presses, so move the focus.
    panel.current?.querySelector<HTMLElement>('[aria-current] button')?.focus()
    showToast({ title: 'Queue cleared', action: { label: 'Undo', onAction: undo } })
  }

  return (
    <div ref={panel} className={styles.queue}>
      <div className={styles.summary}>
        <p>
          <span data-numeric>
            {(index + 1).toLocaleString('en')} of {count.toLocaleString('en')}
          </span>
          {source && ` · ${source}`}
        </p>
        <Button size="small" variant="quiet" disabled={count < 2} onClick={clear}>
          Clear
        </Button>
      </div>
      <QueueMenu>
        <QueueList openedAt={openedAt} />
      </QueueMenu>
      <div className={styles.autoplay}>
        <AutoplaySwitch />
      </div>
    </div>
  )
}

/** Returns the name of the current track's source. */
function selectSource({ queue, source, station }: PlayerState): string | null {
  return currentEntry(queue)?.by_radio ? (station?.title ?? source) : source
}

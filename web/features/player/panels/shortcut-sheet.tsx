// The list of shortcuts, generated from the table that the key handler uses.
import { Dialog } from '../../../base/ui/overlays/dialog.tsx'
import { Switch } from '../../../base/ui/controls/switch.tsx'
import { playerCommands, type PlayerCommand } from './keyboard-shortcuts.ts'
import { changeSettings } from '../playback/player-actions.ts'
import { usePlayer } from '../playback/player-store.ts'
import { setHelpOpen, usePlayerView } from '../playback/player-view.ts'
import styles from './shortcut-sheet.module.css'

type Shown = Pick<PlayerCommand, 'group' | 'label' | 'keys'>

/** The palette handles its own keys: they also work while a field has the focus and without a track. */
const shown: readonly Shown[] = [
  ...playerCommands,
  { group: 'View', label: 'Find anything', keys: ['Ctrl+K', '⌘+K'] },
]

const groups = ['Playback', 'Sound', 'View'] as const

export function ShortcutSheet() {
  const isOpen = usePlayerView((view) => view.isHelpOpen)
  const isOn = usePlayer((state) => state.settings.shortcuts)
  return (
    <Dialog
      open={isOpen}
      onClose={() => setHelpOpen(false)}
      title="Keyboard shortcuts"
      size="large"
    >
      <div className={styles.sheet}>
        {groups.map((group) => (
          <section key={group}>
            <h3 className={styles.group}>{group}</h3>
            <dl className={styles.list}>
              {shown
                .filter((command) => command.group === group)
                .map((command) => (
                  <Row key={command.label} command={command} />
                ))}
            </dl>
          </section>
        ))}
        <Switch
          label="Use keyboard shortcuts"
          hint="Turn them off if you use voice control, or if they interfere with other software."
          checked={isOn}
          onChange={(event) => changeSettings({ shortcuts: event.target.checked })}
        />
      </div>
    </Dialog>
  )
}

function Row({ command: { label, keys } }: { command: Shown }) {
  return (
    <div className={styles.row}>
      <dt>{label}</dt>
      <dd className={styles.keys}>
        {keys.map((way, at) => (
          <span key={way}>
            {at > 0 && <span className={styles.or}>or</span>}
            {way.split('+').map((key) => (
              <kbd key={key}>{key}</kbd>
            ))}
          </span>
        ))}
      </dd>
    </div>
  )
}

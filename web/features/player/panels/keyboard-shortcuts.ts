// Keyboard shortcuts as a table: the help sheet shows it and the window's key listener uses it. The focused control
// handles a key first; only unused keys reach the player. Space after a click is an exception: it plays and pauses
// instead of pressing the clicked control again.
import { setPaletteOpen } from '../../palette/palette-open.ts'
import {
  changeVolume,
  cycleRepeat,
  seekBy,
  skipNext,
  skipPrevious,
  toggleMute,
  togglePlay,
  toggleShuffle,
} from '../playback/player-actions.ts'
import { isReachedByPointer, watchPointerFocus } from './pointer-focus.ts'
import { selectTrack, usePlayer } from '../playback/player-store.ts'
import {
  setHelpOpen,
  toggleFullPlayer,
  toggleMini,
  togglePanel,
  usePlayerView,
} from '../playback/player-view.ts'

const seekStepSeconds = 5
const volumeStep = 5

export interface ShortcutContext {
  /** Likes or unlikes the current track. */
  toggleLike: () => void
}

export interface PlayerCommand {
  label: string
  group: 'Playback' | 'Sound' | 'View'
  /**
   * The keys as the help sheet shows them: each entry is an alternative, and `+` joins keys that are pressed together.
   */
  keys: readonly string[]
  run: (context: ShortcutContext) => void
  /** True if the command also works without a track. */
  always?: true
}

export const playerCommands: readonly PlayerCommand[] = [
  { group: 'Playback', label: 'Play or pause', keys: ['Space'], run: togglePlay },
  { group: 'Playback', label: 'Next track', keys: ['N', 'Shift+→'], run: skipNext },
  { group: 'Playback', label: 'Previous track', keys: ['P', 'Shift+←'], run: skipPrevious },
  { group: 'Playback', label: 'Back 5 seconds', keys: ['←'], run: () => seekBy(-seekStepSeconds) },
  {
    group: 'Playback',
    label: 'Forward 5 seconds',
    keys: ['→'],
    run: () => seekBy(seekStepSeconds),
  },
  { group: 'Playback', label: 'Shuffle', keys: ['S'], run: toggleShuffle },
  { group: 'Playback', label: 'Repeat: off, all, one', keys: ['R'], run: cycleRepeat },
  { group: 'Playback', label: 'Like', keys: ['L'], run: ({ toggleLike }) => toggleLike() },
  { group: 'Sound', label: 'Louder', keys: ['↑'], run: () => changeVolume(volumeStep) },
  { group: 'Sound', label: 'Quieter', keys: ['↓'], run: () => changeVolume(-volumeStep) },
  { group: 'Sound', label: 'Mute', keys: ['M'], run: toggleMute },
  { group: 'View', label: 'Queue', keys: ['Q'], run: () => togglePanel('queue') },
  { group: 'View', label: 'Lyrics', keys: ['Y'], run: () => togglePanel('lyrics') },
  { group: 'View', label: 'Full player', keys: ['F'], run: toggleFullPlayer },
  { group: 'View', label: 'Mini player', keys: ['I'], run: toggleMini },
  { group: 'View', label: 'Search', keys: ['/'], run: focusSearch, always: true },
  { group: 'View', label: 'Keyboard shortcuts', keys: ['?'], run: toggleHelp, always: true },
]

/** Handles the keys until the returned function is called. */
export function handleShortcuts(readContext: () => ShortcutContext): () => void {
  let isSpaceHandled = false
  const onKeyDown = (event: KeyboardEvent) => {
    const command = findCommand(event)
    if (event.key === ' ' && !event.repeat) isSpaceHandled = command !== undefined
    if (!command) return
    event.preventDefault()
    command.run(readContext())
  }
  // Prevent the click that Firefox fires when Space is released, even if the keydown was prevented.
  const onKeyUp = (event: KeyboardEvent) => {
    if (event.key === ' ' && isSpaceHandled) event.preventDefault()
  }
  const endWatch = watchPointerFocus()
  addEventListener('keydown', onKeyDown)
  addEventListener('keyup', onKeyUp)
  return () => {
    endWatch()
    removeEventListener('keydown', onKeyDown)
    removeEventListener('keyup', onKeyUp)
  }
}

/** Returns the command for a key press that no control uses. */
export function findCommand(event: KeyboardEvent): PlayerCommand | undefined {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return undefined
  if (event.repeat && !isArrow(event.key)) return undefined
  if (event.target instanceof Element && isUsedBy(event.target, event.key)) return undefined
  const pressed = keyName(event)
  const state = usePlayer.getState()
  if (!state.settings.shortcuts) return undefined
  const command = playerCommands.find(({ keys }) => keys.includes(pressed))
  return command && (command.always || selectTrack(state)) ? command : undefined
}

const names: Record<string, string> = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
}

function keyName({ key, shiftKey }: KeyboardEvent): string {
  const name = names[key] ?? key.toUpperCase()
  return shiftKey && isArrow(key) ? `Shift+${name}` : name
}

function isArrow(key: string): boolean {
  return key.startsWith('Arrow')
}

const typing =
  'input:not([type=range], [type=checkbox], [type=radio], [type=button], [type=submit]), textarea, select, [contenteditable]:not([contenteditable=false])'
const openLists = '[role=menu], [role=listbox], [role=grid], [role=tree]'
const ownKeys = `${openLists}, [role=tablist], [role=radiogroup], [role=slider]`
const pressedWithSpace =
  'button, summary, input, [role=button], [role=checkbox], [role=switch], [role=tab], [role=option]'

function isUsedBy(target: Element, key: string): boolean {
  if (target.closest(typing) || target.closest(openLists)) return true
  if (isUnderForeignDialog(target)) return true
  if (key === ' ' && isReachedByPointer(target)) return false
  if (target.closest(ownKeys)) return true
  if (isArrow(key)) return target.matches('input[type=range], input[type=radio]')
  return key === ' ' && target.closest(pressedWithSpace) !== null && !target.matches('[type=range]')
}

/**
 * True if the target is inside or behind an open modal dialog, which receives all keys. The full player doesn't count.
 */
function isUnderForeignDialog(target: Element): boolean {
  const open = [...document.querySelectorAll('dialog[open]')].at(-1)
  const dialog = target.closest('dialog') ?? open
  return dialog !== undefined && dialog !== null && !dialog.hasAttribute('data-player')
}

/** Focuses the screen's own search field, otherwise opens the search palette. */
function focusSearch(): void {
  const fields = document.querySelectorAll<HTMLInputElement>('[role=search] input')
  const field = [...fields].find((candidate) => candidate.offsetParent !== null) ?? fields[0]
  if (!field) return setPaletteOpen(true)
  field.focus()
  field.select()
}

function toggleHelp(): void {
  setHelpOpen(!usePlayerView.getState().isHelpOpen)
}

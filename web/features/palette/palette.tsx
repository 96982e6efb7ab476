// The command palette: one search box for tracks, playlists, categories, screens and actions. The focus stays in the
// box; arrows move through the list below it, following the combobox pattern (WAI-ARIA 1.2).
import { IconArrowLeft, IconSearch } from '#web/base/ui/icons/icons.ts'
import { useEffect, useEffectEvent, useId, useState, type KeyboardEvent } from 'react'
import { searchMaxLength } from '#contract/tracks.ts'
import { errorText } from '../../base/api/show-error.ts'
import { Button } from '../../base/ui/controls/button.tsx'
import { IconButton } from '../../base/ui/controls/icon-button.tsx'
import { Spinner } from '../../base/ui/controls/spinner.tsx'
import { Toasts } from '../../base/ui/overlays/toasts.tsx'
import { useModal } from '../../base/ui/overlays/use-modal.ts'
import styles from './palette.module.css'
import { choiceKey, type PaletteChoice } from './palette-choice.ts'
import { PaletteList } from './palette-list.tsx'
import { usePaletteSearch } from './palette-search.ts'
import { useChoose } from './use-choose.ts'

interface PaletteProps {
  open: boolean
  onClose: () => void
}

export function Palette({ open, onClose }: PaletteProps) {
  const { present, props } = useModal(open, onClose)
  return (
    <dialog {...props} className={styles.palette} aria-label="Find anything">
      {present && <PaletteContent open={open} onClose={onClose} />}
    </dialog>
  )
}

/** Mounted each time the palette opens, so it always starts empty. */
function PaletteContent({ open, onClose }: PaletteProps) {
  const listId = useId()
  const [text, setText] = useState('')
  const search = usePaletteSearch(text)
  const { choose, addToQueue } = useChoose(onClose)
  const choices = search.groups.flatMap((group) => group.choices)
  const [activeKey, setActiveKey] = useState<string>()
  const place = choices.findIndex((choice) => choiceKey(choice) === activeKey)
  const active = choices[place] ?? choices[0]

  const take = (choice: PaletteChoice, withShift: boolean) => {
    if (!withShift) choose(choice, search.tracks)
    else if (choice.kind === 'track') void addToQueue(choice, search.tracks)
  }
  const { enter, cancelEnter } = useEnter(search.isWaiting, active, take)

  function onKeyDown(event: KeyboardEvent) {
    const next = nextPlace(event.key, Math.max(place, 0), choices.length)
    const target = next === undefined ? undefined : choices[next]
    if (target) setActiveKey(choiceKey(target))
    else if (event.key === 'Enter' && !event.nativeEvent.isComposing) enter(event.shiftKey)
    else return
    event.preventDefault()
  }

  return (
    <div className={styles.frame}>
      <div className={styles.box}>
        <span className={styles.back}>
          <IconButton label="Close" tooltip={false} onClick={onClose}>
            <IconArrowLeft />
          </IconButton>
        </span>
        <span className={styles.lead} aria-hidden="true">
          {search.isWaiting ? <Spinner /> : <IconSearch />}
        </span>
        <input
          className={styles.input}
          data-autofocus
          role="combobox"
          aria-label="Find tracks, playlists, categories and screens"
          aria-autocomplete="list"
          aria-expanded={active !== undefined}
          aria-controls={active ? listId : undefined}
          aria-activedescendant={active && `${listId}-${choiceKey(active)}`}
          placeholder="Tracks, playlists, screens…"
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          maxLength={searchMaxLength}
          value={text}
          onChange={(event) => {
            setText(event.target.value)
            setActiveKey(undefined)
            cancelEnter()
          }}
          onKeyDown={onKeyDown}
        />
        <kbd className={styles.escape} aria-hidden="true">
          Esc
        </kbd>
      </div>
      {active && (
        <PaletteList
          id={listId}
          groups={search.groups}
          activeKey={choiceKey(active)}
          isOld={search.isWaiting}
          onHover={(choice) => setActiveKey(choiceKey(choice))}
          onTake={take}
        />
      )}
      <PaletteStatus {...{ text, search }} count={choices.length} />
      <PaletteHints isTrack={active?.kind === 'track'} />
      <Toasts active={open} />
    </div>
  )
}

/**
 * Enter runs the active choice. While the results for the latest text are loading, the active choice may no longer
 * match. Enter is then delayed until they have loaded, and canceled by further typing.
 */
function useEnter(
  isWaiting: boolean,
  active: PaletteChoice | undefined,
  take: (choice: PaletteChoice, withShift: boolean) => void,
) {
  const [pressed, setPressed] = useState<{ withShift: boolean }>()
  const runActiveChoice = useEffectEvent((withShift: boolean) => active && take(active, withShift))
  const answered = isWaiting ? undefined : pressed
  useEffect(() => {
    if (answered) runActiveChoice(answered.withShift)
  }, [answered])

  const isOfServer = active === undefined || active.kind === 'track' || active.kind === 'playlist'
  return {
    enter(withShift: boolean) {
      if (isWaiting && isOfServer) setPressed({ withShift })
      else if (active) take(active, withShift)
    },
    cancelEnter: () => setPressed(undefined),
  }
}

function PaletteStatus(props: {
  text: string
  search: ReturnType<typeof usePaletteSearch>
  count: number
}) {
  const { text, search, count } = props
  const { isWaiting, error, retry } = search
  if (error) {
    return (
      <div className={styles.words} role="alert">
        <p>{errorText(error)}</p>
        <Button size="small" onClick={retry}>
          Retry
        </Button>
      </div>
    )
  }
  const isEmpty = count === 0 && !isWaiting
  return (
    <p className={isEmpty ? styles.words : styles.heard} role="status">
      {isEmpty && `Nothing matches “${text.trim()}”.`}
      {!isEmpty && !isWaiting && text.trim() !== '' && `${count} found`}
      {isWaiting && 'Searching…'}
    </p>
  )
}

function PaletteHints({ isTrack }: { isTrack: boolean }) {
  return (
    <p className={styles.hints} aria-hidden="true">
      <span>
        <kbd>↑</kbd> <kbd>↓</kbd> move
      </span>
      <span>
        <kbd>Enter</kbd> {isTrack ? 'play' : 'open'}
      </span>
      {isTrack && (
        <span>
          <kbd>Shift</kbd> <kbd>Enter</kbd> add to queue
        </span>
      )}
    </p>
  )
}

const pageChoices = 6

function nextPlace(key: string, place: number, count: number): number | undefined {
  const target = {
    // Wraps around at both ends.
    ArrowDown: (place + 1) % count,
    ArrowUp: (place - 1 + count) % count,
    PageDown: Math.min(place + pageChoices, count - 1),
    PageUp: Math.max(place - pageChoices, 0),
    Home: 0,
    End: count - 1,
  }[key]
  return count === 0 ? undefined : target
}

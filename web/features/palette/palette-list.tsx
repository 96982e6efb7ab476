// The list below the palette's box: groups of choices, with one active choice.
import {
  IconArrowRight,
  IconArrowsShuffle,
  IconCategory2,
  IconDeviceDesktop,
  IconKeyboard,
  IconLogout,
  IconMoon,
  IconPlayerPlay,
  IconPlayerTrackNext,
  IconPlayerTrackPrev,
  IconSun,
} from '#web/base/ui/icons/icons.ts'
import {
  useId,
  useLayoutEffect,
  useRef,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
} from 'react'
import { Cover } from '../../base/ui/display/cover.tsx'
import { AiBadge } from '../catalogue/ai-badge.tsx'
import { PremiumMark } from '../catalogue/premium-mark.tsx'
import { choiceKey, type PaletteChoice, type PaletteGroup } from './palette-choice.ts'
import type { PaletteAction } from './palette-commands.ts'
import styles from './palette-list.module.css'

export interface PaletteListProps {
  id: string
  groups: readonly PaletteGroup[]
  activeKey: string
  /** True while the shown results belong to an earlier text. */
  isOld: boolean
  /** Called when the pointer moves over a choice. */
  onHover: (choice: PaletteChoice) => void
  onTake: (choice: PaletteChoice, withShift: boolean) => void
}

export function PaletteList({ id, groups, activeKey, isOld, onHover, onTake }: PaletteListProps) {
  const list = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const active = list.current?.querySelector('[aria-selected="true"]')
    // The first choice also scrolls the heading above it into view.
    const isFirst = active?.matches('[role="group"]:first-child > [role="option"]:nth-child(2)')
    if (isFirst) list.current?.scrollTo?.({ top: 0 })
    else active?.scrollIntoView?.({ block: 'nearest' })
  }, [activeKey])
  const pointer = (choice: PaletteChoice) => ({
    onPointerMove({ movementX, movementY }: PointerEvent) {
      // Ignore pointer events of rows that scroll by under a resting pointer.
      if (movementX !== 0 || movementY !== 0) onHover(choice)
    },
    // Keeps the focus in the box.
    onMouseDown: (event: MouseEvent) => event.preventDefault(),
    onClick: (event: MouseEvent) => onTake(choice, event.shiftKey),
  })
  return (
    <div
      ref={list}
      id={id}
      className={styles.list}
      role="listbox"
      aria-label="Choices"
      aria-busy={isOld || undefined}
    >
      {groups.map((group) => (
        <Group key={group.label} label={group.label}>
          {group.choices.map((choice) => {
            const key = choiceKey(choice)
            return (
              <div
                key={key}
                id={`${id}-${key}`}
                className={styles.option}
                role="option"
                aria-selected={key === activeKey}
                {...pointer(choice)}
              >
                <Picture choice={choice} />
                <span className={styles.words}>
                  <span className={styles.title}>{choice.title}</span>
                  {choice.detail && <span className={styles.detail}>{choice.detail}</span>}
                </span>
                {choice.marks && <Marks {...choice.marks} />}
              </div>
            )
          })}
        </Group>
      ))}
    </div>
  )
}

function Marks({ ai_disclosure, ai_tool, ...restricted }: NonNullable<PaletteChoice['marks']>) {
  return (
    <span className={styles.marks}>
      <PremiumMark of={restricted} />
      {ai_disclosure && <AiBadge track={{ ai_disclosure, ai_tool: ai_tool ?? null }} />}
    </span>
  )
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id}>
      <div id={id} className={styles.heading} role="presentation">
        {label}
      </div>
      {children}
    </div>
  )
}

const actionIcons: Record<PaletteAction, typeof IconMoon> = {
  'toggle-play': IconPlayerPlay,
  next: IconPlayerTrackNext,
  previous: IconPlayerTrackPrev,
  'toggle-shuffle': IconArrowsShuffle,
  'color-dark': IconMoon,
  'color-light': IconSun,
  'color-system': IconDeviceDesktop,
  shortcuts: IconKeyboard,
  logout: IconLogout,
}

function Picture({ choice }: { choice: PaletteChoice }) {
  const { kind, id, title, cover_url, cover_tint } = choice
  if (
    kind === 'track' ||
    kind === 'artist' ||
    kind === 'playlist' ||
    kind === 'release' ||
    cover_url
  ) {
    return (
      <span className={styles.cover} data-round={kind === 'artist' || undefined}>
        <Cover url={cover_url} tint={cover_tint} title={title} sizes="40px" />
      </span>
    )
  }
  const Icon =
    kind === 'category'
      ? IconCategory2
      : kind === 'action'
        ? actionIcons[id as PaletteAction]
        : IconArrowRight
  return (
    <span className={styles.icon} aria-hidden="true">
      <Icon />
    </span>
  )
}

// A button that opens a list of actions: arrows, Home, End and first letters move, Escape and Tab close. On narrow
// windows the list opens from the bottom edge, near the thumb.
import {
  cloneElement,
  createContext,
  use,
  useCallback,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
} from 'react'
import styles from './menu.module.css'
import { returnFocus } from '../layout/focus.ts'
import { placeFloating, type Align, type FloatingAnchor } from '../layout/place-floating.ts'
import { moveInMenu } from './move-in-menu.ts'
import { swallowNextClick } from './swallow-next-click.ts'

interface TriggerProps {
  ref?: (element: HTMLElement | null) => void
  onClick?: () => void
  onKeyDown?: (event: KeyboardEvent) => void
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
  'aria-controls'?: string | undefined
}

export interface MenuProps {
  /** Accessible name of the list. */
  label: string
  /** A Button or IconButton. */
  trigger: ReactElement
  align?: Align
  children: ReactNode
}

const CloseMenu = createContext<() => void>(() => {})

export function Menu({ label, trigger, align = 'end', children }: MenuProps) {
  const [open, setOpen] = useState(false)
  const [anchor, setAnchor] = useState<HTMLElement | null>(null)
  const menuId = useId()
  const close = useCallback(() => {
    setOpen(false)
    returnFocus(anchor)
  }, [anchor])

  const triggerProps: TriggerProps = {
    ref: setAnchor,
    onClick: () => setOpen(!open),
    onKeyDown(event) {
      if (event.key !== 'ArrowDown') return
      event.preventDefault()
      setOpen(true)
    },
    'aria-haspopup': 'menu',
    'aria-expanded': open,
    'aria-controls': open ? menuId : undefined,
  }
  return (
    <>
      {cloneElement(trigger as ReactElement<TriggerProps>, triggerProps)}
      {open && (
        <FloatingMenu
          {...{ label, align, anchor, close }}
          id={menuId}
          abandon={() => setOpen(false)}
        >
          {children}
        </FloatingMenu>
      )}
    </>
  )
}

export interface FloatingMenuProps extends Pick<MenuProps, 'label' | 'children'> {
  id?: string
  align: Align
  /**
   * The element or point beside which the list opens. Clicks on the element are ignored here, because it is the trigger
   * and may close the menu itself.
   */
  anchor: FloatingAnchor | null
  gapPx?: number
  /** Closes the list and returns the focus. */
  close: () => void
  /** Closes the list without moving the focus. */
  abandon: () => void
}

/** The open list of a menu, without its trigger. The list is open while it is mounted. */
export function FloatingMenu(props: FloatingMenuProps) {
  const { id, label, align, anchor, gapPx, close, abandon, children } = props
  const list = useRef<HTMLDivElement>(null)
  const onOutsideTap = useEffectEvent(abandon)

  useLayoutEffect(() => {
    const element = list.current
    if (!element) return
    element.showPopover?.()
    const options = { side: 'bottom', align, ...(gapPx !== undefined && { gapPx }) } as const
    const place = () => anchor && placeFloating(anchor, element, options)
    place()
    moveInMenu(element, 'first')
    const parts = anchor instanceof Element ? [element, anchor] : [element]
    const pointerDown = (event: PointerEvent) => {
      if (parts.some((part) => part.contains(event.target as Node))) return
      // A tap outside the menu only closes it.
      if (event.pointerType === 'touch') swallowNextClick()
      onOutsideTap()
    }
    const listening = new AbortController()
    const { signal } = listening
    document.addEventListener('pointerdown', pointerDown, { signal, capture: true })
    document.addEventListener('scroll', place, { signal, capture: true, passive: true })
    addEventListener('resize', place, { signal })
    return () => listening.abort()
  }, [align, anchor, gapPx])

  function keyDown(event: KeyboardEvent<HTMLDivElement>) {
    if (event.key === 'Tab') return abandon()
    if (event.key === 'Escape') {
      // Close only the menu, not the surrounding dialog.
      event.preventDefault()
      event.stopPropagation()
      return close()
    }
    if (moveInMenu(event.currentTarget, event.key)) {
      event.preventDefault()
      event.stopPropagation()
    }
  }

  return (
    <CloseMenu value={close}>
      <div
        ref={list}
        id={id}
        className={styles.menu}
        popover="manual"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onKeyDown={keyDown}
        // Prevents the browser's own menu from covering this one, for example when the context menu key is released.
        onContextMenu={(event) => event.preventDefault()}
      >
        {children}
      </div>
    </CloseMenu>
  )
}

export interface MenuItemProps {
  icon?: ReactNode
  onSelect: () => void
  disabled?: boolean
  danger?: boolean
  /** For an item that is one of several options: shown with a mark, and announced as checked. */
  checked?: boolean
  /** Small text on the right: a shortcut, a count. */
  aside?: ReactNode
  children: ReactNode
}

export function MenuItem({
  icon,
  onSelect,
  disabled,
  danger,
  checked,
  aside,
  children,
}: MenuItemProps) {
  const close = use(CloseMenu)
  return (
    <button
      type="button"
      className={styles.item}
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={checked}
      aria-disabled={disabled || undefined}
      data-danger={danger || undefined}
      tabIndex={-1}
      onPointerMove={(event) => event.currentTarget.focus({ preventScroll: true })}
      onClick={() => {
        if (disabled) return
        close()
        onSelect()
      }}
    >
      {icon && (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      )}
      <span className={styles.words}>{children}</span>
      {aside && <span className={styles.aside}>{aside}</span>}
    </button>
  )
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return (
    <div className={styles.label} role="presentation">
      {children}
    </div>
  )
}

export function MenuSeparator() {
  return <div className={styles.separator} role="separator" />
}

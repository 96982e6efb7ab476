// Opens and closes a <dialog> as a modal: the browser traps the focus, makes the page inert and restores the focus.
// This hook adds Escape and the backdrop as close requests, and keeps the content mounted until the closing animation
// has ended.
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type MouseEvent,
  type SyntheticEvent,
} from 'react'

export function useModal(open: boolean, onClose: () => void) {
  const dialog = useRef<HTMLDialogElement>(null)
  const [closing, setClosing] = useState(false)
  const present = open || closing

  useLayoutEffect(() => {
    const element = dialog.current
    if (!element || !open) return
    holdPage()
    element.showModal()
    const first = element.querySelector<HTMLElement>('[data-autofocus]')
    if (first) first.focus()
    return () => {
      element.close()
      releasePage()
      setClosing(true)
    }
  }, [open])

  useEffect(() => {
    if (!closing || open) return
    let current = true
    const movements = dialog.current?.getAnimations?.() ?? []
    void Promise.allSettled(movements.map((movement) => movement.finished)).then(() => {
      if (current) setClosing(false)
    })
    return () => {
      current = false
    }
  }, [closing, open])

  return {
    present,
    props: {
      ref: dialog,
      onCancel(event: SyntheticEvent) {
        // The component that owns the dialog closes it, because it may first ask whether to discard unsaved changes.
        event.preventDefault()
        if (event.target === dialog.current) onClose()
      },
      onMouseDown(event: MouseEvent) {
        if (event.target === dialog.current && isOutside(event, dialog.current)) onClose()
      },
    },
  }
}

let openModals = 0

/**
 * Disables scrolling of the page behind a modal by an attribute. With `html:has(dialog[open])` the browser would search
 * the whole page for a dialog whenever a row of a list is added or removed.
 */
function holdPage(): void {
  openModals += 1
  if (openModals > 1) return
  const root = document.documentElement
  root.style.setProperty('--scrollbar-width', `${innerWidth - root.clientWidth}px`)
  root.setAttribute('data-held', '')
}

function releasePage(): void {
  openModals -= 1
  if (openModals === 0) document.documentElement.removeAttribute('data-held')
}

function isOutside(event: MouseEvent, element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  return (
    event.clientX < left || event.clientX > right || event.clientY < top || event.clientY > bottom
  )
}

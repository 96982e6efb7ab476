// Renders and announces the toasts. The two live regions exist from the start, separate from the visible toasts: screen
// readers often ignore a region that is added together with its text.
import { IconAlertTriangle, IconCheck, IconX } from '../icons/icons.ts'
import { useEffect, useId, useRef, useState } from 'react'
import { Button } from '../controls/button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { dismissToast, hostToasts, runToastAction, useToasts, type Toast } from './toast-store.ts'
import styles from './toasts.module.css'
import { returnFocus } from '../layout/focus.ts'
import { VisuallyHidden } from '../layout/visually-hidden.tsx'

export interface ToastsProps {
  /** False while the surrounding dialog is closing. */
  active?: boolean
}

/** Renders the visible toasts. Mounted once at the root of the page, and once in each dialog. */
export function Toasts({ active = true }: ToastsProps) {
  const hostId = useId()
  useEffect(() => (active ? hostToasts(hostId) : undefined), [active, hostId])
  const isHost = useToasts((state) => state.hosts.at(-1) === hostId)
  const allToasts = useToasts((state) => state.toasts)
  const toasts = isHost ? allToasts : []
  const layer = useTopLayer(toasts.length > 0)
  useUndoKey(toasts.findLast(isUndo))
  const urgent = toasts.filter((toast) => toast.tone === 'destructive')
  const calm = toasts.filter((toast) => toast.tone !== 'destructive')
  return (
    <>
      <VisuallyHidden role="status">{calm.map(getToastText).join(' ')}</VisuallyHidden>
      <VisuallyHidden role="alert">{urgent.map(getToastText).join(' ')}</VisuallyHidden>
      <section ref={layer} className={styles.layer} aria-label="Notifications" popover="manual">
        <ol className={styles.list}>
          {toasts.map((toast) => (
            <ToastCard key={toast.id} toast={toast} />
          ))}
        </ol>
      </section>
    </>
  )
}

function ToastCard({ toast }: { toast: Toast }) {
  const [held, setHeld] = useState(false)
  const cameFrom = useRef<EventTarget | null>(null)
  const tone = toast.tone ?? 'neutral'
  const durationMs = toast.durationMs ?? (tone === 'destructive' || toast.action ? 8000 : 5000)

  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => dismissToast(toast.id), durationMs)
    return () => clearTimeout(timer)
  }, [held, toast.id, durationMs])

  /** Runs `act`, then returns the focus of keyboard users to its previous place. */
  function keepFocusAndRun(act: () => void) {
    const target = cameFrom.current
    act()
    returnFocus(target)
  }

  return (
    <li
      className={`${styles.toast} ${styles[tone]}`}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={({ currentTarget, relatedTarget }) => {
        setHeld(true)
        if (!currentTarget.contains(relatedTarget)) cameFrom.current = relatedTarget
      }}
      onBlur={() => setHeld(false)}
    >
      {tone !== 'neutral' && (
        <span className={styles.icon} aria-hidden="true">
          {tone === 'success' ? <IconCheck /> : <IconAlertTriangle />}
        </span>
      )}
      <div className={styles.words}>
        <p className={styles.title}>{toast.title}</p>
        {toast.message && <p className={styles.message}>{toast.message}</p>}
      </div>
      {toast.action && (
        <Button
          size="small"
          {...(isUndo(toast) && { 'aria-keyshortcuts': 'Control+Z Meta+Z' })}
          onClick={() => keepFocusAndRun(() => runToastAction(toast))}
        >
          {toast.action.label}
        </Button>
      )}
      <IconButton
        label={`Dismiss: ${toast.title}`}
        tooltip={false}
        size="small"
        onClick={() => keepFocusAndRun(() => dismissToast(toast.id))}
      >
        <IconX />
      </IconButton>
    </li>
  )
}

/** Raises the toasts above an open dialog: both are in the browser's top layer, where the later one is on top. */
function useTopLayer(isShown: boolean) {
  const layer = useRef<HTMLElement>(null)
  useEffect(() => {
    if (!isShown) return
    const element = layer.current
    element?.showPopover?.()
    return () => element?.hidePopover?.()
  }, [isShown])
  return layer
}

const isUndo = ({ action }: Toast) => action?.label === 'Undo'

/** Ctrl+Z, because a toast disappears before keyboard users can reach it with Tab. Text fields keep their own Undo. */
function useUndoKey(toast: Toast | undefined): void {
  useEffect(() => {
    if (!toast) return
    const onKeyDown = (event: KeyboardEvent) => {
      const isUndoKey = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key === 'z'
      if (!isUndoKey || event.defaultPrevented || isTextField(event.target)) return
      event.preventDefault()
      runToastAction(toast)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [toast])
}

function isTextField(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return target.isContentEditable || target.matches('input, textarea, select')
}

function getToastText(toast: Toast): string {
  const { title, message, action } = toast
  const words = message ? `${title}. ${message}` : title
  if (!action) return words
  return `${words} ${action.label} is available${isUndo(toast) ? ' with Control Z' : ''}.`
}

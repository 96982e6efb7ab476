// The visible toasts and their host, the component that renders them. The store needs no React, so queries and other
// stores can show toasts too. A modal dialog makes the page behind it inert, so each open dialog is a host as well. The
// host that registered last renders the toasts.
import { create } from 'zustand'

export interface ToastAction {
  label: string
  onAction: () => void
}

export interface ToastContent {
  title: string
  message?: string
  /** `destructive` is announced immediately (assertive); the others are polite. */
  tone?: 'neutral' | 'success' | 'destructive'
  /** An action such as Undo. Running it closes the toast. Ctrl+Z runs the newest Undo. */
  action?: ToastAction
  /**
   * How long the toast stays while the pointer is not over it. Defaults to 5 s, or to 8 s if it is destructive or has
   * an action.
   */
  durationMs?: number
}

export interface Toast extends ToastContent {
  id: number
}

/** More toasts would cover the screen, so the oldest is removed. */
const maxToasts = 4
let lastId = 0

export const useToasts = create<{ toasts: Toast[]; hosts: string[] }>(() => ({
  toasts: [],
  hosts: [],
}))

/** Makes this host render the toasts until the returned function is called. */
export function hostToasts(hostId: string): () => void {
  useToasts.setState(({ hosts }) => ({ hosts: [...hosts, hostId] }))
  return () => {
    useToasts.setState(({ hosts }) => ({ hosts: hosts.filter((host) => host !== hostId) }))
  }
}

/** Shows a toast and returns its id. It replaces a toast with the same text, unless that one has an action. */
export function showToast(content: ToastContent): number {
  lastId += 1
  const toast: Toast = { ...content, id: lastId }
  useToasts.setState(({ toasts }) => ({
    toasts: [
      ...toasts.filter(
        (other) => other.action || other.title !== toast.title || other.message !== toast.message,
      ),
      toast,
    ].slice(-maxToasts),
  }))
  return toast.id
}

/** Runs the action of a toast and closes it. */
export function runToastAction({ id, action }: Toast): void {
  action?.onAction()
  dismissToast(id)
}

export function dismissToast(id: number): void {
  useToasts.setState(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }))
}

// The toasts on screen, and where they are drawn. Anyone may show one: it needs no React, so queries and
// stores can too. A modal dialog makes the page behind it deaf and mute, so each open one hosts the
// toasts itself; the host that came last has them.
import { create } from 'zustand'

export interface ToastAction {
  label: string
  onAction: () => void
}

export interface ToastContent {
  title: string
  message?: string
  /** `destructive` is announced at once; the others wait for a pause. */
  tone?: 'neutral' | 'success' | 'destructive'
  /** Undo and the like. Running it closes the toast; Ctrl+Z runs the newest Undo. */
  action?: ToastAction
  /** How long it stays while nobody points at it. Default 5 s; 8 s when destructive or with an action. */
  durationMs?: number
}

export interface Toast extends ToastContent {
  id: number
}

/** More would cover the screen; the oldest leaves. */
const maxToasts = 4
let lastId = 0

export const useToasts = create<{ toasts: Toast[]; hosts: string[] }>(() => ({
  toasts: [],
  hosts: [],
}))

/** Takes the toasts over until the returned function gives them back. */
export function hostToasts(hostId: string): () => void {
  useToasts.setState(({ hosts }) => ({ hosts: [...hosts, hostId] }))
  return () => {
    useToasts.setState(({ hosts }) => ({ hosts: hosts.filter((host) => host !== hostId) }))
  }
}

/** Shows a toast and returns its id. One with the same words replaces the one before, unless that can be acted upon. */
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

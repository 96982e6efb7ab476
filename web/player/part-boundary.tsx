// Keeps a broken or unreachable part of the player from taking the music and the page with it.
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { showToast } from '../ui/toast-store.ts'

export interface PartBoundaryProps {
  /** Closes what failed, so that it is not drawn again. */
  onClose: () => void
  children: ReactNode
}

export class PartBoundary extends Component<PartBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack)
    this.props.onClose()
    this.setState({ hasFailed: false })
    showToast({
      tone: 'destructive',
      title: 'Error',
      message: 'This part of the player could not be opened. Reload the page and try again.',
    })
  }

  override render() {
    return this.state.hasFailed ? null : this.props.children
  }
}

// Error boundary: if a part of the player fails to load or render, the music and the page keep working.
import { Component, type ErrorInfo, type ReactNode } from 'react'
import { showToast } from '../../../base/ui/overlays/toast-store.ts'

export interface PartBoundaryProps {
  /** Closes the failed part, so that it is not rendered again. */
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

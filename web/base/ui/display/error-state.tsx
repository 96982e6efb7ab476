// Shown when a screen failed to load, with a retry button.
import { IconPlugConnectedX, IconRefresh } from '../icons/icons.ts'
import { Button } from '../controls/button.tsx'
import { EmptyState } from './empty-state.tsx'

export interface ErrorStateProps {
  title: string
  message?: string
  onRetry?: () => void
  /** True while the retry is running. */
  busy?: boolean
}

export function ErrorState({ title, message, onRetry, busy = false }: ErrorStateProps) {
  return (
    <div role="alert">
      <EmptyState
        icon={<IconPlugConnectedX />}
        title={title}
        {...(message && { message })}
        action={
          onRetry && (
            <Button icon={<IconRefresh />} busy={busy} onClick={onRetry}>
              Retry
            </Button>
          )
        }
      />
    </div>
  )
}

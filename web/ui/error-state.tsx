// What a screen says when it could not load, with the way to try again.
import { IconPlugConnectedX, IconRefresh } from '@tabler/icons-react'
import { Button } from './button.tsx'
import { EmptyState } from './empty-state.tsx'

export interface ErrorStateProps {
  title: string
  message?: string
  onRetry?: () => void
  /** The retry is under way. */
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

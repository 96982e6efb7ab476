// Shown in place of a screen whose artist, playlist or other subject does not exist or failed to load.
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../api/api.ts'
import { errorText } from '../api/show-error.ts'
import { EmptyState } from '../ui/display/empty-state.tsx'
import { ErrorState } from '../ui/display/error-state.tsx'
import { ButtonLink } from './screen-link.tsx'

export interface ScreenProblemProps {
  query: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>
  /** What the screen shows, such as 'artist'. */
  noun: string
  icon: ReactNode
  /** Explains why the subject may not exist. */
  reason: string
  /** A link to a list from which the user can continue. */
  list: { to: string; label: string }
}

export function ScreenProblem({ query, noun, icon, reason, list }: ScreenProblemProps) {
  const { error, isFetching, refetch } = query
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState
        icon={icon}
        title={`${noun[0]?.toUpperCase()}${noun.slice(1)} not found`}
        isScreenHeading
        message={reason}
        action={<ButtonLink to={list.to}>{list.label}</ButtonLink>}
      />
    )
  }
  return (
    <ErrorState
      title={`The ${noun} could not be loaded`}
      message={errorText(error)}
      busy={isFetching}
      onRetry={() => void refetch()}
    />
  )
}

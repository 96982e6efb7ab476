// Shown when a playlist does not exist or failed to load.
import type { UseQueryResult } from '@tanstack/react-query'
import { IconPlaylistOff } from '#web/base/ui/icons/icons.ts'
import { ApiError } from '../../base/api/api.ts'
import { ButtonLink } from '../../base/navigation/screen-link.tsx'
import { errorText } from '../../base/api/show-error.ts'
import { EmptyState } from '../../base/ui/display/empty-state.tsx'
import { ErrorState } from '../../base/ui/display/error-state.tsx'

type FailedQuery = Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'>

export function PlaylistProblem({ query }: { query: FailedQuery }) {
  const { error, isFetching, refetch } = query
  if (error instanceof ApiError && error.status === 404) {
    return (
      <EmptyState
        icon={<IconPlaylistOff />}
        title="Playlist not found"
        isScreenHeading
        message="It may have been deleted, or its owner keeps it to themselves."
        action={<ButtonLink to="/my-playlists">My Playlists</ButtonLink>}
      />
    )
  }
  return (
    <ErrorState
      title="The playlist could not be loaded"
      message={errorText(error)}
      busy={isFetching}
      onRetry={() => void refetch()}
    />
  )
}

// Shown when a playlist does not exist or failed to load.
import { IconPlaylistOff } from '#web/base/ui/icons/icons.ts'
import { ScreenProblem, type ScreenProblemProps } from '../../base/navigation/screen-problem.tsx'

export function PlaylistProblem({ query }: Pick<ScreenProblemProps, 'query'>) {
  return (
    <ScreenProblem
      query={query}
      noun="playlist"
      icon={<IconPlaylistOff />}
      reason="It may have been deleted or made private."
      list={{ to: '/my-playlists', label: 'My Playlists' }}
    />
  )
}

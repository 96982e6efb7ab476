// Likes or unlikes several tracks with one request.
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { likeTracks } from '#contract/tracks.ts'
import { call } from '../../../base/api/api.ts'
import { formatCount } from '../../../base/format/format-duration.ts'
import { showToast } from '../../../base/ui/overlays/toast-store.ts'
import { refreshLikedLists, setLiked } from '../use-like.ts'

export function useLikeMany() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ ids, isLiked }: { ids: string[]; isLiked: boolean }) =>
      call(likeTracks, { body: { track_ids: ids, is_liked: isLiked } }),
    async onSuccess(_, { ids, isLiked }) {
      setLiked(queryClient, ids, isLiked)
      showToast({
        title: isLiked ? 'Added to liked tracks' : 'Removed from liked tracks',
        message: formatCount(ids.length, 'track', 'tracks'),
      })
      await refreshLikedLists(queryClient)
    },
  })
}

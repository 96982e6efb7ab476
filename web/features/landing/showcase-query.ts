// The tracks with previews for everyone.
import { listShowcase } from '#contract/showcase-tracks.ts'
import { call } from '../../base/api/api.ts'

export const showcaseQuery = {
  queryKey: ['showcase'] as const,
  queryFn: async () => (await call(listShowcase, {})).data,
}

// The categories of a track. Responses of the previous release, saved queues and downloads contain only the first
// one.

export function categoriesOf(track: {
  category: string | null
  categories?: readonly string[]
}): readonly string[] {
  return track.categories ?? (track.category === null ? [] : [track.category])
}

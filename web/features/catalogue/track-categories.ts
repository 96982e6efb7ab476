// The categories of a track. Answers of the previous release, saved queues and tracks on the device know only the first.

export function categoriesOf(track: {
  category: string | null
  categories?: readonly string[]
}): readonly string[] {
  return track.categories ?? (track.category === null ? [] : [track.category])
}

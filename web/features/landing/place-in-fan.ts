// The position of each cover in the fan, for the initial rendering and for later moves.

export interface FanPlace {
  /** Number of steps from the front cover, in the shorter direction: -2, -1, 0, 1, 2, 3 for six covers. */
  place: number
  distance: number
  zIndex: number
  isFront: boolean
  /** True for a cover without a visible position. It is hidden until it moves to one. */
  isBehind: boolean
}

export function placeInFan(index: number, front: number, count: number): FanPlace {
  const steps = (index - front + count) % count
  const place = steps > count / 2 ? steps - count : steps
  const distance = Math.abs(place)
  return {
    place,
    distance,
    zIndex: count - distance,
    isFront: place === 0,
    isBehind: distance > 2,
  }
}

// Where each cover of the fan lies, for the page as it is drawn first and for whatever moves it later.

export interface FanPlace {
  /** Steps from the front, the short way round: -2, -1, 0, 1, 2, 3 for six covers. */
  place: number
  distance: number
  zIndex: number
  isFront: boolean
  /** Waits out of sight until it is its turn to come round. */
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

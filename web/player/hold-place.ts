// Holds this player's place among those of the account: says when it starts to play, that it still does,
// and when it stops. Invariant: one thing is said at a time, and what is said goes by what the store wants
// at that moment, so that a quick pause and play cannot arrive in the wrong order.
import { beatSeconds, playCap } from '#contract/playing.ts'
import { ApiError } from '../app/api.ts'
import { reportElsewhere } from './player-reports.ts'
import { usePlayer } from './player-store.ts'

export type PlaceWord = 'start' | 'beat' | 'stop'

export interface HeldPlace {
  /** Asks the server at once whether this player may play; says so in the store when it may not. */
  confirm: () => Promise<void>
  /** Resolves when everything that was said so far has reached the server. */
  settled: () => Promise<void>
  /** Gives the place up. */
  end: () => void
}

/**
 * @param say tells the server; rejects with its refusal. Must reach it even when the page is closing.
 */
export function holdPlace(say: (word: PlaceWord) => Promise<void>): HeldPlace {
  /** The server knows that we play. */
  let isHeld = false
  let saying: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setInterval> | undefined

  const wantsPlace = () => {
    const { playing, listener } = usePlayer.getState()
    return playing && listener !== null
  }

  async function tell(word: PlaceWord): Promise<void> {
    try {
      await say(word)
      isHeld = word !== 'stop'
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // No answer: music that plays is no moment for a message about counting, and the next beat comes soon.
      if (error.code !== 'playing_elsewhere') return
      isHeld = false
      reportElsewhere(playCap.safeParse(error.details).data ?? null)
    }
  }

  /** Makes the server know what the store wants. */
  function follow(): Promise<void> {
    saying = saying.then(() => {
      if (wantsPlace()) return tell(isHeld ? 'beat' : 'start')
      return isHeld ? tell('stop') : undefined
    })
    return saying
  }

  function onChange() {
    clearInterval(timer)
    if (wantsPlace()) timer = setInterval(() => void follow(), beatSeconds * 1000)
    void follow()
  }

  function leave() {
    clearInterval(timer)
    if (isHeld) void tell('stop')
    isHeld = false
  }

  let wanted = false
  const unsubscribe = usePlayer.subscribe(() => {
    if (wanted === wantsPlace()) return
    wanted = !wanted
    onChange()
  })
  const onShow = ({ persisted }: PageTransitionEvent) => {
    if (persisted) onChange()
  }
  addEventListener('pagehide', leave)
  addEventListener('pageshow', onShow)
  wanted = wantsPlace()
  if (wanted) onChange()

  return {
    async confirm() {
      if (wantsPlace()) return follow()
      // Asking takes a free place; who does not play gives it back.
      saying = saying.then(() => tell('beat'))
      await saying
      await follow()
    },
    settled: () => saying,
    end() {
      unsubscribe()
      removeEventListener('pagehide', leave)
      removeEventListener('pageshow', onShow)
      leave()
    },
  }
}

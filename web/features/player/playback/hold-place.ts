// Holds this player's place among those of the account: it sends `start`, a periodic `beat`, and `stop`. Invariant:
// requests run one at a time, and each is decided from the store when it is sent, so a quick pause and play can't
// arrive in the wrong order.
import { heartbeatSeconds, playCap } from '#contract/playing.ts'
import { ApiError } from '../../../base/api/api.ts'
import { reportElsewhere } from './player-reports.ts'
import { usePlayer } from './player-store.ts'

export type PlaceWord = 'start' | 'beat' | 'stop'

export interface HeldPlace {
  /** Asks the server immediately whether this player may play. A refusal is reported to the store. */
  confirm: () => Promise<void>
  /** Resolves when all queued requests have been answered. */
  settled: () => Promise<void>
  /** Releases the place. */
  end: () => void
}

/** @param say sends the word to the server; rejects when refused. It must arrive even while the page is closing. */
export function holdPlace(say: (word: PlaceWord) => Promise<void>): HeldPlace {
  /** The server has this player as playing. */
  let isHeld = false
  let saying: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setInterval> | undefined

  const wantsPlace = () => {
    const { playing, listener } = usePlayer.getState()
    return playing && listener !== null
  }

  async function send(word: PlaceWord): Promise<void> {
    try {
      await say(word)
      isHeld = word !== 'stop'
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // No answer: don't interrupt playback with a message. The next beat retries soon.
      if (error.code !== 'playing_elsewhere') return
      isHeld = false
      reportElsewhere(playCap.safeParse(error.details).data ?? null)
    }
  }

  /** Brings the server's state in line with the store. */
  function follow(): Promise<void> {
    saying = saying.then(() => {
      if (wantsPlace()) return send(isHeld ? 'beat' : 'start')
      return isHeld ? send('stop') : undefined
    })
    return saying
  }

  function onChange() {
    clearInterval(timer)
    if (wantsPlace()) timer = setInterval(() => void follow(), heartbeatSeconds * 1000)
    void follow()
  }

  function leave() {
    clearInterval(timer)
    if (isHeld) void send('stop')
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
      // The beat takes a free place. If nothing plays, `follow` releases it again.
      saying = saying.then(() => send('beat'))
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

// Holds one of the account's player places for this player: sends `start`, a periodic heartbeat (`beat`), and `stop`.
// Invariant: requests run one at a time, and each is decided from the store when it is sent, so a quick pause and play
// can't arrive in the wrong order.
import { heartbeatSeconds, playCap } from '#contract/playing.ts'
import { ApiError } from '../../../base/api/api.ts'
import { reportElsewhere } from './player-reports.ts'
import { usePlayer } from './player-store.ts'

export type PlaceMessage = 'start' | 'beat' | 'stop'

export interface HeldPlace {
  /** Checks immediately whether this player may play. If refused, updates the store. */
  confirm: () => Promise<void>
  /** Resolves when all queued requests have completed. */
  settled: () => Promise<void>
  /** Stops holding and releases the place. */
  end: () => void
}

/** @param post sends the message to the server, even while the page is closing. Rejects if the server refuses. */
export function holdPlace(post: (message: PlaceMessage) => Promise<void>): HeldPlace {
  /** True while the server has given the place to this player. */
  let isHeld = false
  let pending: Promise<void> = Promise.resolve()
  let timer: ReturnType<typeof setInterval> | undefined

  const wantsPlace = () => {
    const { playing, listener } = usePlayer.getState()
    return playing && listener !== null
  }

  async function send(message: PlaceMessage): Promise<void> {
    try {
      await post(message)
      isHeld = message !== 'stop'
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // No response: don't interrupt playback with a message. The next heartbeat retries soon.
      if (error.code !== 'playing_elsewhere') return
      isHeld = false
      reportElsewhere(playCap.safeParse(error.details).data ?? null)
    }
  }

  /** Updates the server's state to match the store. */
  function syncPlace(): Promise<void> {
    pending = pending.then(() => {
      if (wantsPlace()) return send(isHeld ? 'beat' : 'start')
      return isHeld ? send('stop') : undefined
    })
    return pending
  }

  function onChange() {
    clearInterval(timer)
    if (wantsPlace()) timer = setInterval(() => void syncPlace(), heartbeatSeconds * 1000)
    void syncPlace()
  }

  function releasePlace() {
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
  addEventListener('pagehide', releasePlace)
  addEventListener('pageshow', onShow)
  wanted = wantsPlace()
  if (wanted) onChange()

  return {
    async confirm() {
      if (wantsPlace()) return syncPlace()
      // A heartbeat takes the place if it is free. If nothing plays, `syncPlace` then releases the place.
      pending = pending.then(() => send('beat'))
      await pending
      await syncPlace()
    },
    settled: () => pending,
    end() {
      unsubscribe()
      removeEventListener('pagehide', releasePlace)
      removeEventListener('pageshow', onShow)
      releasePlace()
    },
  }
}

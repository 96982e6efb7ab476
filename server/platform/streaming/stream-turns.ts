// Schedules which response sends next. Per turn of the event loop only a few chunks are sent, so that an API response
// waits for a handful of chunks, never for all listeners. Listeners with little audio buffered come first.

/** Most pieces read concurrently, and most sent between two checks. */
const maxConcurrent = { urgent: 16, patient: 4 }
/** Above this number of listeners with enough audio, their surplus is paced, so that other requests find an idle core. */
const crowd = { from: 64, lookEveryMs: 1 }

export interface Turn {
  /** Calls `end` of the turns once, when the piece was sent or there is none. Must not throw. */
  start(): void
}

export interface Turns {
  /** Starts immediately if there is room. */
  take(turn: Turn, isUrgent: boolean): void
  end(): void
}

export function createTurns(): Turns {
  const urgent = new Set<Turn>()
  const patient = new Set<Turn>()
  let started = 0
  let underWay = 0
  let isPlanned = false

  function plan(): void {
    if (isPlanned) return
    isPlanned = true
    if (urgent.size === 0 && patient.size >= crowd.from) setTimeout(look, crowd.lookEveryMs)
    else setImmediate(look)
  }

  function look(): void {
    isPlanned = false
    started = 0
    startSome()
  }

  function startSome(): void {
    while (urgent.size + patient.size > 0) {
      const most = urgent.size > 0 ? maxConcurrent.urgent : maxConcurrent.patient
      // A chunk in progress checks again when it ends.
      if (underWay >= most) return
      plan()
      if (started >= most) return
      started++
      underWay++
      takeOldest(urgent.size > 0 ? urgent : patient).start()
    }
  }

  return {
    take(turn, isUrgent) {
      ;(isUrgent ? urgent : patient).add(turn)
      startSome()
    },
    end() {
      underWay--
      if (urgent.size + patient.size > 0) plan()
    },
  }
}

function takeOldest(turns: Set<Turn>): Turn {
  const [oldest] = turns
  turns.delete(oldest!)
  return oldest!
}

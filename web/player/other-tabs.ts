// One browser plays one song: a tab that starts to play pauses the others at once, also without a connection. The
// server displaces tabs of the same device, too, which covers an event that is lost.
import { reportOtherTab } from './player-reports.ts'
import { usePlayer } from './player-store.ts'

const channelName = 'velour-playing'

/** Pauses this tab when another one starts to play, until the returned function is called. */
export function giveWayToOtherTabs(): () => void {
  const channel = new BroadcastChannel(channelName)
  let startedAtMs = 0
  const announceStart = () => {
    startedAtMs = Date.now()
    channel.postMessage(startedAtMs)
  }
  channel.addEventListener('message', ({ data: otherStartedAtMs }: MessageEvent<number>) => {
    // When both start in one moment, the earlier announcement must not pause the newer tab.
    if (usePlayer.getState().playing && otherStartedAtMs >= startedAtMs) reportOtherTab()
  })
  if (usePlayer.getState().playing) announceStart()
  const unsubscribe = usePlayer.subscribe((state, before) => {
    if (state.playing && !before.playing) announceStart()
  })
  return () => {
    unsubscribe()
    channel.close()
  }
}

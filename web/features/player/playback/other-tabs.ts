// Ensures that only one tab of a browser plays: a tab that starts to play pauses the others immediately, even offline.
// The server also displaces tabs of the same device, in case a message is lost.
import { reportOtherTab } from './player-reports.ts'
import { usePlayer } from './player-store.ts'

const channelName = 'velour-playing'

/** Pauses this tab when another one starts to play, until the returned function is called. */
export function pauseForOtherTabs(): () => void {
  const channel = new BroadcastChannel(channelName)
  let startedAtMs = 0
  const announceStart = () => {
    startedAtMs = Date.now()
    channel.postMessage(startedAtMs)
  }
  channel.addEventListener('message', ({ data: otherStartedAtMs }: MessageEvent<number>) => {
    // If two tabs start at the same moment, the earlier announcement must not pause the newer tab.
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

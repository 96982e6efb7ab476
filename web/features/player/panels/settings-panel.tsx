// Playback settings and the sleep timer.
import { useEffect, useState, type ReactNode } from 'react'
import { formatClock } from '../../../base/format/format-clock.ts'
import { Slider } from '../../../base/ui/controls/slider.tsx'
import { Switch } from '../../../base/ui/controls/switch.tsx'
import { changeSettings, setSleepTimer } from '../playback/player-actions.ts'
import { crossfadeLimitSeconds, playbackSpeeds } from '../queue/player-settings.ts'
import { usePlayer } from '../playback/player-store.ts'
import { setHelpOpen } from '../playback/player-view.ts'
import { AutoplaySwitch } from './autoplay-switch.tsx'
import styles from './settings-panel.module.css'
import {
  sleepChoicesMinutes,
  sleepIn,
  sleepSecondsLeft,
  type SleepTimer,
} from '../queue/sleep-timer.ts'
import { Button } from '../../../base/ui/controls/button.tsx'

export function SettingsPanel() {
  const settings = usePlayer((state) => state.settings)
  return (
    <div className={styles.settings}>
      <SleepChoice />
      <SpeedChoice />
      <div className={styles.row}>
        <div className={styles.heading}>
          <h3>Crossfade</h3>
          <span data-numeric>
            {settings.crossfade_seconds > 0 ? `${settings.crossfade_seconds} s` : 'Off (gapless)'}
          </span>
        </div>
        <Slider
          label="Crossfade"
          value={settings.crossfade_seconds}
          min={0}
          max={crossfadeLimitSeconds}
          step={1}
          valueText={
            settings.crossfade_seconds > 0 ? `${settings.crossfade_seconds} seconds` : 'Off'
          }
          onChange={(crossfade_seconds) => changeSettings({ crossfade_seconds })}
        />
      </div>
      <Switch
        label="Normalize volume"
        hint="Plays all tracks at the same loudness."
        checked={settings.levelling}
        onChange={(event) => changeSettings({ levelling: event.target.checked })}
      />
      <AutoplaySwitch />
      <Button variant="quiet" size="small" onClick={() => setHelpOpen(true)}>
        Keyboard shortcuts
      </Button>
    </div>
  )
}

function SleepChoice() {
  const sleep = usePlayer((state) => state.sleep)
  const left = useSecondsLeft(sleep)
  return (
    <fieldset className={styles.row}>
      <legend className={styles.heading}>
        <span className={styles.title}>Sleep timer</span>
        <span data-numeric>
          {left !== null && `${formatClock(left)} left`}
          {sleep.kind === 'end-of-track' && 'Stops after this track'}
        </span>
      </legend>
      <div className={styles.choices}>
        <Choice isChosen={sleep.kind === 'off'} onChoose={() => setSleepTimer({ kind: 'off' })}>
          Off
        </Choice>
        {sleepChoicesMinutes.map((minutes) => (
          <Choice
            key={minutes}
            isChosen={sleep.kind === 'at' && sleep.minutes === minutes}
            onChoose={() => setSleepTimer(sleepIn(minutes, Date.now()))}
          >
            {minutes} min
          </Choice>
        ))}
        <Choice
          isChosen={sleep.kind === 'end-of-track'}
          onChoose={() => setSleepTimer({ kind: 'end-of-track' })}
        >
          End of track
        </Choice>
      </div>
    </fieldset>
  )
}

function SpeedChoice() {
  const speed = usePlayer((state) => state.settings.speed)
  return (
    <fieldset className={styles.row}>
      <legend className={styles.heading}>
        <span className={styles.title}>Speed</span>
        <span>Pitch is preserved</span>
      </legend>
      <div className={styles.choices}>
        {playbackSpeeds.map((choice) => (
          <Choice
            key={choice}
            isChosen={choice === speed}
            onChoose={() => changeSettings({ speed: choice })}
          >
            {choice}×
          </Choice>
        ))}
      </div>
    </fieldset>
  )
}

function Choice({
  isChosen,
  onChoose,
  children,
}: {
  isChosen: boolean
  onChoose: () => void
  children: ReactNode
}) {
  return (
    <button type="button" className={styles.choice} aria-pressed={isChosen} onClick={onChoose}>
      {children}
    </button>
  )
}

/** Returns the whole seconds until the timer ends; null when no timed sleep is set. */
function useSecondsLeft(sleep: SleepTimer): number | null {
  const [nowMs, setNowMs] = useState(() => Date.now())
  useEffect(() => {
    if (sleep.kind !== 'at') return
    const interval = setInterval(() => setNowMs(Date.now()), 1000)
    return () => clearInterval(interval)
  }, [sleep])
  // Before the first tick `nowMs` may be older than the timer.
  const left = sleepSecondsLeft(sleep, nowMs)
  return left === null ? null : Math.round(left)
}
